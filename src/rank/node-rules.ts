import type { GraphNode, QueryGraph, Step } from '../match/index.js'
import type { Column } from './combinations.js'
import { dearestPath, type EdgeCost, type GraphRule, NO_EDGE, type Solution, solutionOf } from './graph-rule.js'
import type { ScoreDetail } from './score-detail.js'

/** A graph rule whose costs belong to nodes, wherever one comes from. */
export interface NodeRule {
  /** The cost of each document for a node, plus one; `NO_EDGE` where it does not match. */
  readonly columnOf: (node: GraphNode) => Column
  /** The cost of the dearest edge into a node, whether any document meets it or not. */
  readonly maxCostOf: (node: GraphNode) => number
  /** What is left of a node that was entered at a cost; by default everything. */
  readonly refine?: (node: GraphNode, cost: number) => Step
  readonly detail: (cost: number, maxCost: number) => ScoreDetail
}

export function nodeRule(graph: QueryGraph, rule: NodeRule): GraphRule {
  const maxCost = dearestPath(graph, (_, to) => rule.maxCostOf(graph.nodes[to]!))
  const refine = rule.refine ?? ((node: GraphNode) => node)
  return {
    columns: graph.nodes.map(rule.columnOf),
    solve: (values) => solveNodes(graph, values, (node, cost) => refine(graph.nodes[node]!, cost)),
    maxCost,
    detail: (cost) => rule.detail(cost, maxCost),
    isSum: true,
    isRefining: rule.refine !== undefined,
  }
}

function solveNodes(
  graph: QueryGraph,
  values: Uint16Array,
  refine: (node: number, cost: number) => Step,
): Solution | undefined {
  const edgeCost: EdgeCost = (_, to) => (values[to] === NO_EDGE ? Number.POSITIVE_INFINITY : values[to]! - 1)
  return solutionOf(graph, edgeCost, refine)
}
