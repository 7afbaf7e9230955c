import type { RankRequest } from '../model.js'
import type { ScoreDetail } from '../score-detail.js'

/** A document; a plain text stands for one with the field `text`. Its number is its place in the list. */
export type ExampleDocument = string | Readonly<Record<string, unknown>>

export interface ExampleQuery {
  readonly request: Partial<RankRequest>
  /** Documents in their order. */
  readonly ids: readonly number[]
  readonly total?: number
  /** `_rankingScore` of each. */
  readonly scores?: readonly number[]
  /** What a rule says of each document, as `rank/max`, `typo count/max` or the type of match. */
  readonly details?: Readonly<Partial<Record<ScoreDetail['rule'], readonly string[]>>>
}

/** A worked example of the spec. */
export interface RankExample {
  readonly name: string
  readonly documents: readonly ExampleDocument[]
  /** As a settings request holds them. */
  readonly settings?: Readonly<Record<string, unknown>>
  readonly queries: readonly ExampleQuery[]
}

/** Only which documents are found is of interest: they come by number. */
export const unranked = { rankingRules: [] }
export const typosOff = { ...unranked, typoTolerance: { enabled: false } }
export const onlyTypo = { rankingRules: ['typo'] }

export function find(q: string, ids: readonly number[], request: Partial<RankRequest> = {}): ExampleQuery {
  return { request: { q, ...request }, ids }
}

export function findAll(q: string, ids: readonly number[]): ExampleQuery {
  return find(q, ids, { matchingStrategy: 'all' })
}

/** What a detail says, shortly. */
export function detailText(detail: ScoreDetail): string {
  switch (detail.rule) {
    case 'words':
    case 'exactWords':
      return `${detail.matching}/${detail.max}`
    case 'typo':
      return `${detail.count}/${detail.max}`
    case 'proximity':
    case 'attributeRank':
    case 'wordPosition':
      return `${detail.rank}/${detail.max}`
    case 'exactAttribute':
      return detail.type
    case 'sort':
      return String(detail.value)
    case 'vector':
      return String(detail.similarity)
    case 'geoSort':
    case 'skipped':
    case 'pin':
      return ''
  }
}
