import { MAX_WORD_BYTES } from '../../text/index.js'
import type { IndexFolder } from '../folder/index-folder.js'
import { ByteCache } from './byte-cache.js'
import { DecodedPostings } from './decoded-postings.js'
import { MergedPostings } from './merged-postings.js'
import type { Dictionary, Postings, WordIndex } from './model.js'
import { BlockReader } from './posting-block.js'
import { boundOf, postingKey, postingsEnd, prefixEnd } from './posting-key.js'
import { StoredDictionary } from './stored-dictionary.js'
import { StoredWordCounts } from './word-counts.js'
import { type ChangedWords, readJournal } from './word-journal.js'

export interface StoredWordsOptions {
  /** Memory for decoded postings, 64 MB unless given. */
  readonly cacheBytes?: number
}

const CACHE_BYTES = 64 << 20

// Keys of the cache: words and prefixes do not meet.
const WORD = '='
const PREFIX = '^'

/** The words of an index, read from the store. Keeps what it decoded until it changes. */
export class StoredWords implements WordIndex {
  private readonly words: StoredDictionary
  private readonly counts: StoredWordCounts
  private readonly cache: ByteCache<DecodedPostings | MergedPostings>
  /** Undefined before the first `refresh`. */
  private version: number | undefined

  constructor(
    private readonly folder: IndexFolder,
    options: StoredWordsOptions = {},
  ) {
    this.words = new StoredDictionary(folder.databases.dictionary)
    this.counts = new StoredWordCounts(folder.databases.wordCounts)
    this.cache = new ByteCache(options.cacheBytes ?? CACHE_BYTES)
  }

  get dictionary(): Dictionary {
    return this.words
  }

  /** Follows the last commit that this thread sees. What was handed out before is no longer valid. */
  refresh(): void {
    const version = this.folder.version()
    if (version === this.version) return
    const { wordJournal } = this.folder.databases
    this.drop(this.version === undefined ? 'everything' : readJournal(wordJournal, this.version, version))
    this.version = version
  }

  postings(word: string): Postings | undefined {
    const key = WORD + word
    const known = this.cache.get(key)
    if (known !== undefined) return known
    const blocks = this.blocksOf(Buffer.from(word))
    if (blocks.length === 0) return undefined
    const postings = new DecodedPostings(blocks)
    this.cache.set(key, postings)
    return postings
  }

  prefixPostings(prefix: string): Postings {
    const key = PREFIX + prefix
    const known = this.cache.get(key)
    if (known !== undefined) return known
    const postings = new MergedPostings(this.blocksBelow(Buffer.from(prefix)))
    this.cache.set(key, postings)
    return postings
  }

  wordCount(docId: number, fieldId: number): number {
    return this.counts.get(docId, fieldId)
  }

  private blocksOf(word: Buffer): BlockReader[] {
    const { postings } = this.folder.databases
    const bytes = word.length > MAX_WORD_BYTES ? undefined : postings.get(postingKey(word, 0))
    if (bytes === undefined) return []
    const first = new BlockReader(0, bytes)
    if (!first.isSplit) return [first]
    return [first, ...Array.from(postings.range({ start: postingKey(word, 1), end: postingsEnd(word) }), toReader)]
  }

  private blocksBelow(prefix: Buffer): BlockReader[] {
    // No word is longer, and the store looks for no key that is much longer.
    if (prefix.length > MAX_WORD_BYTES) return []
    const range = prefix.length === 0 ? {} : { start: prefix, end: prefixEnd(prefix)! }
    return Array.from(this.folder.databases.postings.range(range), toReader)
  }

  private drop(words: ChangedWords): void {
    if (words === 'everything') {
      this.words.readAll()
      this.counts.clear()
      this.cache.clear()
      return
    }
    this.words.readAround(words.renewed)
    if (words.changed.size > 0) this.counts.clear()
    for (const word of words.changed) this.cache.delete(WORD + word)
    this.dropPrefixesOf(words.changed)
  }

  private dropPrefixesOf(changed: ReadonlySet<string>): void {
    const kept = new Set(Array.from(this.cache.keys()).filter((key) => key.startsWith(PREFIX)))
    for (const word of changed) {
      for (let end = 0; end <= word.length && kept.size > 0; end++) {
        const key = PREFIX + word.slice(0, end)
        if (kept.delete(key)) this.cache.delete(key)
      }
    }
  }
}

function toReader({ key, value }: { readonly key: Buffer; readonly value: Buffer }): BlockReader {
  return new BlockReader(boundOf(key), value)
}
