import { compareBytes } from '../../byte-order/index.js'
import type { Direction } from '../../match/index.js'
import { coarsePosition } from '../../text/index.js'
import type { MatchType, ScoreDetail } from '../score-detail.js'
import { type DocSet, intersect, subtract, unite } from './doc-sets.twin.js'
import { nodeOf, TwinGraph, type TwinNode, type TwinPath } from './graph.twin.js'
import { type GraphRule, keepsExactForm, type TwinEdge } from './graph-rules.twin.js'
import type { Matcher } from './matcher.twin.js'
import type { TwinTerm } from './terms.twin.js'

export interface Bucket {
  readonly docs: DocSet
  readonly detail: ScoreDetail
  /** What the next rule works on. */
  readonly graph: TwinGraph
}

/** Hands out the next bucket of what is left of a universe, which is not empty. */
export type Buckets = (universe: DocSet) => Bucket

/** Starts a rule on a graph. */
export type TwinRule = (graph: TwinGraph) => Buckets

/**
 * A document that no path leads to. It happens where typos are disabled on attributes: proximity, attributes and
 * positions look at all positions of a word, so they may lead it onto a path on which it does not match. The spec is silent.
 */
export class NoPath extends Error {}

/** One bucket for each cost of a path, the cheapest first (spec 6 §4.3). */
export function graphBuckets(allDocs: DocSet, makeRule: (graph: TwinGraph) => GraphRule): TwinRule {
  return (graph) => {
    const edges = new EdgeTable(graph, makeRule(graph), allDocs)
    const maxCost = edges.maxCost()
    const matching = edges.matchingDocs()
    let cost = 0
    return (universe) => {
      if (subtract(universe, matching).size > 0) throw new NoPath()
      for (; cost <= maxCost; cost++) {
        const found = new PathSearch(edges, cost, universe).run()
        if (found.docs.size > 0) return { ...found, detail: edges.rule.detail(cost, maxCost) }
      }
      throw new Error(`no cost for the documents ${[...universe].join()}`)
    }
  }
}

/** The edges of a rule, each made once. */
class EdgeTable {
  private readonly made = new Map<string, readonly TwinEdge[]>()

  constructor(
    readonly graph: TwinGraph,
    readonly rule: GraphRule,
    private readonly allDocs: DocSet,
  ) {}

  between(from: TwinNode | undefined, to: TwinNode): readonly TwinEdge[] {
    const key = `${from?.key} > ${to.key}`
    const edges = this.made.get(key) ?? this.rule.edges(from, to)
    this.made.set(key, edges)
    return edges
  }

  /** Of all paths, whether they match a document or not. */
  maxCost(): number {
    return Math.max(...this.graph.paths.map((path) => this.dearest(path)))
  }

  /** The documents that have some path, whatever it costs. */
  matchingDocs(): DocSet {
    return unite(this.graph.paths.map((path) => this.docsOf(path)))
  }

  private docsOf(path: TwinPath): DocSet {
    return path
      .map((node, i) => this.between(path[i - 1], node))
      .filter((ways) => ways.every(({ docs }) => docs !== undefined))
      .map((ways) => unite(ways.map(({ docs }) => docs!)))
      .reduce<DocSet>((all, docs) => intersect(all, docs), this.allDocs)
  }

  private dearest(path: TwinPath): number {
    const costs = path.map((node, i) => this.between(path[i - 1], node).map(({ cost }) => cost))
    return costs.reduce((sum, list) => sum + Math.max(...list), 0)
  }
}

interface Step {
  readonly edge: TwinEdge
  readonly node: TwinNode
}

/** Visits all paths of one cost, depth first, and keeps those that bring documents. */
class PathSearch {
  private readonly left: Set<number>
  private readonly kept: TwinPath[] = []

  constructor(
    private readonly edges: EdgeTable,
    private readonly cost: number,
    private readonly universe: DocSet,
  ) {
    this.left = new Set(universe)
  }

  run(): { readonly docs: DocSet; readonly graph: TwinGraph } {
    this.visit({ paths: this.edges.graph.paths, steps: [], docs: this.universe })
    return { docs: subtract(this.universe, this.left), graph: new TwinGraph(this.kept) }
  }

  /** `paths` all begin with `steps`. */
  private visit({ paths, steps, docs }: Walk): void {
    const nextOf = (path: TwinPath): TwinNode | undefined => path[steps.length]
    for (const next of new Set(paths.map((path) => nextOf(path)?.key))) {
      const onward = paths.filter((path) => nextOf(path)?.key === next)
      const node = nextOf(onward[0]!)
      if (node === undefined) this.finish(steps, docs)
      else {
        for (const edge of this.edges.between(steps.at(-1)?.node, node)) {
          this.follow({ paths: onward, steps: [...steps, { edge, node }], docs })
        }
      }
    }
  }

  private follow({ paths, steps, docs }: Walk): void {
    const { edge } = steps.at(-1)!
    if (costOf(steps) > this.cost || isForbidden(steps)) return
    const matching = edge.docs === undefined ? docs : intersect(docs, edge.docs)
    // No longer path brings documents back.
    if (matching.size > 0) this.visit({ paths, steps, docs: matching })
  }

  private finish(steps: readonly Step[], docs: DocSet): void {
    const fresh = intersect(docs, this.left)
    if (costOf(steps) !== this.cost || fresh.size === 0) return
    for (const docId of fresh) this.left.delete(docId)
    this.kept.push(steps.flatMap(({ edge, node }) => (edge.keeps === undefined ? [] : [nodeOf(node.term, edge.keeps)])))
  }
}

interface Walk {
  readonly paths: readonly TwinPath[]
  readonly steps: readonly Step[]
  readonly docs: DocSet
}

function costOf(path: readonly Step[]): number {
  return path.reduce((sum, { edge }) => sum + edge.cost, 0)
}

/** Behind a removed node no node is taken that would have been removed before it (spec 5 §5.4). */
function isForbidden(path: readonly Step[]): boolean {
  const { edge } = path.at(-1)!
  if (edge.group === undefined || edge.keeps === undefined) return false
  return path.some((step) => step.edge.keeps === undefined && step.edge.group! > edge.group!)
}

const MAX_COUNTED_WORDS = 30

/** Three buckets: an attribute is the query, begins with it, or neither (spec 6 §4.9). */
export function exactAttributeBuckets(matcher: Matcher): TwinRule {
  return (graph) => {
    const terms = exactTerms(graph)
    const equal = terms === undefined ? new Set<number>() : docsOfPrefix(matcher, terms, 'exactMatch')
    const begin = terms === undefined ? new Set<number>() : docsOfPrefix(matcher, terms, 'matchesStart')
    const sets: [MatchType, DocSet][] = [
      ['exactMatch', equal],
      ['matchesStart', subtract(begin, equal)],
      ['noExactMatch', subtract(matcher.index.docIds, begin)],
    ]
    return (universe) => {
      const [type, set] = sets.find(([, members]) => intersect(universe, members).size > 0)!
      return { docs: intersect(universe, set), detail: { rule: 'exactAttribute', type }, graph }
    }
  }
}

/** Terms with their exact form from the first one on; undefined when one of them lacks it. */
function exactTerms(graph: TwinGraph): readonly TwinTerm[] | undefined {
  const byId = new Map(graph.nodes.filter(keepsExactForm).map(({ term }) => [term.ids[0]!, term]))
  const ids = [...byId.keys()].sort((a, b) => a - b)
  const isUnbroken = ids.length > 0 && ids.every((id, i) => id === i)
  return isUnbroken ? ids.map((id) => byId.get(id)!) : undefined
}

function docsOfPrefix(matcher: Matcher, terms: readonly TwinTerm[], wanted: 'exactMatch' | 'matchesStart'): DocSet {
  const { index } = matcher
  const words = terms.flatMap(wordsAtPositions)
  const length = terms.reduce((sum, { first, last }) => sum + last - first + 1, 0)
  const isPlaced = (docId: number): boolean =>
    words.every(({ word, position }) =>
      index.occurrences(word, docId).some((place) => coarsePosition(place.position) === coarsePosition(position)),
    )
  const hasAll = (docId: number, field: string): boolean =>
    matcher.isSelected(field) &&
    words.every(({ word }) => index.occurrences(word, docId).some((place) => place.field === field))
  const isAsLong = (docId: number, field: string): boolean =>
    wanted === 'matchesStart' || (length <= MAX_COUNTED_WORDS && index.wordCount(docId, field) === length)
  const matches = (docId: number): boolean =>
    isPlaced(docId) && [...index.fields].some((field) => hasAll(docId, field) && isAsLong(docId, field))
  return new Set([...index.docIds].filter(matches))
}

/** Stop words at the head of a phrase count, although its position is the one of its first real word. */
function wordsAtPositions({ first, exactForm }: TwinTerm): { readonly word: string; readonly position: number }[] {
  if (exactForm?.kind !== 'phrase') return [{ word: exactForm!.word, position: first }]
  return exactForm.words.flatMap((word, i) => (word === null ? [] : [{ word, position: first + i }]))
}

/** Numbers, then strings, then all others, each document by its best value (spec 6 §4.10). */
export function sortBuckets({ index }: Matcher, attribute: string, direction: Direction): TwinRule {
  const sign = direction === 'asc' ? 1 : -1
  const bestValue = (docId: number): number | string | null => {
    const facts = index.facets.facts[docId]!.get(attribute)
    const numbers = [...(facts?.numbers ?? [])].sort((a, b) => sign * (a - b))
    const strings = [...(facts?.strings ?? [])].sort((a, b) => sign * compareBytes(a, b))
    return numbers[0] ?? strings[0] ?? null
  }
  return (graph) => (universe) => {
    const [value] = [...universe].map(bestValue).sort((a, b) => compareValues(a, b, sign)) as [number | string | null]
    const docs = new Set([...universe].filter((docId) => bestValue(docId) === value))
    return { docs, detail: { rule: 'sort', attribute, direction, value }, graph }
  }
}

const KINDS = ['number', 'string', 'object']

function compareValues(a: number | string | null, b: number | string | null, sign: number): number {
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b)
  if (typeof a === 'string' && typeof b === 'string') return sign * compareBytes(a, b)
  return KINDS.indexOf(typeof a) - KINDS.indexOf(typeof b)
}

/** Values of the attribute by which documents are duplicates of each other (spec 6 §8). */
function distinctKeys({ index }: Matcher, attribute: string, docId: number): Set<number | string> {
  const facts = index.facets.facts[docId]!.get(attribute)
  return new Set<number | string>([...(facts?.numbers ?? []), ...(facts?.strings ?? [])])
}

export function duplicatesOf(matcher: Matcher, attribute: string, docId: number): Set<number> {
  const keys = distinctKeys(matcher, attribute, docId)
  const shares = (other: number): boolean =>
    other !== docId && [...distinctKeys(matcher, attribute, other)].some((key) => keys.has(key))
  return new Set([...matcher.index.docIds].filter(shares))
}
