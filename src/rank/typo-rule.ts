import type { DocSet } from '../bitmap/index.js'
import { type GraphNode, graphOfPaths, narrowed, plainPath, type QueryGraph } from '../match/index.js'
import { Bucket, type RankedBucket, type Rule } from './bucket.js'
import { dearestPath, splitByCost, undivided } from './graph-rule.js'
import { nodeRule } from './node-rules.js'
import type { RankContext } from './rank-context.js'
import type { ScoreDetail } from './score-detail.js'
import { bitsOfNode, MATCH } from './term-matches.js'

/** Gluing words costs as much as that many typos (spec 6 §4.5). */
const GLUE_COSTS = [0, 0, 2, 3] as const

export function typoRule(context: RankContext): Rule {
  return (bucket, graph) => {
    // To read words as one costs more than no typo: documents without any have the words one by one.
    const path = graph.isChain ? graph.nodes : plainPath(graph)
    if (path === undefined) return byDocument(context, bucket, graph)
    const detail = leastTypos(context, path, graph)
    if (graph.isChain && path.every(({ term }) => context.matchesOf(term).isWithoutTypos)) {
      return undivided({ bucket, graph, detail })
    }
    const { set } = bucket
    return set === undefined || !path.every(isTypedLeft)
      ? byDocument(context, bucket, graph)
      : asTypedFirst({ context, bucket, graph, path, detail, set })
  }
}

function byDocument(context: RankContext, bucket: Bucket, graph: QueryGraph): Iterator<RankedBucket, undefined> {
  const rule = nodeRule(graph, {
    columnOf: (node) => typoColumn(context, bucket, node),
    maxCostOf: (node) => mostTypos(context, node),
    refine: (node, cost) => narrowed(node, 1 << (cost - GLUE_COSTS[node.term.size]!), node.isExactOnly),
    detail: (count, max) => ({ rule: 'typo', count, max }),
  })
  return splitByCost(rule, bucket, graph)
}

interface TypoSplit {
  readonly context: RankContext
  readonly bucket: Bucket
  readonly graph: QueryGraph
  /** The way to read the query without typos. */
  readonly path: readonly GraphNode[]
  /** Of documents without typos. */
  readonly detail: TypoDetail
  /** Documents of the bucket that are left to split. */
  readonly set: DocSet
}

type TypoDetail = Extract<ScoreDetail, { rule: 'typo' }>

/**
 * The documents that have a way to read the query without typos are found as a set. Only where the page needs more, the
 * others are looked at one by one.
 */
function* asTypedFirst(split: TypoSplit): Iterator<RankedBucket, undefined> {
  const { context, bucket, graph, path, detail, set } = split
  let found = set
  for (const { term } of path) found = context.matchesOf(term).docsWithin(found, 'asTyped')
  const { isWaiting } = bucket.origin
  const typed = Bucket.of(found, isWaiting)
  if (typed.size > 0) {
    const left = graphOfPaths([path.map((node) => narrowed(node, AS_TYPED, node.isExactOnly))])
    yield { bucket: typed, detail, graph: left }
  }
  const rest = typed.size === 0 ? set : set.without(found)
  const parts = graph.nodes.length === 1 ? oneTypoFirst : othersByDocument
  if (typed.size < bucket.size) yield* { [Symbol.iterator]: () => parts({ ...split, set: rest }) }
  return undefined
}

function othersByDocument({ context, bucket, graph, set }: TypoSplit): Iterator<RankedBucket, undefined> {
  return byDocument(context, set === bucket.set ? bucket : Bucket.of(set, bucket.origin.isWaiting), graph)
}

/** Of a query of one term, whoever does not have it as typed has it with one typo, or else with two: sets as well. */
function* oneTypoFirst({ context, bucket, graph, detail, set }: TypoSplit): Iterator<RankedBucket, undefined> {
  const node = graph.nodes[0]!
  const found = context.matchesOf(node.term).docsWithin(set, 'oneTypo')
  const part = (docs: DocSet, typos: number): RankedBucket => ({
    bucket: Bucket.of(docs, bucket.origin.isWaiting),
    detail: { ...detail, count: detail.count + typos },
    graph: graphOfPaths([[narrowed(node, AS_TYPED << typos, node.isExactOnly)]]),
  })
  const one = part(found, 1)
  if (one.bucket.size > 0) yield one
  const two = part(set.without(found), 2)
  if (two.bucket.size > 0) yield two
  return undefined
}

const AS_TYPED = 0b001

const isTypedLeft = ({ levels, isExactOnly }: GraphNode): boolean => !isExactOnly && (levels & AS_TYPED) !== 0

/** What documents get that have a path of the graph without typos. */
function leastTypos(context: RankContext, path: readonly GraphNode[], graph: QueryGraph): TypoDetail {
  const count = path.reduce((sum, { term }) => sum + GLUE_COSTS[term.size]!, 0)
  return { rule: 'typo', count, max: dearestPath(graph, (_, to) => mostTypos(context, graph.nodes[to]!)) }
}

function mostTypos(context: RankContext, { term }: GraphNode): number {
  return GLUE_COSTS[term.size]! + context.matchesOf(term).mostTypos
}

/** By the bits of a match: the lowest level, plus one. */
function typoColumn(context: RankContext, { origin, ordinals }: Bucket, node: GraphNode): Uint16Array {
  const bits = context.matchesOf(node.term).bitsIn(origin)
  return lowestLevels(bits, ordinals, bitsOfNode(node), GLUE_COSTS[node.term.size]! + 1)
}

function lowestLevels(bits: Uint8Array, ordinals: Uint32Array, wanted: number, base: number): Uint16Array {
  const column = new Uint16Array(ordinals.length)
  for (let i = 0; i < ordinals.length; i++) {
    const has = bits[ordinals[i]!]! & wanted
    if (has === 0) continue
    column[i] = base + (has & (0b001 | MATCH.always | MATCH.exact) ? 0 : has & 0b010 ? 1 : 2)
  }
  return column
}
