import { type DocSet, SparseDocSet } from '../bitmap/index.js'
import type { QueryTerm } from '../match/index.js'
import { END, graphOfPaths, KEPT, type Path, pathsOf, type QueryGraph } from '../match/index.js'
import { Bucket, type RankedBucket, type Rule } from './bucket.js'
import {
  dearestPath,
  type GraphRule,
  NO_EDGE,
  type Solution,
  START,
  splitByCost,
  successors,
  undivided,
} from './graph-rule.js'
import { matchColumn } from './positions-column.js'
import type { RankContext } from './rank-context.js'
import type { ScoreDetail } from './score-detail.js'
import { matchingDocs } from './universe.js'

export interface WordRemoval {
  /** With which group a term is left out; `KEPT` for those that stay. */
  readonly groupOf: (term: QueryTerm) => number
  /** Groups go strictly one after the other: whoever misses a word of one misses all groups before it. */
  readonly isInOrder: boolean
}

/** How many words of the query a document has, counting what was left out of it (spec 6 §4.4). */
export function wordsRule(context: RankContext, { groupOf, isInOrder }: WordRemoval): Rule {
  return (bucket, graph) => {
    const groups = graph.nodes.map(({ term }) => groupOf(term))
    const split = new WordsSplit(context, graph, groups)
    // One way to read the query, of which nothing may be left out: the whole universe has it.
    if (graph.nodes.length === 1) return undivided({ bucket, detail: split.detail(0), graph })
    return isInOrder && bucket.set !== undefined
      ? split.inOrder(bucket.set, bucket.origin.isWaiting)
      : split.byDocument(bucket)
  }
}

class WordsSplit {
  private readonly maxCost: number
  private readonly max: number

  constructor(
    private readonly context: RankContext,
    private readonly graph: QueryGraph,
    private readonly groups: readonly number[],
  ) {
    this.maxCost = dearestPath(graph, (_, to) => (groups[to] === KEPT ? 0 : graph.nodes[to]!.term.size))
    this.max = 1 + Math.max(0, phraseWords(graph) - 1) + this.maxCost
  }

  detail(cost: number): ScoreDetail {
    return { rule: 'words', matching: this.max - cost, max: this.max }
  }

  byDocument(bucket: Bucket): Iterator<RankedBucket, undefined> {
    const { context, graph, groups, maxCost } = this
    const rule: GraphRule = {
      columns: graph.nodes.map((node) => matchColumn(context, bucket, node, 1)),
      solve: (values) => new SkipSearch(graph, groups, values).solve(),
      maxCost,
      detail: (cost) => this.detail(cost),
      isSum: false,
      isRefining: false,
    }
    return splitByCost(rule, bucket, graph)
  }

  /**
   * When words are left out strictly in order, the documents that have all of them, all but the last and so on are
   * found as sets. Only the sets that the page needs are looked at document by document, and not even those in which
   * every document has the words one by one: that is the first way to read the query. Whoever has more words has fewer
   * too: each set holds the one before.
   */
  *inOrder(universe: DocSet, isWaiting: Bucket['isWaiting']): Iterator<RankedBucket, undefined> {
    let before: DocSet | undefined
    for (const limit of [0, ...new Set(this.groups)].sort((a, b) => a - b)) {
      if (limit === KEPT) break
      const all = this.withoutGroups(limit, universe)
      const found = before === undefined ? all : all.without(before)
      before = all
      if (found.count() > 0) yield* { [Symbol.iterator]: () => this.withLimit(limit, found, isWaiting) }
    }
    return undefined
  }

  /** Those that the groups up to `limit` were left out for. */
  private withLimit(limit: number, found: DocSet, isWaiting: Bucket['isWaiting']): Iterator<RankedBucket, undefined> {
    const path = this.singleWords(limit)
    const typed = this.havingAll(found, path)
    const singles: Singles = { path, cost: this.singleCost(limit), docs: typed }
    if (typed.count() === found.count()) return undivided(this.singlesPart(singles, found, isWaiting))
    // Which paths are in use may change while duplicates come out: whoever looks at all documents keeps count of them.
    if (isWaiting !== undefined || typed.count() === 0) return this.byDocument(Bucket.of(found, isWaiting))
    return this.withGlued(singles, found.without(typed))
  }

  private singlesPart({ path, cost }: Singles, docs: DocSet, isWaiting: Bucket['isWaiting']): RankedBucket {
    return { bucket: Bucket.of(docs, isWaiting), detail: this.detail(cost), graph: graphOfPaths([path]) }
  }

  /** Few documents have words glued together that others have one by one: only those are looked at. */
  private *withGlued(singles: Singles, rest: DocSet): Iterator<RankedBucket, undefined> {
    const own = this.singlesPart(singles, singles.docs, undefined)
    let isOpen = true
    for (const part of { [Symbol.iterator]: () => this.byDocument(Bucket.of(rest)) }) {
      const cost = this.costOf(part)
      if (isOpen && cost > singles.cost) yield own
      yield isOpen && cost === singles.cost ? joined(own, singles.docs, part) : part
      if (cost >= singles.cost) isOpen = false
    }
    if (isOpen) yield own
    return undefined
  }

  private costOf({ detail }: RankedBucket): number {
    return this.max - (detail as Extract<ScoreDetail, { rule: 'words' }>).matching
  }

  private singleCost(limit: number): number {
    return this.graph.nodes.filter(({ term }, id) => term.size === 1 && this.groups[id]! <= limit).length
  }

  private withoutGroups(limit: number, universe: DocSet): DocSet {
    return matchingDocs(
      this.context,
      this.graph,
      this.groups.map((group) => (group <= limit ? 0 : KEPT)),
      universe,
    )
  }

  /** The path of terms that are not glued, less those that are left out. */
  private singleWords(limit: number): Path {
    return this.graph.nodes.filter(({ term }, id) => term.size === 1 && this.groups[id]! > limit)
  }

  /** Without glued terms there is no other path that could have found a document. */
  private havingAll(docs: DocSet, path: Path): DocSet {
    const glued = this.graph.nodes.filter(({ term }) => term.size > 1)
    if (glued.every(({ term }) => this.context.matchesOf(term).isNowhere)) return docs
    let left = docs
    for (const { term } of path) left = this.context.matchesOf(term).docsWithin(left, 'any')
    return left
  }
}

/** Documents that have what is not left out of a query word by word. */
interface Singles {
  readonly path: Path
  readonly cost: number
  readonly docs: DocSet
}

function joined({ detail, graph }: RankedBucket, docs: DocSet, other: RankedBucket): RankedBucket {
  const all = docs.with(new SparseDocSet(other.bucket.docIds, docs.limit))
  return { bucket: Bucket.of(all), detail, graph: graphOfPaths([...pathsOf(graph), ...pathsOf(other.graph)]) }
}

function phraseWords({ nodes }: QueryGraph): number {
  let count = 0
  for (const { term } of nodes) count += term.phrase?.filter((word) => word !== null).length ?? 0
  return count
}

interface Way {
  readonly cost: number
  /** Nodes that are taken. */
  readonly taken: WordsStep | undefined
}

interface WordsStep {
  readonly node: number
  readonly rest: WordsStep | undefined
}

const NO_WAY: Way = { cost: Number.POSITIVE_INFINITY, taken: undefined }

/**
 * Looks for the path that skips least. Skipping a node of one group forbids to take, later on the path, nodes of groups
 * that go before it.
 */
class SkipSearch {
  private readonly known = new Map<number, Way>()

  constructor(
    private readonly graph: QueryGraph,
    private readonly groups: readonly number[],
    private readonly values: Uint16Array,
  ) {}

  solve(): Solution | undefined {
    const way = this.from(START, 0)
    if (way.cost === Number.POSITIVE_INFINITY) return undefined
    const path = listOf(way.taken).map((node) => this.graph.nodes[node]!)
    return { cost: way.cost, path }
  }

  /** The best way from a node to the end when groups below `floor` may not be taken. */
  private from(node: number, floor: number): Way {
    const key = (node + 2) * 64 + floor
    const known = this.known.get(key)
    if (known !== undefined) return known
    let best = NO_WAY
    for (const next of successors(this.graph, node)) {
      if (next === END) return { cost: 0, taken: undefined }
      best = better(best, this.skip(next, floor))
      best = better(best, this.take(next, floor))
    }
    this.known.set(key, best)
    return best
  }

  private skip(node: number, floor: number): Way {
    const group = this.groups[node]!
    if (group === KEPT) return NO_WAY
    const rest = this.from(node, Math.max(floor, group))
    const cost = rest.cost + this.graph.nodes[node]!.term.size
    return { cost, taken: rest.taken }
  }

  private take(node: number, floor: number): Way {
    if (this.values[node] === NO_EDGE || this.groups[node]! < floor) return NO_WAY
    const rest = this.from(node, floor)
    return { cost: rest.cost, taken: { node, rest: rest.taken } }
  }
}

/** Of equals the first. */
function better(a: Way, b: Way): Way {
  return b.cost < a.cost ? b : a
}

function listOf(taken: WordsStep | undefined): number[] {
  const nodes: number[] = []
  for (let at = taken; at !== undefined; at = at.rest) nodes.push(at.node)
  return nodes
}
