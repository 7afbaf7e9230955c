import type { DocBits } from '../../bitmap/index.js'
import type { DocSource, WordPostings } from '../../index/index.js'
import { type Derivations, derive } from '../query/derivations.js'
import type { Phrase } from '../query/parse-query.js'
import type { GraphNode, Levels } from '../query/query-graph.js'
import type { QueryTerm } from '../query/query-term.js'
import type { Bucket } from './bucket.js'
import { ListedDocs } from './listed-docs.js'
import { phraseDocs } from './phrase-docs.js'
import type { RankContext } from './rank-context.js'

/** How a document has a term: one bit for each level of its derivations, and two more. */
export const MATCH = {
  /** A synonym or the quoted phrase: never taken away by earlier rules. */
  always: 0b1000,
  /** The word as typed, or the phrase. */
  exact: 0b1_0000,
} as const

/** A word of the index, or all with one beginning, that stands for a term. */
export interface WordSource {
  readonly postings: WordPostings
  /** Documents that have it where it counts. */
  readonly docs: DocSource
  /** Null for a beginning. */
  readonly word: string | null
  /** Its order in a pair may be turned around (spec 6 §4.6). */
  readonly isReversible: boolean
  /** Another source has all its places too. */
  readonly isCovered: boolean
}

/** A phrase that stands for a term, and the documents that have it. */
export interface PhraseSource {
  readonly phrase: Phrase
  readonly docIds: Uint32Array
}

export interface Sources {
  readonly words: readonly WordSource[]
  readonly phrases: readonly PhraseSource[]
}

interface LevelPhrase extends PhraseSource {
  readonly bits: number
}

const LEVELS = [0, 1, 2] as const
type Level = (typeof LEVELS)[number]
const LEVEL_BITS = [0b001, 0b010, 0b100] as const

/** Everything that one term of a query finds in the index. */
export class TermMatches {
  readonly derivations: Derivations
  private readonly phrases: readonly LevelPhrase[]
  private readonly sources: (readonly WordSource[] | undefined)[] = [undefined, undefined, undefined]
  private found: FoundDocs | undefined
  private written: DocBits | undefined
  private bitsOf: { readonly origin: Bucket; readonly bits: Uint8Array } | undefined

  constructor(
    private readonly context: RankContext,
    readonly term: QueryTerm,
  ) {
    this.derivations = derive(context.source, term)
    this.phrases = this.findPhrases()
  }

  /** Documents that have the term in any form. Shared: it must not be changed. */
  docs(): DocBits {
    return this.foundDocs().all
  }

  /** No document has it. */
  get isNowhere(): boolean {
    return this.foundDocs().isEmpty
  }

  /** Those that have it without a typo. Shared: it must not be changed. */
  docsAsTyped(): DocBits {
    return this.foundDocs().asTyped
  }

  /** Those that have it with one typo, be it beside other forms. Shared: it must not be changed. */
  docsWithOneTypo(): DocBits {
    return this.foundDocs().oneTypo
  }

  /** For each member of an origin the bits of the levels that it has. */
  bitsIn(origin: Bucket): Uint8Array {
    if (this.bitsOf?.origin !== origin) this.bitsOf = { origin, bits: this.findBits(origin.docIds) }
    return this.bitsOf.bits
  }

  private foundDocs(): FoundDocs {
    this.found ??= this.findDocs()
    return this.found
  }

  private findDocs(): FoundDocs {
    const found = new FoundDocs(this.context)
    for (const level of LEVELS)
      for (const { docs, isCovered } of this.sourcesOf(level)) if (!isCovered) found.add(docs, LEVEL_BITS[level])
    for (const { docIds, bits } of this.phrases) found.add(new ListedDocs(docIds), bits)
    return found
  }

  /** Highest level that has any derivation: at least 1, for a word may be split (spec 6 §4.5). */
  highestLevel(levels: Levels): number {
    if (this.term.phrase !== null) return 0
    const allowed = Math.max(1, this.term.typos)
    for (let level = allowed; level > 0; level--) if (levels & LEVEL_BITS[level]!) return level
    return 0
  }

  /** Nothing with a typo stands for it. */
  get isWithoutTypos(): boolean {
    const { oneTypo, twoTypos, split } = this.derivations
    return oneTypo.length === 0 && twoTypos.length === 0 && split === null
  }

  /** What is left of the derivations at a node of a graph. */
  sourcesAt(node: GraphNode): Sources {
    const phrases = this.phrases.filter(({ bits }) => isLeft(bits, node))
    if (node.isExactOnly) return { words: this.exactSources(), phrases }
    const words: WordSource[] = []
    for (const level of LEVELS) if (node.levels & LEVEL_BITS[level]) words.push(...this.sourcesOf(level))
    return { words, phrases }
  }

  /** The word as typed, on its own: the beginning that covers it elsewhere is not with it. */
  private exactSources(): readonly WordSource[] {
    const { exact } = this.derivations
    if (exact === null) return []
    const sources: WordSource[] = []
    for (const { word, postings, docs, isReversible } of this.sourcesOf(0))
      if (word === exact) sources.push({ word, postings, docs, isReversible, isCovered: false })
    return sources
  }

  private sourcesOf(level: Level): readonly WordSource[] {
    this.sources[level] ??= this.findSources(level)
    return this.sources[level]
  }

  private findSources(level: Level): WordSource[] {
    const { scope, words } = this.context
    const { prefix } = this.derivations
    const kind = level === 0 ? this.typedKind : 'tolerant'
    const longer = level === 0 && prefix !== null ? words.prefixPostings(prefix) : undefined
    const sources: WordSource[] = []
    for (const word of this.wordsAt(level)) {
      const postings = words.postings(word)
      if (postings === undefined) continue
      const isCovered = longer?.hasWord ?? false
      sources.push({ word, postings, docs: scope.docsOf(word, postings, kind), isReversible: true, isCovered })
    }
    if (longer !== undefined) {
      const { postings } = longer
      sources.push({
        word: null,
        postings,
        docs: scope.docsOfPrefix(postings, kind),
        isReversible: false,
        isCovered: false,
      })
    }
    return sources
  }

  /** The words of a level, without those that a beginning stands for. */
  private wordsAt(level: Level): readonly string[] {
    const { exact, completions, oneTypo, twoTypos } = this.derivations
    if (level === 1) return oneTypo
    if (level === 2) return twoTypos
    return exact === null ? completions : [exact, ...completions]
  }

  /** An n-gram is not what was typed: it counts where typos are tolerated only (spec 5 §4.4). */
  private get typedKind(): 'any' | 'tolerant' {
    return this.term.size > 1 ? 'tolerant' : 'any'
  }

  private findPhrases(): LevelPhrase[] {
    const { phrase } = this.term
    const { synonyms, split } = this.derivations
    const found = (words: Phrase, bits: number) => ({ phrase: words, docIds: phraseDocs(this.context, words), bits })
    if (phrase !== null) return [found(phrase, LEVEL_BITS[0] | MATCH.always | MATCH.exact)]
    const phrases = synonyms.map((synonym) => found(synonym, LEVEL_BITS[0] | MATCH.always))
    if (split !== null) phrases.push(found(split, LEVEL_BITS[1]))
    return phrases
  }

  private findBits(universe: Uint32Array): Uint8Array {
    const found = new Uint8Array(universe.length)
    this.foundDocs().mark(found, universe)
    this.docsAsWritten()?.mark(found, universe, MATCH.exact)
    return found
  }

  /** Those that have the very word. */
  private docsAsWritten(): DocBits | undefined {
    if (this.written !== undefined || this.term.size > 1) return this.written
    for (const { docs } of this.exactSources()) this.written ??= this.context.bitsOf([docs])
    return this.written
  }
}

/** Documents by the bits with which they have a term: as they come, and as sets when those are asked for. */
class FoundDocs {
  private readonly sources: { readonly docs: DocSource; readonly bits: number }[] = []
  private readonly byBits = new Map<number, DocBits>()
  private whole: DocBits | undefined
  private typed: DocBits | undefined
  private slips: DocBits | undefined

  constructor(private readonly context: Pick<RankContext, 'bitsOf' | 'docLimit'>) {}

  add(docs: DocSource, bits: number): void {
    if (docs.count > 0) this.sources.push({ docs, bits })
  }

  get isEmpty(): boolean {
    return this.sources.length === 0
  }

  /** Shared: it must not be changed. */
  get all(): DocBits {
    this.whole ??= this.unite(this.sources.map(({ bits }) => bits))
    return this.whole
  }

  /** Shared: it must not be changed. */
  get asTyped(): DocBits {
    this.typed ??= this.atLevel(0)
    return this.typed
  }

  /** Shared: it must not be changed. */
  get oneTypo(): DocBits {
    this.slips ??= this.atLevel(1)
    return this.slips
  }

  /** Adds to what is said of some documents, which ascend, with which bits they have the term. */
  mark(said: Uint8Array, docIds: Uint32Array): void {
    for (const bits of new Set(this.sources.map((source) => source.bits))) this.setOf(bits).mark(said, docIds, bits)
  }

  private atLevel(level: Level): DocBits {
    return this.unite(this.sources.map(({ bits }) => bits).filter((bits) => bits & LEVEL_BITS[level]))
  }

  private setOf(bits: number): DocBits {
    const known = this.byBits.get(bits)
    if (known !== undefined) return known
    const made = this.context.bitsOf(this.sources.filter((source) => source.bits === bits).map(({ docs }) => docs))
    this.byBits.set(bits, made)
    return made
  }

  /** Of many documents the sets are united, which will be asked for: to go through the sources again would take longer. */
  private unite(wanted: readonly number[]): DocBits {
    const [first, ...others] = new Set(wanted)
    if (first !== undefined && others.length === 0) return this.setOf(first)
    const sources = this.sources.filter(({ bits }) => wanted.includes(bits)).map(({ docs }) => docs)
    const size = sources.reduce((sum, { count }) => sum + count, 0)
    if (first === undefined || size * LONG < this.context.docLimit) return this.context.bitsOf(sources)
    return others.reduce((union, bits) => union.with(this.setOf(bits)), this.setOf(first))
  }
}

/** Lists with more than this share of all documents, as a divisor. */
const LONG = 32

function isLeft(bits: number, { levels, isExactOnly }: GraphNode): boolean {
  if (bits & MATCH.always) return true
  return !isExactOnly && (bits & levels) !== 0
}

/** The bits with which a document has what is left of a term at a node. */
export function bitsOfNode({ levels, isExactOnly }: GraphNode): number {
  return isExactOnly ? MATCH.exact | MATCH.always : levels | MATCH.always
}
