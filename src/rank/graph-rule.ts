import { END, graphOfPaths, type Path, type QueryGraph, type Step } from '../match/index.js'
import type { Bucket, RankedBucket } from './bucket.js'
import { type Column, largest, numberCombinations } from './combinations.js'
import type { ScoreDetail } from './score-detail.js'

/** Stands in a column for "no edge": the document does not meet the condition. Other values are a cost plus one. */
export const NO_EDGE = 0

/**
 * A rule that gives each document the cost of its cheapest path through the query graph (spec 6 §4.3). Documents whose
 * columns are the same have the same path, so it is looked for once for each combination that occurs.
 */
export interface GraphRule {
  readonly columns: readonly Column[]
  /** The cheapest way through the graph for a combination of values, one for each column; undefined if there is none. */
  readonly solve: (values: Uint16Array) => Solution | undefined
  /** The largest cost that a path could have. */
  readonly maxCost: number
  readonly detail: (cost: number) => ScoreDetail
  /** The cost of a path is the sum of what its edges cost: where there is one path only, that of all columns. */
  readonly isSum: boolean
  /** Of the nodes of a path less may be left than there was. */
  readonly isRefining: boolean
}

export interface Solution {
  readonly cost: number
  readonly path: Path
}

/** Of a document that no path leads to: it comes last instead of being lost, and the graph stays as it is. */
const isLost = ({ path }: Solution): boolean => path.length === 0

/** All in one bucket: a rule that has nothing to tell apart. */
export function* undivided(part: RankedBucket): Iterator<RankedBucket, undefined> {
  yield part
  return undefined
}

/** The buckets of a rule, by rising cost. */
export function* splitByCost(rule: GraphRule, bucket: Bucket, graph: QueryGraph): Iterator<RankedBucket, undefined> {
  const split = rule.isSum && graph.isChain ? new SplitSums(rule, bucket, graph) : new SplitPaths(rule, bucket, graph)
  const { costs, column, groupOf } = split
  for (const [group, members] of membersByGroup({ column, groupOf, count: costs.length }, bucket)) {
    yield new CostPart(members, rule.detail(costs[group]!), () => split.graphAt(costs[group]!))
  }
  return undefined
}

/** What follows a part goes by is asked for only if it is split further. */
class CostPart implements RankedBucket {
  constructor(
    readonly bucket: Bucket,
    readonly detail: ScoreDetail,
    private readonly findGraph: () => QueryGraph,
  ) {}

  get graph(): QueryGraph {
    return this.findGraph()
  }
}

interface Split {
  /** Ascending. */
  readonly costs: readonly number[]
  /** A number for each member of the bucket, and for each number the place of its cost. */
  readonly column: Uint32Array
  readonly groupOf: Uint32Array
  /** What the paths of a cost leave of the graph. */
  graphAt(cost: number): QueryGraph
}

/** Costs of the cheapest of some paths. */
class SplitPaths implements Split {
  readonly costs: readonly number[]
  readonly column: Uint32Array
  readonly groupOf: Uint32Array
  private readonly solved: Solved

  constructor(
    rule: GraphRule,
    private readonly bucket: Bucket,
    private readonly graph: QueryGraph,
  ) {
    this.solved = solveAll(rule, bucket.size)
    const { outcomes, numbers, column, outcomeOf } = this.solved
    this.costs = [...new Set(outcomes.map(({ cost }) => cost))].sort((a, b) => a - b)
    this.column = column
    this.groupOf = new Uint32Array(outcomeOf.length)
    const rankOf = new Map(this.costs.map((cost, rank) => [cost, rank]))
    for (let i = 0; i < outcomes.length; i++) this.groupOf[numbers[i]!] = rankOf.get(outcomes[i]!.cost)!
  }

  graphAt(cost: number): QueryGraph {
    const paths = outcomesInUse(this.solved, this.bucket).filter((outcome) => outcome.cost === cost)
    return paths.some(isLost) ? this.graph : graphOf(paths)
  }
}

/** Costs of the only path. Mostly the rules that follow need not know what is left of it: then nothing is solved. */
class SplitSums implements Split {
  readonly costs: readonly number[]
  readonly column: Uint32Array
  readonly groupOf: Uint32Array
  private paths: SplitPaths | undefined

  constructor(
    private readonly rule: GraphRule,
    private readonly bucket: Bucket,
    private readonly graph: QueryGraph,
  ) {
    this.column = sumsOf(rule, bucket.size)
    this.groupOf = new Uint32Array(largest(this.column) + 1)
    this.costs = rankOccurring(this.column, this.groupOf)
  }

  graphAt(cost: number): QueryGraph {
    const { rule, bucket, graph } = this
    if (!rule.isRefining) return graph
    this.paths ??= new SplitPaths(rule, bucket, graph)
    return this.paths.graphAt(cost)
  }
}

/** The sum of the costs of all columns for each member; the largest cost where one of them is not met. */
function sumsOf({ columns, maxCost }: GraphRule, size: number): Uint32Array {
  const sums = new Uint32Array(size)
  for (const column of columns) addCosts(sums, column)
  for (const column of columns) replaceLost(sums, column, maxCost)
  return sums
}

function addCosts(sums: Uint32Array, column: Column): void {
  for (let i = 0; i < column.length; i++) sums[i] = sums[i]! + column[i]! - (column[i] === NO_EDGE ? 0 : 1)
}

function replaceLost(sums: Uint32Array, column: Column, cost: number): void {
  for (let i = 0; i < column.length; i++) if (column[i] === NO_EDGE) sums[i] = cost
}

/** Numbers those that occur, by rising cost, in `rankOf`; answers which they are. */
function rankOccurring(costs: Uint32Array, rankOf: Uint32Array): number[] {
  for (let i = 0; i < costs.length; i++) rankOf[costs[i]!] = 1
  const occurring: number[] = []
  for (let cost = 0; cost < rankOf.length; cost++) if (rankOf[cost] === 1) rankOf[cost] = occurring.push(cost) - 1
  return occurring
}

function graphOf(solutions: readonly Solution[]): QueryGraph {
  const paths: Path[] = []
  for (const { path } of solutions) paths.push(path)
  return graphOfPaths(paths)
}

interface Solved {
  /** One for each combination that occurs, and the number of that combination. */
  readonly outcomes: readonly Solution[]
  readonly numbers: readonly number[]
  /** For each member of the bucket the number of its combination, and for each of those its place in `outcomes`. */
  readonly column: Uint32Array
  readonly outcomeOf: Uint32Array
}

/** Without those that only lead to duplicates of documents that have come out meanwhile (spec 6 §4.2). */
function outcomesInUse({ outcomes, column, outcomeOf }: Solved, { docIds, origin }: Bucket): readonly Solution[] {
  const { isWaiting } = origin
  if (isWaiting === undefined) return outcomes
  const used = new Set<Solution>()
  addUsed(used, outcomes, column, outcomeOf, docIds, isWaiting)
  return Array.from(used)
}

function addUsed(
  used: Set<Solution>,
  outcomes: readonly Solution[],
  column: Uint32Array,
  outcomeOf: Uint32Array,
  docIds: Uint32Array,
  isWaiting: (docId: number) => boolean,
): void {
  for (let i = 0; i < docIds.length; i++) if (isWaiting(docIds[i]!)) used.add(outcomes[outcomeOf[column[i]!]!]!)
}

function solveAll(rule: GraphRule, size: number): Solved {
  const { combinations, column } = numberCombinations(rule.columns, size)
  const outcomes: Solution[] = []
  const numbers: number[] = []
  const outcomeOf = new Uint32Array(combinations).fill(UNSOLVED)
  for (let i = nextUnsolved(column, outcomeOf, 0); i < size; i = nextUnsolved(column, outcomeOf, i + 1)) {
    outcomeOf[column[i]!] = outcomes.push(rule.solve(valuesAt(rule.columns, i)) ?? lost(rule)) - 1
    numbers.push(column[i]!)
  }
  return { outcomes, numbers, column, outcomeOf }
}

const UNSOLVED = 0xffff_ffff

/** The first member from `from` on whose combination has not been looked at. */
function nextUnsolved(column: Uint32Array, outcomeOf: Uint32Array, from: number): number {
  let i = from
  while (i < column.length && outcomeOf[column[i]!] !== UNSOLVED) i++
  return i
}

function valuesAt(columns: readonly Column[], i: number): Uint16Array {
  const values = new Uint16Array(columns.length)
  for (let c = 0; c < values.length; c++) values[c] = columns[c]![i]!
  return values
}

const lost = ({ maxCost }: GraphRule): Solution => ({ cost: maxCost, path: [] })

interface Groups {
  readonly column: Uint32Array
  readonly groupOf: Uint32Array
  readonly count: number
}

/** The first group on its own: most searches need no other, and of a large bucket each look costs. */
function* membersByGroup({ column, groupOf, count }: Groups, bucket: Bucket): Iterable<[number, Bucket]> {
  if (count === 1) {
    yield [0, bucket]
    return
  }
  yield [0, bucket.membersOf(column, groupOf, 0)]
  const parts = bucket.split(groupsOf(column, groupOf), count)
  for (let group = 1; group < parts.length; group++) yield [group, parts[group]!]
}

function groupsOf(column: Uint32Array, groupOf: Uint32Array): Uint32Array {
  const groups = new Uint32Array(column.length)
  for (let i = 0; i < groups.length; i++) groups[i] = groupOf[column[i]!]!
  return groups
}

/** What a rule says about the edge into a node: its cost, `Infinity` for none. `from` is `START` at the beginning. */
export type EdgeCost = (from: number, to: number) => number
export const START = -2

interface FoundPath {
  readonly cost: number
  readonly nodes: readonly number[]
}

/** There is no other. */
function onlyPath(graph: QueryGraph, edgeCost: EdgeCost): FoundPath | undefined {
  const nodes: number[] = []
  let cost = 0
  for (let before = START, node = graph.first[0]!; node !== END; before = node, node = graph.nodes[node]!.next[0]!) {
    cost += edgeCost(before, node)
    nodes.push(node)
  }
  return cost === Number.POSITIVE_INFINITY ? undefined : { cost, nodes }
}

/** The cheapest path and, of equals, the first that a walk through the graph meets. */
function cheapestPath(graph: QueryGraph, edgeCost: EdgeCost): FoundPath | undefined {
  const costs = new Float64Array(graph.nodes.length + 1).fill(UNKNOWN)
  const cost = costFrom(START, graph, edgeCost, costs)
  if (cost === Number.POSITIVE_INFINITY) return undefined
  const nodes: number[] = []
  for (let node = nextOf(START, graph, edgeCost, costs); node !== END; node = nextOf(node, graph, edgeCost, costs))
    nodes.push(node)
  return { cost, nodes }
}

/** Stands for a cost that has not been looked for. */
const UNKNOWN = -1

/** The cost of the cheapest way from a node to the end. `costs` keeps what is known, that of the start at its end. */
function costFrom(node: number, graph: QueryGraph, edgeCost: EdgeCost, costs: Float64Array): number {
  if (node === END) return 0
  const at = node === START ? costs.length - 1 : node
  if (costs[at] !== UNKNOWN) return costs[at]!
  let best = Number.POSITIVE_INFINITY
  const following = successors(graph, node)
  for (let i = 0; i < following.length; i++) {
    const next = following[i]!
    const edge = next === END ? 0 : edgeCost(node, next)
    if (edge < best) best = Math.min(best, edge + costFrom(next, graph, edgeCost, costs))
  }
  costs[at] = best
  return best
}

/** The first node behind a node from which the way to the end is as cheap as can be. */
function nextOf(node: number, graph: QueryGraph, edgeCost: EdgeCost, costs: Float64Array): number {
  const rest = costFrom(node, graph, edgeCost, costs)
  const following = successors(graph, node)
  for (let i = 0; i < following.length; i++) {
    const next = following[i]!
    const cost = next === END ? 0 : edgeCost(node, next) + costFrom(next, graph, edgeCost, costs)
    if (cost === rest) return next
  }
  return END
}

/** The cost of the dearest path. */
export function dearestPath(graph: QueryGraph, edgeCost: EdgeCost): number {
  return graph.isChain ? onlyPath(graph, edgeCost)!.cost : dearestOf(graph, edgeCost)
}

function dearestOf(graph: QueryGraph, edgeCost: EdgeCost): number {
  const costs = new Map<number, number>()
  const costFrom = (node: number): number => {
    if (node === END) return 0
    const known = costs.get(node)
    if (known !== undefined) return known
    let worst = 0
    for (const next of successors(graph, node)) {
      worst = Math.max(worst, (next === END ? 0 : edgeCost(node, next)) + costFrom(next))
    }
    costs.set(node, worst)
    return worst
  }
  return costFrom(START)
}

export function successors(graph: QueryGraph, node: number): readonly number[] {
  return node === START ? graph.first : graph.nodes[node]!.next
}

/** Makes a solution of the nodes of a path. `refine` says what is left of a node that was entered at a cost. */
export function solutionOf(
  graph: QueryGraph,
  edgeCost: EdgeCost,
  refine: (node: number, cost: number) => Step,
): Solution | undefined {
  const found = graph.isChain ? onlyPath(graph, edgeCost) : cheapestPath(graph, edgeCost)
  if (found === undefined) return undefined
  const path: Step[] = []
  let before = START
  for (const node of found.nodes) {
    path.push(refine(node, edgeCost(before, node)))
    before = node
  }
  return { cost: found.cost, path }
}
