import type { ParsedQuery, Term } from '../../match/index.js'
import { type DocSet, intersect, unite } from './doc-sets.twin.js'
import type { Matcher } from './matcher.twin.js'
import {
  compareSubsets,
  compareTerms,
  isTooLong,
  phraseTerm,
  remaining,
  type Subset,
  type TwinTerm,
  wordTerm,
} from './terms.twin.js'

/** A term in a path, with what the rules so far left of it. These two are its identity. */
export interface TwinNode {
  readonly key: string
  readonly term: TwinTerm
  readonly subset: Subset
}

export type TwinPath = readonly TwinNode[]

/**
 * The ways to read a query, one by one: no path is a mixture of two others. They stand in the order of a walk through
 * their nodes in graph order: by the last term covered, short before long.
 */
export class TwinGraph {
  readonly paths: readonly TwinPath[]

  constructor(paths: readonly TwinPath[]) {
    const unlike = new Map(paths.map((path) => [path.map(({ key }) => key).join(), path]))
    this.paths = [...unlike.values()].sort(comparePaths)
  }

  get nodes(): readonly TwinNode[] {
    return [...new Map(this.paths.flat().map((node) => [node.key, node])).values()]
  }
}

/** The end comes after all nodes. */
function comparePaths(a: TwinPath, b: TwinPath): number {
  for (let i = 0; ; i++) {
    const [left, right] = [a[i], b[i]]
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined)
    const order = compareTerms(left.term, right.term) || compareSubsets(left.subset, right.subset)
    if (order !== 0) return order
  }
}

export function nodeOf(term: TwinTerm, subset: Subset): TwinNode {
  return { key: `${term.ids.join('+')} ${subset}`, term, subset }
}

/** Every way to read neighbouring words as one, two or three together (spec 5 §4.8, §5.1). */
export function queryGraph(matcher: Matcher, { terms }: ParsedQuery): TwinGraph {
  const nodes = new Map<string, TwinNode>()
  const nodeAt = (id: number, size: number): TwinNode => {
    const node = nodeOf(termAt(matcher, terms, { id, size }), 'all')
    nodes.set(node.key, nodes.get(node.key) ?? node)
    return nodes.get(node.key)!
  }
  const pathsFrom = (id: number): TwinNode[][] => {
    if (id === terms.length) return [[]]
    return [1, 2, 3]
      .filter((size) => size === 1 || isNgram(terms.slice(id, id + size), size))
      .flatMap((size) => pathsFrom(id + size).map((rest) => [nodeAt(id, size), ...rest]))
  }
  return new TwinGraph(pathsFrom(0))
}

function termAt(matcher: Matcher, terms: readonly Term[], { id, size }: { id: number; size: number }): TwinTerm {
  const term = terms[id]!
  if (term.kind === 'phrase') return phraseTerm(term, id)
  return wordTerm(
    matcher,
    terms.slice(id, id + size).filter((one) => one.kind === 'word'),
    id,
  )
}

function isNgram(terms: readonly Term[], size: number): boolean {
  const words = terms.filter((term) => term.kind === 'word')
  return (
    words.length === size &&
    words.every(({ position }, i) => position === words[0]!.position + i) &&
    !isTooLong(words.map(({ word }) => word).join(''))
  )
}

export function nodeDocs(matcher: Matcher, { term, subset }: TwinNode): Set<number> {
  return matcher.docsOfAny(remaining(term, subset))
}

export type Strategy = 'last' | 'all' | 'frequency'

/** The nodes that may be removed, each with the number of its group: lower ones go first (spec 6 §4.4). */
export function removalGroups(matcher: Matcher, graph: TwinGraph, strategy: Strategy): Map<TwinNode, number> {
  if (strategy === 'all') return new Map()
  const weightOfId = strategy === 'last' ? weightsFromTheEnd(graph) : weightsByFrequency(matcher, graph)
  const weightOf = ({ term }: TwinNode): number => Math.max(...term.ids.map((id) => weightOfId.get(id)!))
  const words = graph.nodes.filter(({ term }) => !term.isPhrase)
  const weights = [...new Set(words.map(weightOf))].sort((a, b) => a - b)
  const hasPhrase = words.length < graph.nodes.length
  if (!hasPhrase) weights.pop()
  const removable = words.filter((node) => weights.includes(weightOf(node)))
  return new Map(removable.map((node) => [node, weights.indexOf(weightOf(node))]))
}

function idsOf(graph: TwinGraph): number[] {
  return [...new Set(graph.nodes.flatMap(({ term }) => term.ids))].sort((a, b) => a - b)
}

function weightsFromTheEnd(graph: TwinGraph): Map<number, number> {
  const ids = idsOf(graph)
  return new Map(ids.map((id) => [id, 1 + ids.at(-1)! - id]))
}

function weightsByFrequency(matcher: Matcher, graph: TwinGraph): Map<number, number> {
  const frequencyOf = (id: number): number => {
    const covering = graph.nodes.filter(({ term }) => term.ids.includes(id))
    return unite(covering.map((node) => nodeDocs(matcher, node))).size || Number.POSITIVE_INFINITY
  }
  const frequencies = new Map(idsOf(graph).map((id) => [id, frequencyOf(id)]))
  const ranks = [...new Set(frequencies.values())].sort((a, b) => (a === b ? 0 : b > a ? 1 : -1))
  return new Map([...frequencies].map(([id, frequency]) => [id, 1 + ranks.indexOf(frequency)]))
}

/** The documents that match some path once all that may go has gone (spec 5 §5.3). */
export function mostReducedDocs(matcher: Matcher, graph: TwinGraph, groups: ReadonlyMap<TwinNode, number>): DocSet {
  const docsOfPath = (path: readonly TwinNode[]): DocSet =>
    path
      .filter((node) => !groups.has(node))
      .reduce<DocSet>((docs, node) => intersect(docs, nodeDocs(matcher, node)), matcher.index.docIds)
  return unite(graph.paths.map(docsOfPath))
}
