import { coarsePosition } from '../../text/index.js'
import type { ScoreDetail } from '../score-detail.js'
import type { DocSet } from './doc-sets.twin.js'
import { nodeDocs, type TwinGraph, type TwinNode } from './graph.twin.js'
import type { Derivation, Matcher } from './matcher.twin.js'
import { remaining, type Subset } from './terms.twin.js'

/** One way from a node to the next (spec 6 §4.3). */
export interface TwinEdge {
  readonly cost: number
  /** Undefined for no condition. */
  readonly docs: DocSet | undefined
  /** What is left of the node afterwards; undefined when it is skipped. */
  readonly keeps: Subset | undefined
  /** Of the node, where removing counts. */
  readonly group?: number | undefined
}

export interface GraphRule {
  /** `from` is undefined for START. */
  edges(from: TwinNode | undefined, to: TwinNode): TwinEdge[]
  detail(cost: number, maxCost: number): ScoreDetail
}

const NOTHING: DocSet = new Set()

function sizeOf({ term }: TwinNode): number {
  return term.ids.length
}

/** Spec 6 §4.4. */
export function wordsRule(matcher: Matcher, graph: TwinGraph, groups: ReadonlyMap<TwinNode, number>): GraphRule {
  const phrases = graph.nodes.filter(({ term }) => term.isPhrase)
  const phraseWords = phrases
    .flatMap(({ term }) => term.levels[0])
    .flatMap((derivation) => (derivation.kind === 'phrase' ? derivation.words : []))
    .filter((word) => word !== null).length
  return {
    edges(_from, to) {
      const group = groups.get(to)
      const take = { cost: 0, docs: nodeDocs(matcher, to), keeps: to.subset, group }
      return group === undefined ? [take] : [{ cost: sizeOf(to), docs: undefined, keeps: undefined, group }, take]
    },
    detail(cost, maxCost) {
      const max = 1 + Math.max(0, phraseWords - 1) + maxCost
      return { rule: 'words', matching: max - cost, max }
    },
  }
}

/** Spec 6 §4.5. */
export function typoRule(matcher: Matcher): GraphRule {
  return {
    edges(_from, { term, subset }) {
      const base = term.ids.length === 1 ? 0 : term.ids.length
      return ([0, 1, 2] as const)
        .filter((level) => level <= term.maxLevel)
        .map((level) => {
          const left = remaining(term, subset)
          const docs = matcher.docsOfAny(term.levels[level].filter((derivation) => left.includes(derivation)))
          return { cost: level + base, docs, keeps: subset === 'all' ? level : subset }
        })
    },
    detail: (cost, maxCost) => ({ rule: 'typo', count: cost, max: maxCost }),
  }
}

const FARTHEST = 3

/** Spec 6 §4.6. */
export function proximityRule(matcher: Matcher): GraphRule {
  const nearEdges = (from: TwinNode, to: TwinNode): TwinEdge[] => {
    const distances = matcher.isByAttribute ? [0] : [0, 1, 2]
    return distances.map((extra) => ({
      cost: sizeOf(to) - 1 + extra,
      docs: new Set([...matcher.index.docIds].filter((docId) => isNear(matcher, { docId, from, to, extra }))),
      keeps: to.subset,
    }))
  }
  return {
    edges(from, to) {
      const anywhere = { docs: nodeDocs(matcher, to), keeps: to.subset }
      const isNeighbour = from !== undefined && from.term.last + 1 === to.term.first
      if (!isNeighbour) return [{ cost: sizeOf(to) - 1, ...anywhere }]
      return [...nearEdges(from, to), { cost: sizeOf(to) - 1 + FARTHEST, ...anywhere }]
    },
    detail: (cost, maxCost) => ({ rule: 'proximity', rank: maxCost + 1 - cost, max: maxCost + 1 }),
  }
}

interface NearQuestion {
  readonly docId: number
  readonly from: TwinNode
  readonly to: TwinNode
  readonly extra: number
}

/** Whether some pair of derivations stands so near. */
function isNear(matcher: Matcher, { docId, from, to, extra }: NearQuestion): boolean {
  return remaining(from.term, from.subset).some((left) =>
    remaining(to.term, to.subset).some((right) => isPair(matcher, { docId, left, right, extra })),
  )
}

interface PairQuestion {
  readonly docId: number
  readonly left: Derivation
  readonly right: Derivation
  readonly extra: number
}

function isPair(matcher: Matcher, { docId, left, right, extra }: PairQuestion): boolean {
  const first = left.kind === 'word' ? left.word : left.words.at(-1)
  const second = right.kind === 'word' ? right.word : right.words[0]
  if (first == null || second == null) return false
  const phrases = [left, right].filter(({ kind }) => kind === 'phrase')
  if (!phrases.every((phrase) => matcher.docsOf(phrase).has(docId))) return false
  if (matcher.isByAttribute) return matcher.shareField(docId, first, second)
  if (matcher.distance(docId, first, second) === extra + 1) return true
  const isReversible = left.kind === 'word' && right.kind === 'word' && !right.isOneWay
  return isReversible && extra >= 1 && matcher.distance(docId, second, first) === extra
}

/** Spec 6 §4.7. */
export function attributeRankRule(matcher: Matcher): GraphRule {
  const { index } = matcher
  return {
    edges(_from, to) {
      const derivations = remaining(to.term, to.subset)
      const edgeOf = (field: string): TwinEdge => ({
        cost: index.weightOf(field) * sizeOf(to),
        docs: docsAt(matcher, derivations, (place) => place.field === field),
        keeps: to.subset,
      })
      const edges = [...index.fields].filter((field) => matcher.isSelected(field)).map(edgeOf)
      return [...edges, { cost: index.maxWeight * sizeOf(to), docs: NOTHING, keeps: to.subset }]
    },
    detail: (cost, maxCost) => ({ rule: 'attributeRank', rank: maxCost + 1 - cost, max: maxCost + 1 }),
  }
}

type Passes = Parameters<Matcher['docsAt']>[1]

function docsAt(matcher: Matcher, derivations: readonly Derivation[], passes: Passes): DocSet {
  return new Set(derivations.flatMap((derivation) => [...matcher.docsAt(derivation, passes)]))
}

const MAX_POSITION_COST = 10

/** The largest distances of costs 0 to 9. */
const REACHES = [0, 1, 4, 7, 11, 16, 24, 64, 256, 1024]

function positionCost(distance: number, size: number): number {
  let cost = 0
  for (let i = 0; i < size; i++) {
    const reach = REACHES.findIndex((limit) => distance + i <= limit)
    cost += reach === -1 ? MAX_POSITION_COST : reach
  }
  return cost
}

/** Spec 6 §4.8. */
export function wordPositionRule(matcher: Matcher): GraphRule {
  return {
    edges(_from, to) {
      const derivations = remaining(to.term, to.subset)
      const costAt = (position: number): number =>
        positionCost(Math.abs(coarsePosition(position) - to.term.first), sizeOf(to))
      const positions = derivations.flatMap((derivation) => matcher.positionsOf(derivation))
      const costs = [...new Set(positions.map(({ position }) => costAt(position)))].sort((a, b) => a - b)
      const edges = costs.map((cost) => ({
        cost,
        docs: docsAt(matcher, derivations, ({ position }) => costAt(position) === cost),
        keeps: to.subset,
      }))
      return [...edges, { cost: MAX_POSITION_COST * sizeOf(to), docs: NOTHING, keeps: to.subset }]
    },
    detail: (cost, maxCost) => ({ rule: 'wordPosition', rank: maxCost + 1 - cost, max: maxCost + 1 }),
  }
}

/** Whether a node still has its exact form (spec 6 §4.9). */
export function keepsExactForm({ term, subset }: TwinNode): boolean {
  return term.exactForm !== undefined && subset !== 1 && subset !== 2
}

/** Spec 6 §4.9. */
export function exactWordsRule(matcher: Matcher): GraphRule {
  return {
    edges(_from, to) {
      const any = { cost: sizeOf(to), docs: nodeDocs(matcher, to), keeps: to.subset }
      if (!keepsExactForm(to)) return [any]
      return [{ cost: 0, docs: matcher.docsOf(to.term.exactForm!), keeps: 'exact' }, any]
    },
    detail: (cost, maxCost) => ({ rule: 'exactWords', matching: maxCost - cost, max: maxCost }),
  }
}
