import { type HitPrinter, type HitRenderer, templateRefusal } from '../answer/index.js'
import { storedJson } from '../documents/index.js'
import type { ScoreValue } from '../engine/index.js'
import type { Result } from '../errors/index.js'
import type { StoredArrivals } from '../index/index.js'
import type { JsonObject } from '../json/index.js'
import type { SearchIndex } from '../match/index.js'
import type { RankedDocument } from '../rank/index.js'
import { columnOf, rankingScore } from '../rank/index.js'
import { keysAtPath } from './keys-at-path.js'
import type { FacetKeys, FederatedHit } from './model.js'
import type { LocalQuery } from './plan.js'
import { printScoreValues, scoreValues } from './score-values.js'

/** What all hits of one query share. */
export interface HitSource {
  readonly index: SearchIndex
  readonly query: LocalQuery
  readonly printer: HitPrinter
  /** `remote` of hits from here; undefined where hits have none. */
  readonly remote: string | null | undefined
  /** What another server needs to merge hits: the values of these attributes; undefined for people. */
  readonly mergedBy: readonly string[] | undefined
  /** When documents came, where others have other documents of the index. */
  readonly arrivals: StoredArrivals | undefined
  /** For a language model. */
  readonly renderer: Result<HitRenderer> | undefined
}

/** A hit of a query that ran here. It reads from the index unless `keep` was called. */
export class LocalHit implements FederatedHit {
  readonly values: readonly ScoreValue[]
  readonly score: number
  readonly arrival: number | undefined
  private printed: string | undefined
  private shownDocument: string | undefined
  private rendered: Result<string> | undefined
  private readonly keys = new Map<string, FacetKeys>()

  constructor(
    private readonly source: HitSource,
    private readonly ranked: RankedDocument,
  ) {
    const { weight } = source.query
    this.values = scoreValues(ranked.details, weight)
    this.score = rankingScore(ranked.details) * weight
    this.arrival = source.arrivals?.of(ranked.docId)
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
    this.printed ??= this.text()
    if (this.source.renderer !== undefined) this.chatText()
    for (const attribute of attributes) this.keysOf(attribute)
  }

  /** Not kept unless it must be: a page may have gigabytes. */
  print(): string {
    return this.printed ?? this.text()
  }

  private text(): string {
    return `{${this.source.printer.members(this.ranked, this.federation())}}`
  }

  document(): string {
    return (this.shownDocument ??= this.source.printer.document(this.ranked))
  }

  chatText(): Result<string> {
    const { renderer } = this.source
    if (!renderer?.ok) return renderer ?? templateRefusal(this.indexUid, 'nobody asked for it')
    return (this.rendered ??= renderer.value.render(this.docId, this.document()))
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
    const { remote, mergedBy } = this.source
    const members = [
      `"indexUid":${JSON.stringify(this.indexUid)}`,
      `"queriesPosition":${this.queryPosition}`,
      `"weightedRankingScore":${this.score}`,
      ...(remote === undefined ? [] : [`"remote":${JSON.stringify(remote)}`]),
    ]
    if (mergedBy !== undefined) {
      members.push(`"weightedScoreValues":${printScoreValues(this.values)}`)
      members.push(`"extra_document":${this.extraDocument(mergedBy)}`)
      if (this.arrival !== undefined) members.push(`"arrival":${this.arrival}`)
      if (this.source.renderer !== undefined) members.push(...this.chatMember())
      if (this.pinnedPosition !== undefined) members.push(`"pinnedPosition":${this.pinnedPosition}`)
    }
    return `{${members.join(',')}}`
  }

  private chatMember(): string[] {
    const text = this.chatText()
    return text.ok ? [`"chatText":${JSON.stringify(text.value)}`] : []
  }

  /**
   * The values that merging compares, and nothing that stands beside them in the document: whoever holds a search key
   * can ask like a server, and attributes may be hidden from them.
   */
  private extraDocument(attributes: readonly string[]): string {
    const members = attributes.flatMap((attribute) => {
      const keys = this.keysOf(attribute)
      const value = keys.length === 1 ? keys[0] : keys
      return keys.length === 0 ? [] : [`${JSON.stringify(attribute)}:${JSON.stringify(value)}`]
    })
    return `{${members.join(',')}}`
  }
}
