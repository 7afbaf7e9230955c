import type { ByteWriter } from '../bytes/index.js'
import type { DocId, FieldChoice, StoredDocument } from '../documents/index.js'
import type { SearchOutcome, SearchQuery, Stages } from '../engine/index.js'
import { GeoDistances, HitFormatter, Hydrator } from '../engine/index.js'
import { ok, type Result } from '../errors/index.js'
import type { RankedDocument } from '../rank/index.js'
import { rankingScore } from '../rank/index.js'
import type { AnswerWriter } from './answer-writer.js'
import type { PersonalHit } from './personalize/personalize-page.js'
import { ScoreDetailPrinter } from './score-details.js'
import type { SearchContext } from './search-context.js'
import { VectorPrinter } from './vectors.js'

/** How hits are shown. */
export interface HitOptions {
  readonly query: SearchQuery
  readonly context: SearchContext
  readonly stages: Stages
}

/** Writes `"hits":[...]`, the page that was asked for. */
export function writeHits(out: AnswerWriter, found: SearchOutcome, shown: HitOptions): Result<undefined> {
  const page = pageOf(found)
  const hydrator = hydratorOf(page, found, shown)
  if (!hydrator.ok) return hydrator
  const printer = new HitPrinter(found, shown.query, hydrator.value)
  out.utf8('"hits":[')
  for (let i = 0; i < page.length; i++) {
    out.utf8(i === 0 ? '{' : ',{')
    printer.writeMembers(out, page[i]!)
    out.utf8('}')
    out.endHit()
  }
  out.utf8(']')
  return ok(undefined)
}

/** A hit whose place is not known yet. */
export interface PrintedHit extends PersonalHit {
  readonly ranked: RankedDocument
  readonly text: string
}

/** The page that was asked for, all of it read. */
export function printHits(found: SearchOutcome, shown: HitOptions): Result<PrintedHit[]> {
  const page = pageOf(found)
  const hydrator = hydratorOf(page, found, shown)
  if (!hydrator.ok) return hydrator
  const printer = new HitPrinter(found, shown.query, hydrator.value)
  return ok(
    page.map((ranked) => ({
      ranked,
      isPinned: ranked.details[0]?.rule === 'pin',
      document: printer.document(ranked),
      text: `{${printer.members(ranked)}}`,
    })),
  )
}

function hydratorOf(
  page: readonly RankedDocument[],
  { index }: SearchOutcome,
  shown: HitOptions,
): Result<Hydrator | null> {
  return page.length === 0 ? ok(null) : Hydrator.prepare(index, shown.context, shown.stages)
}

/** The page that was asked for. */
export function pageOf({ ranking, window: { skip, take } }: SearchOutcome): readonly RankedDocument[] {
  return ranking.documents.slice(skip, skip + take)
}

/** Prints the hits of one search: members of the document, then those that the search adds (spec 6 §2.2). */
export class HitPrinter {
  private readonly formatter: HitFormatter
  private readonly vectors: VectorPrinter | null
  private readonly distances: GeoDistances | null
  private readonly details: ScoreDetailPrinter | null
  private readonly overwritten: ReadonlySet<string>
  /** The members of documents are written as they are stored. */
  private readonly isCopied: boolean
  /** Undefined: all fields. */
  private readonly isNeeded: FieldChoice | undefined
  private federatedNames: ReadonlySet<string> | undefined

  constructor(
    private readonly found: SearchOutcome,
    private readonly query: SearchQuery,
    private readonly hydrator: Hydrator | null,
  ) {
    const { index, ranking, sort } = found
    this.formatter = new HitFormatter(index, { ...formatting(query), terms: ranking.terms })
    this.vectors = query.retrieveVectors ? VectorPrinter.prepare(index) : null
    this.distances = GeoDistances.prepare(index, sort, query.attributesToRetrieve)
    this.details = query.showRankingScoreDetails ? new ScoreDetailPrinter(index.settings) : null
    this.overwritten = this.ownNames()
    // Vectors and distances have fields of their own that they look at.
    const showsPart = query.attributesToRetrieve !== null || index.settings.displayedAttributes !== '*'
    const isPlain = this.vectors === null && this.distances === null
    this.isCopied = isPlain && hydrator === null
    this.isNeeded = showsPart && isPlain ? (fieldId) => this.formatter.needs(fieldId) : undefined
  }

  /** Without braces. `federation` is the value of `_federation`, where hits have it. */
  members({ docId, details }: RankedDocument, federation?: string): string {
    const document = this.found.index.folder.document(docId as DocId, this.isNeeded)!
    let members = this.formatter.members(document, this.namesOf(federation))
    let formatted = this.formatter.formatted(document)
    if (this.hydrator !== null) ({ members, formatted } = this.hydrator.hydrate(members, formatted))
    members = withMember(members, '"_vectors":', this.vectors?.print(docId, document))
    members = withMember(members, '"_geoDistance":', this.distances?.print(document))
    members = withMember(members, '"_federation":', federation)
    members = withMember(members, '"_formatted":', formatted)
    return this.withScores(this.withPositions(members, document), details)
  }

  /** Writes what `members` answers. */
  writeMembers(out: ByteWriter, ranked: RankedDocument): void {
    if (!this.isCopied) {
      out.utf8(this.members(ranked))
      return
    }
    const start = out.length
    const document = this.found.index.folder.document(ranked.docId as DocId, this.isNeeded)!
    this.formatter.writeMembers(out, document, this.overwritten)
    const formatted = withMember('', '"_formatted":', this.formatter.formatted(document))
    const added = this.withScores(this.withPositions(formatted, document), ranked.details)
    if (added !== '') out.utf8(out.length === start ? added : `,${added}`)
  }

  private withPositions(members: string, document: StoredDocument): string {
    return withMember(members, '"_matchesPosition":', this.formatter.matchesPosition(document))
  }

  private withScores(members: string, details: RankedDocument['details']): string {
    const score = this.query.showRankingScore ? String(rankingScore(details)) : undefined
    const scored = withMember(members, '"_rankingScore":', score)
    return withMember(scored, '"_rankingScoreDetails":', this.details?.print(details))
  }

  /** What the hit shows of its document, and nothing that the search adds. */
  document({ docId }: RankedDocument): string {
    return `{${this.formatter.members(this.found.index.folder.document(docId as DocId)!, this.overwritten)}}`
  }

  private namesOf(federation: string | undefined): ReadonlySet<string> {
    if (federation === undefined) return this.overwritten
    return (this.federatedNames ??= new Set([...this.overwritten, '_federation']))
  }

  /** Names that the search gives a meaning of its own: attributes of documents called so are not shown. */
  private ownNames(): ReadonlySet<string> {
    const { query } = this
    const names = ['_vectors']
    if (this.distances !== null) names.push('_geoDistance')
    if (query.attributesToHighlight !== null || query.attributesToCrop !== null) names.push('_formatted')
    if (query.showMatchesPosition) names.push('_matchesPosition')
    if (query.showRankingScore) names.push('_rankingScore')
    if (query.showRankingScoreDetails) names.push('_rankingScoreDetails')
    return new Set(names)
  }
}

function withMember(members: string, name: string, value: string | undefined): string {
  if (value === undefined) return members
  return members === '' ? name + value : `${members},${name}${value}`
}

function formatting(query: SearchQuery) {
  return {
    attributesToRetrieve: query.attributesToRetrieve,
    attributesToHighlight: query.attributesToHighlight,
    attributesToCrop: query.attributesToCrop,
    cropLength: query.cropLength,
    cropMarker: query.cropMarker,
    highlightPreTag: query.highlightPreTag,
    highlightPostTag: query.highlightPostTag,
    showMatchesPosition: query.showMatchesPosition,
    locales: query.locales,
  }
}
