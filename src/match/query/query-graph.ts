import type { QueryTerm } from './query-term.js'

/** Leads out of the graph: the path is complete. */
export const END = -1

/** Which derivations of a term are left: bit 0 for level 0, and so on. */
export type Levels = number
const ALL_LEVELS: Levels = 0b111

export interface GraphNode {
  readonly term: QueryTerm
  readonly levels: Levels
  /** Only the word as typed, or the phrase, is left. */
  readonly isExactOnly: boolean
  /** Nodes that may follow, in graph order; `END` for the end of the query. */
  readonly next: readonly number[]
}

/** The ways to read a query: each path from the start to the end is one (spec 5 §5.1). */
export interface QueryGraph {
  readonly nodes: readonly GraphNode[]
  /** Nodes with which a path may begin. */
  readonly first: readonly number[]
  /** There is one path only: every document that is left has all its nodes. */
  readonly isChain: boolean
}

/** A path through a graph: its nodes with what is left of their derivations. */
export type Path = readonly Step[]

export interface Step {
  readonly term: QueryTerm
  readonly levels: Levels
  readonly isExactOnly: boolean
}

export function buildGraph(terms: readonly QueryTerm[]): QueryGraph {
  const lastId = terms.reduce((last, term) => Math.max(last, term.lastId), -1)
  const startingAt = (id: number) => [...terms.keys()].filter((i) => terms[i]!.firstId === id)
  const nodes: GraphNode[] = []
  for (const term of terms) {
    const next = term.lastId === lastId ? [END] : startingAt(term.lastId + 1)
    nodes.push(nodeOf(term, ALL_LEVELS, false, next))
  }
  return { nodes, first: startingAt(0), isChain: terms.length === 1 }
}

/**
 * The graph that has these paths and no others (spec 6 §4.3): paths share what they begin with, and nothing else. Were
 * equal steps of different paths one node, a document could go on along a mixture of two paths; recorded rankings show
 * that it must not.
 */
export function graphOfPaths(paths: readonly Path[]): QueryGraph {
  const nodes: GrowingNode[] = []
  const first: number[] = []
  for (const path of paths) {
    let successors = first
    for (const step of path) {
      const known = nodeAmong(successors, nodes, step)
      const node = known ?? nodes.push(nodeOf(step.term, step.levels, step.isExactOnly, [])) - 1
      if (known === undefined) successors.push(node)
      successors = nodes[node]!.next
    }
    if (!successors.includes(END)) successors.push(END)
  }
  const isChain = nodes.every(({ next }) => next.length === 1) && first.length === 1
  for (const { next } of nodes) putInOrder(next, nodes)
  putInOrder(first, nodes)
  return { nodes, first, isChain }
}

/** The paths of a graph. */
export function pathsOf({ nodes, first }: QueryGraph): Path[] {
  const from = (successors: readonly number[]): Path[] =>
    successors.flatMap((node) => (node === END ? [[]] : from(nodes[node]!.next).map((rest) => [nodes[node]!, ...rest])))
  return from(first)
}

/** The nodes of the only path on which no words are read as one; undefined when there are several, or none. */
export function plainPath({ nodes, first }: QueryGraph): readonly GraphNode[] | undefined {
  const path: GraphNode[] = []
  for (let successors = first; ; successors = path.at(-1)!.next) {
    const plain = successors.filter((node) => node === END || nodes[node]!.term.size === 1)
    if (plain.length !== 1) return undefined
    if (plain[0] === END) return path
    path.push(nodes[plain[0]!]!)
  }
}

type GrowingNode = Step & { readonly next: number[] }

/** All nodes, and the steps of paths, are made here: the loops over graphs are compiled for objects of one shape. */
function nodeOf(term: QueryTerm, levels: Levels, isExactOnly: boolean, next: number[]): GrowingNode {
  return { term, levels, isExactOnly, next }
}

/** A node of which less is left. */
export function narrowed({ term, next }: GraphNode, levels: Levels, isExactOnly: boolean): Step {
  return nodeOf(term, levels, isExactOnly, next as number[])
}

/** The node among those that may follow that is the same step. */
function nodeAmong(successors: readonly number[], nodes: readonly Step[], step: Step): number | undefined {
  for (let i = 0; i < successors.length; i++) {
    const node = successors[i]!
    if (node !== END && isSameStep(nodes[node]!, step)) return node
  }
  return undefined
}

const isSameStep = (a: Step, b: Step): boolean =>
  a.term === b.term && a.levels === b.levels && a.isExactOnly === b.isExactOnly

/** By the last term covered, short before long; the end comes last (spec 6 §4.3). */
function putInOrder(successors: number[], nodes: readonly Step[]): void {
  if (successors.length === 1) return
  successors.sort((a, b) => (a === END ? 1 : b === END ? -1 : compareSteps(nodes[a]!, nodes[b]!)))
}

/** What is left of one term stands in the order in which the rules list it: exact before any, few typos before many. */
function compareSteps(a: Step, b: Step): number {
  const terms = a.term.lastId - b.term.lastId || a.term.size - b.term.size
  return terms || Number(b.isExactOnly) - Number(a.isExactOnly) || a.levels - b.levels
}
