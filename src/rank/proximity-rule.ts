import { END, followDistance, type QueryGraph, type QueryTerm, shareField } from '../match/index.js'
import type { Bucket, Rule } from './bucket.js'
import type { Column } from './combinations.js'
import {
  dearestPath,
  type EdgeCost,
  NO_EDGE,
  START,
  solutionOf,
  splitByCost,
  successors,
  undivided,
} from './graph-rule.js'
import { type PairPositions, pairPositions } from './node-positions.js'
import type { BucketPositions } from './origin-positions.js'
import { certainColumn, matchColumn } from './positions-column.js'
import type { RankContext } from './rank-context.js'
import type { ScoreDetail } from './score-detail.js'

/** What a pair costs that is not near. */
export const FAR_COST = 3

export function proximityDetail(cost: number, maxCost: number): ScoreDetail {
  return { rule: 'proximity', rank: maxCost + 1 - cost, max: maxCost + 1 }
}

/** A word left out, a stop word or a hard separator in between makes two words strangers. */
export function isPair(left: QueryTerm, right: QueryTerm): boolean {
  return left.lastPosition + 1 === right.firstPosition
}

/** How near the words of the query stand to each other (spec 6 §4.6). */
export function proximityRule(context: RankContext): Rule {
  return (bucket, graph) => {
    // A single word has no neighbours.
    if (graph.nodes.length === 1)
      return undivided({ bucket, detail: { rule: 'proximity', rank: 1, max: graph.nodes[0]!.term.size }, graph })
    const edges = new Edges(context, bucket, graph)
    const maxCost = dearestPath(graph, (from, to) => edges.maxCost(from, to))
    return splitByCost(
      {
        columns: edges.columns,
        solve: (values) => solutionOf(graph, edges.costs(values), (node) => graph.nodes[node]!),
        maxCost,
        detail: (cost) => proximityDetail(cost, maxCost),
        isSum: true,
        isRefining: false,
      },
      bucket,
      graph,
    )
  }
}

/** A column for each pair of neighbours, and one for each node that is entered from elsewhere too. */
class Edges {
  readonly columns: Column[] = []
  /** The column of an edge, by `from` and `to`. */
  private readonly columnOf = new Map<number, number>()
  private readonly entered = new Map<number, number>()
  private readonly left = new Map<number, PairPositions>()
  private readonly right = new Map<number, PairPositions>()

  constructor(
    private readonly context: RankContext,
    private readonly bucket: Bucket,
    private readonly graph: QueryGraph,
  ) {
    for (const from of [START, ...graph.nodes.keys()]) {
      for (const to of successors(graph, from)) if (to !== END) this.addEdge(from, to)
    }
  }

  costs(values: Uint16Array): EdgeCost {
    return (from, to) => {
      const value = values[this.columnOf.get(edgeKey(from, to))!]!
      return value === NO_EDGE ? Number.POSITIVE_INFINITY : value - 1
    }
  }

  maxCost(from: number, to: number): number {
    const glue = this.graph.nodes[to]!.term.size - 1
    return this.isPair(from, to) ? glue + FAR_COST : glue
  }

  private addEdge(from: number, to: number): void {
    this.context.checkTime()
    const column = this.isPair(from, to) ? this.pairColumn(from, to) : this.entryColumn(to)
    this.columnOf.set(edgeKey(from, to), column)
  }

  private isPair(from: number, to: number): boolean {
    return from !== START && isPair(this.graph.nodes[from]!.term, this.graph.nodes[to]!.term)
  }

  private entryColumn(to: number): number {
    const known = this.entered.get(to)
    if (known !== undefined) return known
    const column = this.columns.push(this.matchColumn(to, 0)) - 1
    this.entered.set(to, column)
    return column
  }

  /** Documents that have a node at all, at the cost of gluing its words and `extra`. */
  private matchColumn(to: number, extra: number): Column {
    const node = this.graph.nodes[to]!
    const value = node.term.size + extra
    return this.graph.isChain ? certainColumn(this.bucket, value) : matchColumn(this.context, this.bucket, node, value)
  }

  private pairColumn(from: number, to: number): number {
    const column = this.matchColumn(to, FAR_COST)
    const left = this.positionsOf(from, 'left')
    const right = this.positionsOf(to, 'right')
    const glued = this.graph.nodes[to]!.term.size
    if (this.context.isByAttribute) addAttributeCosts(column, left.all, right.all, glued)
    else addPairCosts(column, left, right, glued)
    return this.columns.push(column) - 1
  }

  private positionsOf(node: number, side: 'left' | 'right'): PairPositions {
    const cache = side === 'left' ? this.left : this.right
    const known = cache.get(node)
    if (known !== undefined) return known
    const positions = pairPositions(this.context, this.bucket, this.graph.nodes[node]!, side)
    cache.set(node, positions)
    return positions
  }
}

/** Nodes are numbered below. */
const NODE_LIMIT = 2 ** 20

const edgeKey = (from: number, to: number): number => (from + 2) * NODE_LIMIT + to

function addPairCosts(column: Column, left: PairPositions, right: PairPositions, glued: number): void {
  for (let i = 0; i < column.length; i++) {
    const cost = pairCost(left, right, i)
    if (cost < FAR_COST) column[i] = cost + glued
  }
}

/** Words that follow each other cost one less than words in the other order. */
function pairCost(left: PairPositions, right: PairPositions, i: number): number {
  const forward = distanceAt(left.all, right.all, i) - 1
  if (forward === 0) return 0
  return Math.min(forward, distanceAt(right.reversible, left.reversible, i))
}

function distanceAt(left: BucketPositions, right: BucketPositions, i: number): number {
  return followDistance(left.positions, left.from[i]!, left.to[i]!, right.positions, right.from[i]!, right.to[i]!)
}

/** Words in the same attribute cost nothing. */
function addAttributeCosts(column: Column, left: BucketPositions, right: BucketPositions, glued: number): void {
  for (let i = 0; i < column.length; i++) {
    if (shareField(left.positions, left.from[i]!, left.to[i]!, right.positions, right.from[i]!, right.to[i]!))
      column[i] = glued
  }
}
