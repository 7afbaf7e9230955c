import { type Failure, failure } from '../errors/index.js'
import type { RuleKind, RuleStep } from './rule-kinds.js'

/** The ranking of one query. */
export interface QueryRanking {
  readonly position: number
  readonly indexUid: string
  readonly steps: readonly RuleStep[]
}

/** Whether the queries of a request rank alike, so that their hits can be compared (spec 8 §1.6). */
export class RankingAgreement {
  /** The query with the most steps so far. */
  private reference: QueryRanking | undefined

  /** To be asked in the order in which queries are run. */
  accept(query: QueryRanking): Failure | undefined {
    const { reference } = this
    if (reference === undefined) {
      this.reference = query
      return undefined
    }
    const at = firstDifference(reference.steps, query.steps)
    if (at !== -1) return disagreement(query, reference, at)
    if (reference.steps.length <= query.steps.length) this.reference = query
    return undefined
  }
}

function firstDifference(left: readonly RuleStep[], right: readonly RuleStep[]): number {
  const length = Math.min(left.length, right.length)
  for (let i = 0; i < length; i++) if (left[i]!.kind !== right[i]!.kind) return i
  return -1
}

function disagreement(query: QueryRanking, reference: QueryRanking, at: number): Failure {
  const [one, other] = [query.steps[at]!, reference.steps[at]!]
  return failure(
    'invalid_multi_search_query_ranking_rules',
    `The results of this query cannot be merged with those of \`.queries[${reference.position}]\`: ` +
      `here the index \`${query.indexUid}\` is ranked by \`${one.rule}\`, there the index ` +
      `\`${reference.indexUid}\` by \`${other.rule}\`; ${reason(one.kind, other.kind)}.`,
  )
}

function reason(one: RuleKind, other: RuleKind): string {
  const kinds = [one, other]
  if (kinds.includes('relevancy')) return 'relevancy cannot be compared with an order of values'
  const isGeo = kinds.map((kind) => kind.startsWith('geo'))
  if (isGeo[0] !== isGeo[1]) return 'values cannot be compared with distances'
  return 'their directions are opposite'
}
