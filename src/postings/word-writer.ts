import type { IndexFolder } from '../folder/index.js'
import { JobCancelled } from '../threads/index.js'
import { type DictionaryChange, DictionaryWriter } from './dictionary-writer.js'
import { PostingsWriter, type WordOutcome } from './postings-writer.js'
import { PrefixWriter } from './prefixes/prefix-writer.js'
import { hasPrefixPostings } from './prefixes/short-prefix.js'
import type { WordSteps } from './word-changes.js'
import type { CollectedWords } from './word-collector.js'
import { type CountChunk, writeCounts } from './word-counts.js'
import { JournalEntry, writeJournal } from './word-journal.js'

export interface WordWriterOptions {
  /** Of a block of postings with its key. */
  readonly maxPairBytes?: number
  /** Of a block of the dictionary. */
  readonly maxWords?: number
  /** Whether a cancelation asked to stop. */
  readonly isCancelled?: () => boolean
}

/** A block of a word as it is stored. */
export interface WordBlock {
  readonly bound: number
  readonly bytes: Uint8Array
}

/** A new word as blocks, or, should it be known already, as steps. */
export interface PackedWord {
  readonly word: Buffer
  readonly blocks: readonly WordBlock[]
  readonly steps: () => WordSteps
}

/** Words between two looks at the cancelation flag. */
const CHECK_EVERY = 256

/**
 * Writes what was collected to postings, dictionary and word counts. Words come in byte order, in one run or several;
 * each run is closed with `endRun`.
 */
export class WordWriter {
  private readonly journal = new JournalEntry()
  private readonly postings: PostingsWriter
  private readonly dictionary: DictionaryWriter
  /** Undefined in an index that keeps none. */
  private readonly prefixes: PrefixWriter | undefined
  private dictionaryChanges: DictionaryChange[] = []
  private words = 0
  /** As long as nothing is stored no word has to be looked for. */
  private isStoreEmpty: boolean
  /** No word is in documents behind this one; looked up when somebody asks. */
  private lastStored: number | undefined

  constructor(
    private readonly folder: IndexFolder,
    private readonly options: WordWriterOptions,
  ) {
    const { databases } = folder
    const isBehindAll = (docId: number): boolean => docId > (this.lastStored ??= folder.docIds().max)
    this.postings = new PostingsWriter(databases.postings, { ...options, isBehindAll })
    this.dictionary = new DictionaryWriter(databases.dictionary, folder.nextContentVersion(), options.maxWords)
    this.prefixes = hasPrefixPostings(folder) ? new PrefixWriter(databases.prefixes) : undefined
    this.isStoreEmpty = Array.from(databases.postings.keys({ limit: 1 })).length === 0
  }

  /** A whole run. */
  write({ changes, counts }: CollectedWords): void {
    for (const chunk of counts.byChunk()) this.writeCounts(chunk)
    if (changes.isEmpty) return
    changes.forEachWord((text, steps) => this.writeSteps(Buffer.from(text), steps))
    this.endRun()
  }

  /** Does a large part of the writing apart from the rest: see `Environment.inSlice`. */
  inSlice(work: () => void): void {
    this.folder.environment.inSlice(work)
  }

  writeCounts(chunk: CountChunk): void {
    writeCounts(this.folder.databases.wordCounts, chunk)
  }

  writeSteps(word: Buffer, steps: WordSteps): void {
    this.prefixes?.add(word, steps)
    this.note(word, this.isStoreEmpty ? this.postings.create(word, steps) : this.postings.apply(word, steps))
  }

  writePacked({ word, blocks, steps }: PackedWord): void {
    let told: WordSteps | undefined
    const toldOnce = (): WordSteps => (told ??= steps())
    const { postings, prefixes } = this
    const outcome = this.isStoreEmpty
      ? postings.put(word, blocks)
      : postings.applyMade({ word, blocks, steps: toldOnce })
    prefixes?.add(word, toldOnce())
    this.note(word, outcome)
  }

  endRun(): void {
    this.prefixes?.endRun()
    this.dictionary.apply(this.dictionaryChanges)
    this.dictionaryChanges = []
    this.isStoreEmpty = false
    // What has been written may be in any document.
    this.lastStored = Number.POSITIVE_INFINITY
  }

  /** Everything was written. */
  finish(): void {
    writeJournal(this.folder.databases.wordJournal, this.folder.nextContentVersion(), this.journal.words)
  }

  private note(word: Buffer, outcome: WordOutcome): void {
    if (++this.words % CHECK_EVERY === 0 && this.options.isCancelled?.()) throw new JobCancelled()
    if (!this.journal.isFull) this.journal.add(word.toString('utf8'), outcome !== 'stayed')
    if (outcome !== 'stayed') this.dictionaryChanges.push({ word, isGained: outcome === 'appeared' })
  }
}
