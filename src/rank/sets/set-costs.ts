import type { DocSet } from '../../bitmap/index.js'
import { searchableFields } from '../../match/index.js'
import type { DocIdSource } from '../../postings/index.js'
import { attributeDetail, maxWeightOf } from '../attribute-rule.js'
import { positionDetail, WORST_COST } from '../position-rule.js'
import { FAR_COST, isPair, proximityDetail } from '../proximity-rule.js'
import type { RankContext } from '../rank-context.js'
import type { RuleStep } from '../rules.js'
import type { ScoreDetail } from '../score-detail.js'
import { AttributeColumn, PairColumn, PositionColumn } from './cost-columns.js'
import type { CostColumn } from './cost-sums.js'
import { type Coverage, coverPairs } from './covered-nodes.js'

/** What documents cost by a rule, where there is one way to read the query: the sum of some columns. */
export interface SetCosts {
  /** Documents that have these are not in the columns. */
  readonly others: readonly DocIdSource[]
  readonly columns: (docs: DocSet) => readonly CostColumn[]
  /** Documents that have these are in the columns as far as they cost nothing. */
  readonly reversed: readonly DocIdSource[]
  readonly most: number
  readonly detail: (cost: number) => ScoreDetail
}

/** Undefined where sets do not tell, and `undivided` where the rule has nothing to tell apart. */
export function setCosts(
  context: RankContext,
  kind: RuleStep['kind'],
  coverage: Coverage,
): SetCosts | 'undivided' | undefined {
  if (kind === 'proximity') return pairCosts(context, coverage)
  if (kind === 'attributeRank') return attributeCosts(context, coverage)
  return kind === 'wordPosition' ? positionCosts(context, coverage) : undefined
}

function pairCosts(context: RankContext, coverage: Coverage): SetCosts | 'undivided' | undefined {
  if (coverage.nodes.length === 1) return 'undivided'
  const covered = context.isByAttribute ? undefined : coverPairs(context.words.sets, coverage)
  if (covered === undefined) return undefined
  const pairs = covered.nodes.slice(1).flatMap((right, i) => {
    const left = covered.nodes[i]!
    return isPair(left.node.term, right.node.term) ? [{ left, right }] : []
  })
  const most = pairs.length * FAR_COST
  return {
    others: covered.others,
    columns: (docs) => pairs.map(({ left, right }) => new PairColumn(context, docs, left, right)),
    reversed: covered.reversed,
    most,
    detail: (cost) => proximityDetail(cost, most),
  }
}

/** Of an index with very many attributes each would have to be asked for. */
const MANY_ATTRIBUTES = 64

function attributeCosts(context: RankContext, { nodes, others }: Coverage): SetCosts | 'undivided' | undefined {
  const maxWeight = maxWeightOf(context)
  if (maxWeight === 0) return 'undivided'
  if (searchableFields(context.index).ids.length > MANY_ATTRIBUTES) return undefined
  const most = maxWeight * nodes.length
  return {
    others,
    columns: () => nodes.map((node) => new AttributeColumn(context, node)),
    reversed: [],
    most,
    detail: (cost) => attributeDetail(cost, most),
  }
}

function positionCosts(context: RankContext, { nodes, others }: Coverage): SetCosts {
  const most = WORST_COST * nodes.length
  return {
    others,
    columns: () => nodes.map((node) => new PositionColumn(context, node)),
    reversed: [],
    most,
    detail: (cost) => positionDetail(cost, most),
  }
}
