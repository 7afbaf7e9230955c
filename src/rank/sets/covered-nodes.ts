import { type GraphNode, ListedDocIds, type QueryGraph } from '../../match/index.js'
import type { DocIdSource, TermSets, WordPostings } from '../../postings/index.js'
import { isPair } from '../proximity-rule.js'
import type { RankContext } from '../rank-context.js'
import type { TermMatches, WordSource } from '../term-matches.js'

/** A word or prefix that stored sets speak of. */
interface SetTerm {
  readonly number: number
  /** Absent where it stands for words that are told apart. */
  readonly postings?: WordPostings
}

/** What of a node stored sets speak of. */
export interface CoveredNode {
  readonly node: GraphNode
  /** All that stands for it, but for the others. */
  readonly terms: readonly SetTerm[]
  /** Those words that may also stand on the other side of a pair. */
  readonly words: readonly SetTerm[]
}

export interface Coverage {
  readonly nodes: readonly CoveredNode[]
  /** Words, prefixes and phrases that the sets do not speak of: documents that have them are looked at one by one. */
  readonly others: readonly DocIdSource[]
  /** Words of which sets are kept by a prefix only, which never stands on the other side of a pair. */
  readonly reversed: readonly DocIdSource[]
}

/** Undefined when the index keeps no sets, or none of a node. Words that are read as one are hardly ever frequent. */
export function coverNodes(context: RankContext, { nodes }: QueryGraph): Coverage | undefined {
  if (!context.words.sets.isKept || nodes.some(({ term }) => term.size > 1)) return undefined
  const others: DocIdSource[] = []
  const reversed: DocIdSource[] = []
  const covered = nodes.map((node) => new NodeCover(context, node, others, reversed).cover())
  return isWhole(covered) ? { nodes: covered, others, reversed } : undefined
}

const isWhole = (nodes: readonly CoveredNode[]): boolean => nodes.every(({ terms }) => terms.length > 0)

class NodeCover {
  private readonly sets: TermSets
  private readonly matches: TermMatches
  private readonly terms: SetTerm[] = []
  private readonly words: SetTerm[] = []

  constructor(
    context: RankContext,
    private readonly node: GraphNode,
    private readonly others: DocIdSource[],
    private readonly reversed: DocIdSource[],
  ) {
    this.sets = context.words.sets
    this.matches = context.matchesOf(node.term)
  }

  cover(): CoveredNode {
    const { words, phrases } = this.matches.sourcesAt(this.node)
    const prefix = this.openPrefix()
    for (const source of words) {
      if (prefix !== undefined && source.word?.startsWith(prefix)) this.addCompletion(source)
      else this.add(source)
    }
    for (const { docIds } of phrases) this.others.push(new ListedDocIds(docIds))
    return { node: this.node, terms: this.terms, words: this.words }
  }

  private add(source: WordSource): void {
    const { word, postings } = source
    const number = word === null ? this.sets.prefixTerm(this.matches.derivations.prefix!) : this.sets.wordTerm(word)
    if (number === undefined) this.others.push(postings)
    else {
      this.terms.push({ number, postings })
      if (word !== null) this.words.push({ number, postings })
    }
  }

  /** Words that begin as what was typed, the word itself among them, where they are told apart: one prefix has them all. */
  private openPrefix(): string | undefined {
    const { term, levels, isExactOnly } = this.node
    const { prefix, isCutShort } = this.matches.derivations
    if (!term.isPrefix || prefix !== null || isExactOnly || (levels & 1) === 0) return undefined
    const number = isCutShort ? undefined : this.sets.prefixTerm(term.word)
    if (number === undefined) return undefined
    this.terms.push({ number })
    return term.word
  }

  private addCompletion({ word, postings }: WordSource): void {
    const number = this.sets.wordTerm(word!)
    if (number === undefined) this.reversed.push(postings)
    else this.words.push({ number, postings })
  }
}

/** The same for pairs of neighbours: terms that are rare beside those before them have no sets with them. */
export function coverPairs(sets: TermSets, { nodes, others, reversed }: Coverage): Coverage | undefined {
  const left: CoveredNode[] = []
  const rare: (DocIdSource | undefined)[] = []
  const rarelyBefore: DocIdSource[] = []
  for (const covered of nodes) {
    const before = left.at(-1)
    const isKept = ({ number }: SetTerm) =>
      before === undefined ||
      !isPair(before.node.term, covered.node.term) ||
      before.terms.every((term) => sets.hasPairs(term.number, number))
    for (const term of covered.terms) if (!isKept(term)) rare.push(term.postings)
    for (const term of covered.words) if (!isKept(term)) rarelyBefore.push(term.postings!)
    left.push({ ...covered, terms: covered.terms.filter(isKept), words: covered.words.filter(isKept) })
  }
  const missing = rare.filter((docs) => docs !== undefined)
  if (!isWhole(left) || missing.length < rare.length) return undefined
  return { nodes: left, others: [...others, ...missing], reversed: [...reversed, ...rarelyBefore] }
}
