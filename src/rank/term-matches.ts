import type { DenseDocSet, DocSet } from '../bitmap/index.js'
import type { GraphNode, Phrase, QueryTerm } from '../match/index.js'
import {
  type DerivationSource,
  type Derivations,
  derive,
  ListedDocIds,
  type PhraseSearch,
  phraseDocs,
} from '../match/index.js'
import type { DocIdSource, WordPostings } from '../postings/index.js'
import type { Bucket } from './bucket.js'
import { type SetMaker, TermDocs } from './term-docs.js'

/** How a document has a term: one bit for each level of its derivations, and two more. */
/** What of a search terms need to find their documents. */
interface TermContext extends PhraseSearch, SetMaker {
  readonly source: DerivationSource
  readonly scratch: SetMaker['scratch']
}

export const MATCH = {
  /** A synonym or the quoted phrase: never taken away by earlier rules. */
  always: 0b1000,
  /** The word as typed, or the phrase. */
  exact: 0b1_0000,
} as const

/** A word of the index, or all with one prefix, that stands for a term. */
export interface WordSource {
  readonly postings: WordPostings
  /** Documents that have it where it counts. */
  readonly docs: DocIdSource
  /** Null for a prefix. */
  readonly word: string | null
  /** Its order in a pair may be turned around (spec 6 §4.6). */
  readonly isReversible: boolean
  /** Another source has all its positions too. */
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

/** Which forms of a term are asked for: any, the one without a typo, those with one typo. */
type Form = 'any' | 'asTyped' | 'oneTypo'

const LEVELS = [0, 1, 2] as const
type Level = (typeof LEVELS)[number]
export const LEVEL_BITS = [0b001, 0b010, 0b100] as const
const BITS_OF_FORM: Readonly<Record<Form, number>> = { any: 0xff, asTyped: LEVEL_BITS[0], oneTypo: LEVEL_BITS[1] }

/** Everything that one term of a query finds in the index. */
export class TermMatches {
  readonly derivations: Derivations
  private readonly phrases: readonly LevelPhrase[]
  private readonly sources: (readonly WordSource[] | undefined)[] = [undefined, undefined, undefined]
  private found: TermDocs | undefined
  private written: TermDocs | undefined
  private bitsOf: { readonly origin: Bucket; readonly bits: Uint8Array } | undefined

  constructor(
    private readonly context: TermContext,
    readonly term: QueryTerm,
  ) {
    this.derivations = derive(context.source, term)
    this.phrases = this.findPhrases()
  }

  /** Documents that have the term in any form. Shared: it must not be changed. */
  docs(): DenseDocSet {
    return this.foundDocs().having(BITS_OF_FORM.any)
  }

  /** No document has it. */
  get isNowhere(): boolean {
    return this.foundDocs().isEmpty
  }

  /** Those of some documents that have it in a form, be it beside others. Shared: it must not be changed. */
  docsWithin(docs: DocSet, form: Form): DocSet {
    return this.foundDocs().within(docs, BITS_OF_FORM[form])
  }

  /** For each member of an origin the bits of the levels that it has. */
  bitsIn(origin: Bucket): Uint8Array {
    if (this.bitsOf?.origin !== origin) this.bitsOf = { origin, bits: this.findBits(origin.docIds) }
    return this.bitsOf.bits
  }

  private foundDocs(): TermDocs {
    this.found ??= this.findDocs()
    return this.found
  }

  private findDocs(): TermDocs {
    const found = new TermDocs(this.context)
    for (const level of LEVELS)
      for (const { docs, isCovered } of this.sourcesOf(level)) if (!isCovered) found.add(docs, LEVEL_BITS[level])
    for (const { docIds, bits } of this.phrases) found.add(new ListedDocIds(docIds), bits)
    return found
  }

  /** Whatever exactness left of it (spec 6 §4.9). At least 1, for a word may be split (spec 6 §4.5). */
  get mostTypos(): number {
    return this.term.phrase === null ? Math.max(1, this.term.typos) : 0
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

  /** The word as typed, on its own: the prefix that covers it elsewhere is not with it. */
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

  /** The words of a level, without those that a prefix stands for. */
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

  private findBits(docIds: Uint32Array): Uint8Array {
    const found = new Uint8Array(docIds.length)
    this.foundDocs().mark(found, docIds)
    this.docsAsWritten().mark(found, docIds)
    return found
  }

  /** Those that have the very word. */
  private docsAsWritten(): TermDocs {
    if (this.written !== undefined) return this.written
    this.written = new TermDocs(this.context)
    if (this.term.size === 1) for (const { docs } of this.exactSources()) this.written.add(docs, MATCH.exact)
    return this.written
  }
}

function isLeft(bits: number, { levels, isExactOnly }: GraphNode): boolean {
  if (bits & MATCH.always) return true
  return !isExactOnly && (bits & levels) !== 0
}

/** The bits with which a document has what is left of a term at a node. */
export function bitsOfNode({ levels, isExactOnly }: GraphNode): number {
  return isExactOnly ? MATCH.exact | MATCH.always : levels | MATCH.always
}
