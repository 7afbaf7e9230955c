import { type DocId, matchesName, storedJson, textOf } from '../../index/index.js'
import type { JsonObject } from '../../json/index.js'
import type { HitPrinter } from '../answer/hits.js'
import { columnOf } from '../order/columns-of.js'
import type { RankedDocument } from '../rank/model.js'
import { rankingScore } from '../rank/score.js'
import type { SearchIndex } from '../search-index.js'
import { keysAtPath } from './keys-at-path.js'
import type { FacetKeys, FederatedHit, ScoreValue } from './model.js'
import type { LocalQuery } from './plan.js'
import { printScoreValues, scoreValues } from './score-values.js'

/** What all hits of one query share. */
export interface HitSource {
  readonly index: SearchIndex
  readonly query: LocalQuery
  readonly printer: HitPrinter
  /** What `_federation` tells beyond the place of the hit. */
  readonly shows: FederationShown
}

export interface FederationShown {
  /** `remote` of hits from here; undefined where hits have none. */
  readonly remote: string | null | undefined
  /** For another server, which needs more than people do: the attributes it asks about; undefined for people. */
  readonly extraAttributes: readonly string[] | undefined
}

/** A hit of a query that ran here. It reads from the index unless `keep` was called. */
export class LocalHit implements FederatedHit {
  readonly values: readonly ScoreValue[]
  readonly score: number
  private printed: string | undefined
  private shownDocument: string | undefined
  private readonly keys = new Map<string, FacetKeys>()

  constructor(
    private readonly source: HitSource,
    private readonly ranked: RankedDocument,
  ) {
    const { weight } = source.query
    this.values = scoreValues(ranked.details, weight)
    this.score = rankingScore(ranked.details) * weight
  }

  get docId(): number {
    return this.ranked.docId
  }

  get queryPosition(): number {
    return this.source.query.position
  }

  get indexUid(): string {
    return this.source.index.uid
  }

  /** Reads what may be asked for, before the index changes. */
  keep(attributes: readonly string[]): void {
    this.print()
    for (const attribute of attributes) this.keysOf(attribute)
  }

  print(): string {
    return (this.printed ??= `{${this.source.printer.members(this.ranked, this.federation())}}`)
  }

  document(): string {
    return (this.shownDocument ??= this.source.printer.document(this.ranked))
  }

  keysOf(attribute: string): FacetKeys {
    const known = this.keys.get(attribute)
    if (known !== undefined) return known
    const keys = columnOf(this.source.index, attribute)?.values(this.docId) ?? []
    this.keys.set(attribute, keys)
    return keys
  }

  shownKeysOf(attribute: string): FacetKeys {
    return keysAtPath(storedJson(this.print()) as JsonObject, attribute)
  }

  get pinnedPosition(): number | undefined {
    const [detail] = this.ranked.details
    return detail?.rule === 'pin' ? detail.position : undefined
  }

  private federation(): string {
    const { remote, extraAttributes } = this.source.shows
    const members = [
      `"indexUid":${JSON.stringify(this.indexUid)}`,
      `"queriesPosition":${this.queryPosition}`,
      `"weightedRankingScore":${this.score}`,
      ...(remote === undefined ? [] : [`"remote":${JSON.stringify(remote)}`]),
    ]
    if (extraAttributes !== undefined) {
      members.push(`"weightedScoreValues":${printScoreValues(this.values)}`)
      members.push(`"extra_document":${this.extraDocument(extraAttributes)}`)
      if (this.pinnedPosition !== undefined) members.push(`"pinnedPosition":${this.pinnedPosition}`)
    }
    return `{${members.join(',')}}`
  }

  /** The top-level members that the attributes are, or are in, or that are below them. */
  private extraDocument(attributes: readonly string[]): string {
    const { index } = this.source
    const members: string[] = []
    for (const { fieldId, value } of index.folder.document(this.docId as DocId)!) {
      const name = index.nameOf(fieldId)
      const isWanted = attributes.some((wanted) => matchesName(wanted, name) || matchesName(name, wanted))
      if (isWanted) members.push(`${JSON.stringify(name)}:${textOf(value)}`)
    }
    return `{${members.join(',')}}`
  }
}
