import { readFindings, templateRefusal } from '../../answer/index.js'
import type { FacetStats, ScoreValue } from '../../engine/index.js'
import { ok, type Result } from '../../errors/index.js'
import { isObject, type JsonObject, type JsonValue, print, toDouble } from '../../json/index.js'
import { keysAtPath } from '../keys-at-path.js'
import type { FacetKeys, FederatedHit, Pinned } from '../model.js'
import { readScoreValues } from '../score-values.js'
import { FINDINGS, type Findings } from '../shards/collection.js'
import { FACET_PARTS, type FacetPart, readFacetParts } from '../shards/facet-part.js'
import {
  countedDocuments,
  OTHER_CANDIDATES,
  type OtherCandidate,
  readOtherCandidates,
} from '../shards/other-candidates.js'
import { readTied, TIED, type TiedDocument } from '../shards/tied-documents.js'
import type { AnswerProblem } from './remote-exchange.js'

/** What one other server found. */
export interface RemoteAnswer {
  readonly name: string
  readonly hits: readonly FederatedHit[]
  readonly pins: readonly Pinned[]
  readonly total: number
  readonly processingMs: number
  /** Some query looked for more than words. */
  readonly isSemantic: boolean
  readonly facets: ReadonlyMap<string, readonly RemoteFacet[]>
  /** Counted for its part of the documents of each index. */
  readonly parts: ReadonlyMap<string, FacetPart>
  /** Candidates that are no hits, where they have to be compared with those of others. */
  readonly others: readonly OtherCandidate[]
  /** Primary keys of indexes, where it told. */
  readonly primaryKeys: ReadonlyMap<string, string>
  /** Vectors of queries by their place, as JSON. */
  readonly queryVectors: ReadonlyMap<string, string>
  /** What it found out about queries of which it has a part. */
  readonly findings: Findings
  /** The shards that it answers for; none where it does not say. */
  readonly shards: readonly string[]
  /** Documents that it took beyond its hits, where each value of an attribute comes once. */
  readonly tied: readonly TiedDocument[]
}

export interface RemoteFacet {
  readonly attribute: string
  readonly counts: ReadonlyMap<string, number>
  readonly stats: FacetStats | null
}

/** Reads the answer of a server that was asked as by another server (spec 8 §3.7). */
export function readRemoteAnswer(name: string, body: JsonValue): RemoteAnswer | AnswerProblem {
  if (!isObject(body)) return 'of another kind'
  const hits = body.get('hits')
  const total = toDouble(body.get('estimatedTotalHits') ?? body.get('totalHits') ?? null)
  const processingMs = toDouble(body.get('processingTimeMs') ?? null)
  if (!Array.isArray(hits) || total === undefined || processingMs === undefined) return 'of another kind'
  const parts = readFacetParts(body.get(FACET_PARTS))
  const others = readOtherCandidates(body.get(OTHER_CANDIDATES))
  const findings = readFindings(body.get(FINDINGS) ?? new Map())
  const tied = readTied(body.get(TIED))
  if (parts === undefined || others === undefined || findings === undefined) return 'of another kind'
  if (tied === undefined) return 'of another kind'
  const read: RemoteHit[] = []
  for (const hit of hits) {
    const found = RemoteHit.read(name, hit)
    if (found === undefined) return 'incomplete hits'
    read.push(found)
  }
  return {
    name,
    hits: read.filter(({ pinnedPosition }) => pinnedPosition === undefined),
    pins: read.flatMap((hit) => (hit.pinnedPosition === undefined ? [] : [{ hit, position: hit.pinnedPosition }])),
    total,
    processingMs,
    isSemantic: body.has('semanticHitCount'),
    facets: readFacets(body.get('facetsByIndex')),
    parts,
    others: others.flatMap(countedDocuments),
    primaryKeys: readPrimaryKeys(body.get('metadata')),
    queryVectors: new Map(entriesOf(body.get('queryVectors')).map(([place, vector]) => [place, print(vector)])),
    findings: new Map(Array.from(findings, ([position, told]) => [Number(position), told])),
    shards: listOf(body.get('shards')).filter((shard) => typeof shard === 'string'),
    tied,
  }
}

/** Members of `_federation` that only servers tell each other. */
const FOR_SERVERS = ['weightedScoreValues', 'extra_document', 'arrival', 'pinnedPosition', 'chatText'] as const

/** Members of hits that are no part of documents. */
const ADDED_BY_SEARCH = new Set([
  '_vectors',
  '_geoDistance',
  '_federation',
  '_formatted',
  '_matchesPosition',
  '_rankingScore',
  '_rankingScoreDetails',
])

interface RemotePlace {
  readonly indexUid: string
  readonly queryPosition: number
  readonly score: number
  /** Undefined for a hit that was found. */
  readonly pinnedPosition: number | undefined
  readonly arrival: number | undefined
  /** Undefined where nobody asked for it, or it could not be rendered. */
  readonly chatText: string | undefined
}

class RemoteHit implements FederatedHit {
  private constructor(
    private readonly hit: JsonObject,
    private readonly extra: JsonObject,
    private readonly place: RemotePlace,
    readonly values: readonly ScoreValue[],
  ) {}

  /** Undefined when it lacks what it is compared by. */
  static read(name: string, hit: JsonValue): RemoteHit | undefined {
    const federation = isObject(hit) ? hit.get('_federation') : undefined
    if (!isObject(hit) || !isObject(federation)) return undefined
    const values = readScoreValues(federation.get('weightedScoreValues'))
    const score = toDouble(federation.get('weightedRankingScore') ?? null)
    const indexUid = federation.get('indexUid')
    const queryPosition = toDouble(federation.get('queriesPosition') ?? null)
    if (values === undefined || score === undefined) return undefined
    if (typeof indexUid !== 'string' || queryPosition === undefined) return undefined
    const extra = federation.get('extra_document')
    const pinnedPosition = toDouble(federation.get('pinnedPosition') ?? null)
    const arrival = toDouble(federation.get('arrival') ?? null)
    const text = federation.get('chatText')
    const chatText = typeof text === 'string' ? text : undefined
    const place = { indexUid, queryPosition, score, pinnedPosition, arrival, chatText }
    for (const member of FOR_SERVERS) federation.delete(member)
    federation.set('remote', name)
    return new RemoteHit(hit, isObject(extra) ? extra : new Map(), place, values)
  }

  get indexUid(): string {
    return this.place.indexUid
  }

  get queryPosition(): number {
    return this.place.queryPosition
  }

  get pinnedPosition(): number | undefined {
    return this.place.pinnedPosition
  }

  get score(): number {
    return this.place.score
  }

  get arrival(): number | undefined {
    return this.place.arrival
  }

  print(): string {
    return print(this.hit)
  }

  document(): string {
    return print(new Map([...this.hit].filter(([name]) => !ADDED_BY_SEARCH.has(name))))
  }

  chatText(): Result<string> {
    const { indexUid, chatText } = this.place
    return chatText === undefined
      ? templateRefusal(indexUid, 'a document on another server lacks something')
      : ok(chatText)
  }

  keysOf(attribute: string): FacetKeys {
    return keysAtPath(this.extra, attribute)
  }

  shownKeysOf(attribute: string): FacetKeys {
    return keysAtPath(this.hit, attribute)
  }
}

function readFacets(facets: JsonValue | undefined): Map<string, RemoteFacet[]> {
  return new Map(entriesOf(facets).map(([uid, table]) => [uid, isObject(table) ? readTable(table) : []]))
}

function readTable(table: JsonObject): RemoteFacet[] {
  const stats = table.get('stats')
  return entriesOf(table.get('distribution')).map(([attribute, counts]) => ({
    attribute,
    counts: new Map(entriesOf(counts).map(([label, count]) => [label, toDouble(count) ?? 0])),
    stats: isObject(stats) ? readStats(stats.get(attribute)) : null,
  }))
}

function readStats(stats: JsonValue | undefined): FacetStats | null {
  if (!isObject(stats)) return null
  const min = toDouble(stats.get('min') ?? null)
  const max = toDouble(stats.get('max') ?? null)
  return min === undefined || max === undefined ? null : { min, max }
}

function readPrimaryKeys(metadata: JsonValue | undefined): Map<string, string> {
  const keys = new Map<string, string>()
  for (const query of Array.isArray(metadata) ? metadata : []) {
    if (!isObject(query)) continue
    const uid = query.get('indexUid')
    const primaryKey = query.get('primaryKey')
    if (typeof uid === 'string' && typeof primaryKey === 'string') keys.set(uid, primaryKey)
  }
  return keys
}

const listOf = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : [])

const entriesOf = (value: JsonValue | undefined): [string, JsonValue][] => (isObject(value) ? [...value] : [])
