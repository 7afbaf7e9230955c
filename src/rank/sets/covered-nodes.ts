import { type GraphNode, ListedDocIds, type QueryGraph } from '../../match/index.js'
import type { DocIdSource, TermSets, WordPostings } from '../../postings/index.js'
import { isPair } from '../proximity-rule.js'
import type { RankContext } from '../rank-context.js'
import type { WordSource } from '../term-matches.js'

/** A word or prefix that stored sets speak of. */
interface SetTerm {
  readonly number: number
  readonly postings: WordPostings
  /** Words may also stand on the other side of a pair. */
  readonly isWord: boolean
}

/** What of a node stored sets speak of. */
export interface CoveredNode {
  readonly node: GraphNode
  readonly terms: readonly SetTerm[]
}

export interface Coverage {
  readonly nodes: readonly CoveredNode[]
  /** Words, prefixes and phrases that the sets do not speak of: documents that have them are looked at one by one. */
  readonly others: readonly DocIdSource[]
}

/** Undefined when the index keeps no sets, or none of a node. Words that are read as one are hardly ever frequent. */
export function coverNodes(context: RankContext, { nodes }: QueryGraph): Coverage | undefined {
  if (!context.words.sets.isKept || nodes.some(({ term }) => term.size > 1)) return undefined
  const others: DocIdSource[] = []
  const covered = nodes.map((node) => coverNode(context, node, others))
  return isWhole(covered) ? { nodes: covered, others } : undefined
}

const isWhole = (nodes: readonly CoveredNode[]): boolean => nodes.every(({ terms }) => terms.length > 0)

function coverNode(context: RankContext, node: GraphNode, others: DocIdSource[]): CoveredNode {
  const matches = context.matchesOf(node.term)
  const { words, phrases } = matches.sourcesAt(node)
  const terms: SetTerm[] = []
  for (const source of words) {
    const number = termOf(context.words.sets, source, matches.derivations.prefix)
    if (number === undefined) others.push(source.postings)
    else terms.push({ number, postings: source.postings, isWord: source.word !== null })
  }
  for (const { docIds } of phrases) others.push(new ListedDocIds(docIds))
  return { node, terms }
}

function termOf(sets: TermSets, { word }: WordSource, prefix: string | null): number | undefined {
  return word === null ? sets.prefixTerm(prefix!) : sets.wordTerm(word)
}

/** The same for pairs of neighbours: terms that are rare beside those before them have no sets with them. */
export function coverPairs(sets: TermSets, { nodes, others }: Coverage): Coverage | undefined {
  const left: CoveredNode[] = []
  const rare: DocIdSource[] = []
  for (const covered of nodes) {
    const before = left.at(-1)
    const isKept = ({ number }: SetTerm) =>
      before === undefined ||
      !isPair(before.node.term, covered.node.term) ||
      before.terms.every((term) => sets.hasPairs(term.number, number))
    for (const term of covered.terms) if (!isKept(term)) rare.push(term.postings)
    left.push({ ...covered, terms: covered.terms.filter(isKept) })
  }
  return isWhole(left) ? { nodes: left, others: [...others, ...rare] } : undefined
}
