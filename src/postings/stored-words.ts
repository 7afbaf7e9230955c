import type { Sized } from '../cache/index.js'
import type { IndexFolder } from '../folder/index.js'
import type { Database } from '../store/index.js'
import { MAX_WORD_BYTES } from '../text/index.js'
import { MAX_PAIR_BYTES } from './block-cuts.js'
import { BlockReader } from './block-reader.js'
import type { CollectedBlocks } from './collected-blocks.js'
import { DecodedPostings } from './decoded-postings.js'
import { LongPostings } from './long-postings.js'
import { MergedPostings } from './merged-postings.js'
import type { Dictionary, PrefixPostings, WordIndex, WordPostings } from './model.js'
import { boundOf, postingKey, postingsEnd, prefixEnd } from './posting-key.js'
import { PostingsCache } from './postings-cache.js'
import { hasPrefixPostings, isShortPrefix, PREFIX_PAIR_BYTES } from './prefixes/short-prefix.js'
import { ReadingMemory } from './reading-memory.js'
import { StoredSets } from './sets/stored-sets.js'
import { StoredBlocks } from './stored-blocks.js'
import { StoredDictionary } from './stored-dictionary.js'
import { StoredWordCounts } from './word-counts.js'
import { type ChangedWords, readJournal } from './word-journal.js'

export interface StoredWordsOptions {
  /** Memory for decoded postings, 64 MB unless given. */
  readonly cacheBytes?: number
  /** Longer postings of a word, or of a short prefix, are not kept but read again, half a megabyte unless given. */
  readonly keptWordBytes?: number
  /** The same for all words with one prefix, which take longer to put together: 2 MB unless given. */
  readonly keptMergedBytes?: number
}

/** A few such words would fill the cache. */
const KEPT_WORD_BYTES = 1 << 19
const KEPT_MERGED_BYTES = 2 << 20

const CACHE_BYTES = 64 << 20

/** The part of the memory that merged postings of prefixes may take. */
const PREFIX_SHARE = 1 / 4

/** The words of an index, read from the store. Keeps what it decoded until it changes. */
export class StoredWords implements WordIndex {
  private readonly words: StoredDictionary
  private readonly counts: StoredWordCounts
  private readonly cache: PostingsCache
  private readonly prefixes: PostingsCache
  private readonly keptWordBytes: number
  private readonly keptMergedBytes: number
  readonly sets: StoredSets
  private hasPrefixPostings = false
  /** Undefined before the first `refresh`. */
  private version: number | undefined
  private contentVersion: number | undefined

  constructor(
    private readonly folder: IndexFolder,
    options: StoredWordsOptions = {},
    private readonly memory = new ReadingMemory(),
  ) {
    this.words = new StoredDictionary(folder.databases.dictionary)
    this.counts = new StoredWordCounts(folder.databases.wordCounts)
    this.sets = new StoredSets(folder)
    this.keptWordBytes = options.keptWordBytes ?? KEPT_WORD_BYTES
    this.keptMergedBytes = options.keptMergedBytes ?? KEPT_MERGED_BYTES
    const bytes = options.cacheBytes ?? CACHE_BYTES
    this.cache = new PostingsCache(bytes * (1 - PREFIX_SHARE))
    this.prefixes = new PostingsCache(bytes * PREFIX_SHARE)
  }

  /** What it keeps decoded. */
  get sizeBytes(): number {
    return this.cache.sizeBytes + this.prefixes.sizeBytes
  }

  get dictionary(): Dictionary {
    return this.words
  }

  /** Follows the last commit that this thread sees. What was handed out before is no longer valid. */
  refresh(): void {
    const version = this.folder.version()
    if (version === this.version) return
    const { wordJournal } = this.folder.databases
    const contentVersion = this.folder.contentVersion()
    const known = this.contentVersion
    this.drop(known === undefined ? 'everything' : readJournal(wordJournal, known, contentVersion))
    this.version = version
    this.contentVersion = contentVersion
    this.hasPrefixPostings = hasPrefixPostings(this.folder)
    this.sets.refresh()
  }

  postings(word: string): WordPostings | undefined {
    const known = this.cache.get(word)
    if (known !== undefined) return known
    const maxBlocks = Math.ceil(this.keptWordBytes / MAX_PAIR_BYTES)
    const postings = this.openWord(this.folder.databases.postings, Buffer.from(word), maxBlocks)
    if (postings !== undefined) this.cache.set(word, postings)
    return postings
  }

  prefixPostings(prefix: string): PrefixPostings {
    const bytes = Buffer.from(prefix)
    const isStored = this.hasPrefixPostings && isShortPrefix(bytes)
    const known = this.prefixes.get(prefix)
    if (known !== undefined) return { postings: known, hasWord: isStored }
    const { prefixes, postings: stored } = this.folder.databases
    const postings = isStored ? this.openPrefix(prefixes, bytes) : this.openBelow(stored, bytes, this.keptMergedBytes)
    this.prefixes.set(prefix, postings)
    return { postings, hasWord: isStored }
  }

  wordCount(docId: number, fieldId: number): number {
    return this.counts.get(docId, fieldId)
  }

  private drop(words: ChangedWords): void {
    if (words === 'everything') {
      this.words.readAll()
      this.counts.clear()
      this.cache.clear()
      this.prefixes.clear()
      return
    }
    this.words.readAround(words.renewed)
    if (words.changed.size > 0) this.counts.clear()
    for (const word of words.changed) this.cache.delete(word)
    this.dropPrefixesOf(words.changed)
  }

  private dropPrefixesOf(changed: ReadonlySet<string>): void {
    const left = new Set(this.prefixes.keys())
    for (const word of changed) {
      for (let end = 0; end <= word.length && left.size > 0; end++) {
        const prefix = word.slice(0, end)
        if (left.delete(prefix)) this.prefixes.delete(prefix)
      }
    }
  }

  /** Undefined when there are none. With more than about `maxBlocks` they are read again when they are wanted. */
  private openWord(database: Database, word: Buffer, maxBlocks: number): (WordPostings & Sized) | undefined {
    if (word.length > MAX_WORD_BYTES) return undefined
    const { memory } = this
    const { collected } = memory
    collected.clear()
    if (collectBlocks(collected, database, word, maxBlocks))
      return collected.docCount === 0 ? undefined : new DecodedPostings(collected, memory)
    return new LongPostings(new StoredBlocks(database, { start: postingKey(word, 0), end: postingsEnd(word) }), memory)
  }

  private openPrefix(database: Database, prefix: Buffer): WordPostings & Sized {
    const maxBlocks = Math.ceil(this.keptWordBytes / PREFIX_PAIR_BYTES)
    return this.openWord(database, prefix, maxBlocks) ?? DecodedPostings.of([], this.memory)
  }

  /** All words that are longer: the word itself is read on its own anyway. */
  private openBelow(database: Database, prefix: Buffer, keptBytes: number): WordPostings & Sized {
    const { memory } = this
    // No word is longer, and the store looks for no key that is much longer.
    if (prefix.length > MAX_WORD_BYTES) return new MergedPostings([], memory)
    const stored = new StoredBlocks(
      database,
      prefix.length === 0 ? {} : { start: postingsEnd(prefix), end: prefixEnd(prefix)! },
    )
    const blocks = stored.upTo(keptBytes)
    return blocks === undefined ? new LongPostings(stored, memory) : new MergedPostings(blocks, memory)
  }
}

/** At most about `limit` of them; answers whether these are all. Most words have one, which takes no range to read. */
function collectBlocks(collected: CollectedBlocks, database: Database, word: Buffer, limit: number): boolean {
  const bytes = database.getBorrowed(postingKey(word, 0))
  if (bytes === undefined) return true
  const first = new BlockReader(0, bytes)
  collected.add(first)
  if (!first.isSplit) return true
  let left = limit
  const range = { start: postingKey(word, 1), end: postingsEnd(word), limit }
  database.eachBorrowed(range, (key, borrowed) => {
    left--
    collected.add(new BlockReader(boundOf(key), borrowed))
  })
  return left > 0
}
