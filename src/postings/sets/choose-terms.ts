import { DenseDocSet } from '../../bitmap/index.js'
import type { IndexFolder } from '../../folder/index.js'
import { BlockReader } from '../block-reader.js'
import { boundOf, TAIL_BYTES } from '../posting-key.js'
import { type FrequentTerm, type RarityLimits, rarityOf, type TermChoice } from './frequent-terms.js'
import { MAX_PREFIX_BYTES, prefixEnds } from './prefix-ends.js'

/** One word is all that begins so: its own sets say the same. */
const MIN_PREFIX_WORDS = 2

const LONG_PREFIX = 3

/** Documents with very many words could make nearly all of them frequent. */
const MOST_TERMS = 1 << 14

interface ChoiceOptions {
  readonly documentCount: number
  readonly hasPrefixes: boolean
  readonly limits: RarityLimits
  /** Called now and then. */
  readonly check: () => void
}

/** Looks at all words of an index for those that many documents have, and for prefixes. */
export function chooseTerms(folder: IndexFolder, options: ChoiceOptions): TermChoice {
  return new Choice(folder, options).make()
}

/** The words that begin alike, as far as they have come. */
class OpenPrefix {
  words = 0
  private readonly docs: DenseDocSet

  constructor(
    readonly bytes: Buffer,
    docLimit: number,
  ) {
    this.docs = new DenseDocSet(docLimit)
  }

  add(docIds: Uint32Array): void {
    this.docs.addAll(docIds)
  }

  get docCount(): number {
    return this.docs.count()
  }
}

class Choice {
  private readonly docLimit: number
  private readonly terms: FrequentTerm[] = []
  /** By their length in bytes. */
  private readonly open: (OpenPrefix | undefined)[] = []
  private word: Buffer = Buffer.alloc(0)
  private wordDocs = 0
  private positions = 0
  private docIds = new Uint32Array(1024)

  constructor(
    private readonly folder: IndexFolder,
    private readonly options: ChoiceOptions,
  ) {
    this.docLimit = folder.docIds().max + 1
  }

  make(): TermChoice {
    let blocks = 0
    this.folder.databases.postings.eachBorrowed({}, (key, bytes) => {
      if (++blocks % CHECK_EVERY === 0) this.options.check()
      this.addBlock(key, new BlockReader(boundOf(key), bytes))
    })
    this.endWord()
    for (let size = MAX_PREFIX_BYTES; size > 0; size--) this.close(size)
    const { documentCount, hasPrefixes } = this.options
    const positionsPerDocument = Math.ceil(this.positions / Math.max(1, documentCount))
    const version = this.folder.version() + 1
    const { pair: pairRarity } = this.options.limits
    return { version, documentCount, positionsPerDocument, hasPrefixes, pairRarity, terms: this.mostFrequent() }
  }

  private addBlock(key: Buffer, block: BlockReader): void {
    const size = key.length - TAIL_BYTES
    if (size !== this.word.length || key.compare(this.word, 0, size, 0, size) !== 0)
      this.beginWord(key.subarray(0, size))
    this.wordDocs += block.count
    this.positions += block.positionCount
    if (!this.options.hasPrefixes) return
    if (block.count > this.docIds.length) this.docIds = new Uint32Array(block.count * 2)
    block.readDocIds(this.docIds, 0)
    const docIds = this.docIds.subarray(0, block.count)
    for (const prefix of this.open) prefix?.add(docIds)
  }

  private beginWord(word: Buffer): void {
    this.endWord()
    this.word = Buffer.from(word)
    this.wordDocs = 0
    if (!this.options.hasPrefixes) return
    const ends = prefixEnds(word)
    for (let size = MAX_PREFIX_BYTES; size > 0; size--) {
      const open = this.open[size]
      if (open !== undefined && !startsWith(word, open.bytes)) this.close(size)
    }
    for (const size of ends) {
      this.open[size] ??= new OpenPrefix(this.word.subarray(0, size), this.docLimit)
      this.open[size].words++
    }
  }

  private endWord(): void {
    if (this.word.length > 0) this.offer(this.word, false, this.wordDocs)
  }

  private close(size: number): void {
    const prefix = this.open[size]
    this.open[size] = undefined
    if (prefix !== undefined && prefix.words >= MIN_PREFIX_WORDS) this.offer(prefix.bytes, true, prefix.docCount)
  }

  private offer(bytes: Buffer, isPrefix: boolean, docCount: number): void {
    const rarity = rarityOf(docCount, this.options.documentCount)
    const { term, longPrefix } = this.options.limits
    if (rarity <= (isPrefix && bytes.length >= LONG_PREFIX ? longPrefix : term))
      this.terms.push({ text: bytes.toString('utf8'), isPrefix, rarity })
  }

  private mostFrequent(): FrequentTerm[] {
    if (this.terms.length <= MOST_TERMS) return this.terms
    return this.terms.sort((a, b) => a.rarity - b.rarity).slice(0, MOST_TERMS)
  }
}

function startsWith(word: Buffer, prefix: Buffer): boolean {
  return word.length >= prefix.length && word.compare(prefix, 0, prefix.length, 0, prefix.length) === 0
}

/** Blocks between two looks at the cancelation flag. */
const CHECK_EVERY = 1024
