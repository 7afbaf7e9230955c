import type { Federation, SearchContext } from '../answer/index.js'
import { HitPrinter, HitRenderer } from '../answer/index.js'
import { Bitmap } from '../bitmap/index.js'
import type { Stages } from '../engine/index.js'
import {
  ALL,
  deadlineOf,
  executeSearch,
  Hydrator,
  pageWindow,
  type SearchOutcome,
  searchKind,
  selectFields,
} from '../engine/index.js'
import { type Failure, failureSaying, ok, type Result } from '../errors/index.js'
import { StoredArrivals } from '../index/index.js'
import type { SearchIndex } from '../match/index.js'
import { parseSort } from '../match/index.js'
import { type CollectionKnowledge, columnOf, type PartFindings, type PartSearch } from '../rank/index.js'
import { DistinctFilter } from './distinct-filter.js'
import { FacetOrders } from './facet-orders.js'
import { FacetTable } from './facet-table.js'
import { LocalHit } from './local-hit.js'
import { mergeByScore } from './merge.js'
import type { Pinned } from './model.js'
import type { LocalQuery, Plan } from './plan.js'
import { RankingAgreement } from './ranking-agreement.js'
import { queryClass, ruleSteps } from './rule-kinds.js'
import type { Findings, Knowledge } from './shards/collection.js'
import { countedDocuments, type OtherCandidate, type OtherCandidates } from './shards/other-candidates.js'
import { shardDocuments } from './shards/shard-documents.js'
import type { TiedDocument } from './shards/tied-documents.js'

/** What the queries of one index found here. */
export interface IndexResult {
  readonly uid: string
  readonly version: number
  readonly primaryKey: string | null
  readonly hits: readonly LocalHit[]
  /** By their places, then in the order of the queries. */
  readonly pins: readonly LocalPin[]
  /** How many documents totals count. */
  readonly total: number
  /** Null when none were asked for. */
  readonly facets: FacetTable | null
  /** Candidates that are no hits, where they have to be compared with those of other servers. */
  readonly otherCandidates: readonly OtherCandidates[]
  /** The same, one by one. */
  readonly others: readonly OtherCandidate[]
  /** Searches that time cut short. */
  readonly degraded: number
  /** Some query looked for more than words. */
  readonly isSemantic: boolean
  /** By which vectors was searched, by the place of the query. */
  readonly queryVectors: ReadonlyMap<number, Float32Array>
  /** When ranking had to stop, on the clock of `performance.now()`. */
  readonly deadline: number
  /** What was found out about queries of which the index has a part, by their places. */
  readonly findings: Findings
  /** The shards of its only query; none where it is not for some. */
  readonly shards: readonly string[]
  /** Documents that it took beyond its hits, where each value of an attribute comes once. */
  readonly tied: readonly TiedDocument[]
}

export interface LocalPin extends Pinned {
  readonly hit: LocalHit
}

interface Ran {
  readonly query: LocalQuery
  readonly found: SearchOutcome
}

export interface LocalSearchOptions {
  readonly federation: Federation
  readonly context: SearchContext
  readonly stages: Stages
  /** `remote` of hits from here; undefined where hits have none. */
  readonly remote: string | null | undefined
  /** Other servers search other documents of the same indexes: all must add up to the answer of one. */
  readonly isPart: boolean
  /** What is known of queries of which others search other documents of the index, by their places. */
  readonly knowledge: Knowledge
  /** What models made of queries. */
  readonly embedded: ReadonlyMap<LocalQuery, Float32Array | null>
  /** Says in the message of a failure which query it belongs to. */
  readonly blame: Blame
}

export type Blame = (position: number, failure: Failure) => { readonly ok: false; readonly failure: Failure }

/** Runs the queries of a request that belong here, index by index (spec 8 §1.5.3, step 4). */
export class LocalSearch {
  private readonly agreement = new RankingAgreement()
  private readonly facetOrders = new FacetOrders()

  constructor(private readonly options: LocalSearchOptions) {}

  run(local: Plan['local']): Result<IndexResult[]> {
    const results: IndexResult[] = []
    for (const [uid, queries] of local) {
      const result = this.runIndex(uid, queries)
      if (!result.ok) return result
      results.push(result.value)
    }
    return ok(results)
  }

  /** Indexes whose facets were asked for, but no query searches here: they must be there all the same. */
  checkUnused(local: Plan['local']): Result<ReadonlyMap<string, FacetTable>> {
    const tables = new Map<string, FacetTable>()
    for (const [uid, entries] of this.options.federation.facetsByIndex) {
      if (local.has(uid)) continue
      const table = this.emptyTable(uid, entries ?? [])
      if (!table.ok) return unused(uid, table.failure)
      if (entries !== null) tables.set(uid, table.value)
    }
    return ok(tables)
  }

  private emptyTable(uid: string, entries: readonly string[]): Result<FacetTable> {
    const index = this.options.context.open(uid)
    if (!index.ok) return index
    const { isPart } = this.options
    const counted = FacetTable.count({ index: index.value, entries, candidates: Bitmap.empty(), isPart })
    if (!counted.ok) return counted
    const disorder = this.facetDisorder(index.value, entries)
    return disorder === undefined
      ? ok(FacetTable.empty(index.value, entries, isPart))
      : { ok: false, failure: disorder }
  }

  private runIndex(uid: string, queries: readonly LocalQuery[]): Result<IndexResult> {
    const first = queries[0]!.position
    const opened = this.options.context.open(uid)
    if (!opened.ok) return this.options.blame(first, opened.failure)
    const index = opened.value
    const entries = this.options.federation.facetsByIndex.get(uid) ?? null
    const disorder = entries === null ? undefined : this.facetDisorder(index, entries)
    if (disorder !== undefined) return this.options.blame(first, disorder)
    const ran: Ran[] = []
    // All queries of an index share its time.
    const deadline = deadlineOf(index)
    for (const query of queries) {
      const found = this.runQuery(index, query, deadline)
      if (!found.ok) return this.options.blame(query.position, found.failure)
      ran.push({ query, found: found.value })
    }
    const result = this.resultOf(index, ran, entries)
    return result.ok ? result : this.options.blame(first, result.failure)
  }

  private facetDisorder(index: SearchIndex, entries: readonly string[]): Failure | undefined {
    return this.options.federation.mergeFacets === null ? undefined : this.facetOrders.accept(index, entries)
  }

  private runQuery(index: SearchIndex, query: LocalQuery, deadline: number): Result<SearchOutcome> {
    const { context, stages, embedded, knowledge } = this.options
    const { search, position } = query
    const kind = searchKind(index, search)
    if (!kind.ok) return kind
    const sort = parseSort(search.sort ?? [], 'invalid_search_sort')
    if (!sort.ok) return sort
    const steps = ruleSteps({
      rankingRules: index.settings.rankingRules,
      sort: sort.value,
      matchingStrategy: search.matchingStrategy,
      queryClass: queryClass(search),
    })
    const disagreement = this.agreement.accept({ position, indexUid: index.uid, steps })
    if (disagreement !== undefined) return { ok: false, failure: disagreement }
    const vector = embedded.get(query) ?? null
    const known = knowledge.get(position)
    const part = known === undefined ? undefined : partSearch({ index, query, version: context.shardVersion }, known)
    const finding = { uid: index.uid, query: search, context, stages, embedded: vector, deadline, part }
    return executeSearch({ ...finding, isPartOfMore: true })
  }

  private resultOf(index: SearchIndex, ran: readonly Ran[], entries: readonly string[] | null): Result<IndexResult> {
    const lists = this.listsOf(index, ran)
    if (!lists.ok) return lists
    const { hits, rejected } = this.mergeLists(index, lists.value.map(withoutPins))
    const isPlain = ran.length === 1 && entries === null
    const candidates = isPlain ? undefined : candidatesOf(ran).andNot(Bitmap.fromUnsorted(rejected))
    const { isPart } = this.options
    const facets =
      entries === null || candidates === undefined ? ok(null) : FacetTable.count({ index, entries, candidates, isPart })
    if (!facets.ok) return facets
    const otherCandidates = this.otherCandidates(index, ran)
    return ok({
      uid: index.uid,
      version: index.version,
      primaryKey: index.primaryKey,
      hits,
      pins: pinsOf(lists.value),
      total: candidates?.size ?? ran[0]!.found.ranking.candidateCount,
      facets: facets.value,
      otherCandidates,
      others: otherCandidates.flatMap(countedDocuments),
      degraded: ran.filter(({ found }) => found.ranking.isDegraded).length,
      isSemantic: ran.some(({ found }) => found.kind !== 'keyword'),
      queryVectors: queryVectors(ran),
      deadline: ran[0]!.found.deadline,
      findings: findingsOf(ran),
      shards: ran.length === 1 ? (ran[0]!.query.shards ?? []) : [],
      tied: this.options.isPart && ran.length === 1 ? this.tiedDocuments(index, ran[0]!.found) : [],
    })
  }

  private listsOf(index: SearchIndex, ran: readonly Ran[]): Result<LocalHit[][]> {
    const hasHits = ran.some(({ found }) => found.ranking.documents.length > 0)
    const hydrator = hasHits ? Hydrator.prepare(index, this.options.context, this.options.stages) : ok(null)
    if (!hydrator.ok) return hydrator
    const { remote, context, isPart } = this.options
    const mergedBy = context.isProxied ? this.mergedBy(index) : undefined
    const arrivals = isPart ? new StoredArrivals(index.folder.databases.shards) : undefined
    const renderer = context.isForChat === true ? HitRenderer.prepare(index) : undefined
    return ok(
      ran.map(({ query, found }) => {
        const printer = new HitPrinter(found, query.search, hydrator.value)
        const source = { index, query, printer, remote, mergedBy, arrivals, renderer }
        return found.ranking.documents.map((document) => new LocalHit(source, document))
      }),
    )
  }

  /** Where totals are exact each value counts once, on all servers together. */
  private otherCandidates(index: SearchIndex, ran: readonly Ran[]): OtherCandidates[] {
    const [{ query, found }] = ran as [Ran]
    const isCounted = this.options.isPart && ran.length === 1 && found.window.isPaged
    if (!isCounted || this.distinctOf(index) === null) return []
    const attributes = this.mergedBy(index)
    const columns = attributes.map((attribute) => columnOf(index, attribute))
    const hits = Bitmap.fromUnsorted(found.ranking.documents.map(({ docId }) => docId))
    const others = [...found.ranking.candidates().andNot(hits)]
    const documents = others.map((docId) => columns.map((column) => column?.values(docId) ?? []))
    const stored = new StoredArrivals(index.folder.databases.shards)
    const arrivals = others.map((docId) => stored.of(docId) ?? docId)
    return [{ indexUid: index.uid, queryPosition: query.position, attributes, documents, arrivals }]
  }

  private tiedDocuments(index: SearchIndex, { ranking }: SearchOutcome): TiedDocument[] {
    const distinct = this.distinctOf(index)
    const column = distinct === null ? undefined : columnOf(index, distinct)
    const arrivals = new StoredArrivals(index.folder.databases.shards)
    return (ranking.tied ?? []).map(({ docId }) => ({
      arrival: arrivals.of(docId) ?? docId,
      keys: column?.values(docId) ?? [],
    }))
  }

  /** Where this is a part, the values of the attribute of the settings may be on other servers too. */
  private distinctOf({ settings }: SearchIndex): string | null {
    const { federation, isPart } = this.options
    return federation.distinct ?? (isPart ? settings.distinctAttribute : null)
  }

  /** The attributes that another server asks about to merge hits of this index: distinct, and facets by their names. */
  private mergedBy(index: SearchIndex): string[] {
    const { federation, isPart } = this.options
    const distinct = this.distinctOf(index)
    const entries = federation.facetsByIndex.get(index.uid) ?? []
    const fields = selectFields(index, isPart ? entries : entries.filter((entry) => entry !== ALL))
    const counted = fields.ok ? fields.value.map(({ attribute }) => attribute) : []
    return distinct === null || counted.includes(distinct) ? counted : [distinct, ...counted]
  }

  /** Each document once, where it stands best; with a distinct attribute, each of its values once. */
  private mergeLists(index: SearchIndex, lists: readonly LocalHit[][]): { hits: LocalHit[]; rejected: number[] } {
    const { federation } = this.options
    if (lists.length === 1) return { hits: lists[0]!, rejected: [] }
    const { depth } = pageWindow(federation, index.settings.pagination.maxTotalHits)
    const emitted = new Set<number>()
    const values = new DistinctFilter()
    const hits: LocalHit[] = []
    const rejected: number[] = []
    for (const hit of mergeByScore(lists)) {
      if (hits.length === depth) break
      if (emitted.has(hit.docId)) continue
      emitted.add(hit.docId)
      if (federation.distinct === null || values.take(hit.keysOf(federation.distinct))) hits.push(hit)
      else rejected.push(hit.docId)
    }
    return { hits, rejected }
  }
}

interface AskedPart {
  readonly index: SearchIndex
  readonly query: LocalQuery
  /** Of the network, by which shards are meant. */
  readonly version: string | undefined
}

function partSearch({ index, query, version }: AskedPart, knowledge: CollectionKnowledge | null): PartSearch {
  const { shards, distinct } = query
  return {
    knowledge,
    documents: () => shardDocuments(index, shards, version),
    distinct: distinct && { taken: distinct.taken, isSettled: distinct.most !== null },
  }
}

const withoutPins = (hits: LocalHit[]): LocalHit[] =>
  hits.some(isPinned) ? hits.filter((hit) => !isPinned(hit)) : hits

const isPinned = ({ pinnedPosition }: LocalHit): boolean => pinnedPosition !== undefined

function pinsOf(lists: readonly LocalHit[][]): LocalPin[] {
  const pins = lists.flatMap((hits) => hits.filter(isPinned).map((hit) => ({ hit, position: hit.pinnedPosition! })))
  return pins.sort((a, b) => a.position - b.position)
}

/** Those of the queries that ask for vectors. */
function queryVectors(ran: readonly Ran[]): Map<number, Float32Array> {
  const used = new Map<number, Float32Array>()
  for (const { query, found } of ran) {
    if (found.queryVector !== null && query.search.retrieveVectors) used.set(query.position, found.queryVector)
  }
  return used
}

function findingsOf(ran: readonly Ran[]): Findings {
  const told = new Map<number, PartFindings>()
  for (const { query, found } of ran) {
    const { findings } = found.ranking
    if (findings !== undefined) told.set(query.position, findings)
  }
  return told
}

function candidatesOf(ran: readonly Ran[]): Bitmap {
  return Bitmap.orMany(ran.map(({ found }) => found.ranking.candidates()))
}

function unused(uid: string, { code, message }: Failure): { ok: false; failure: Failure } {
  const reason = `\`.federation.facetsByIndex\`: no query of this request searches the index \`${uid}\`. ${message}`
  return { ok: false, failure: failureSaying(code, reason) }
}
