import type { Database } from '../../store/index.js'
import { MAX_WORD_BYTES } from '../../text/index.js'
import type { IndexFolder } from '../folder/index-folder.js'
import { hasBeginnings, isShortBeginning } from './beginnings/short-beginning.js'
import { sum } from './block-columns.js'
import { ByteCache, type Sized } from './byte-cache.js'
import { DecodedPostings } from './decoded-postings.js'
import { MergedPostings } from './merged-postings.js'
import type { Dictionary, WordIndex, WordPostings } from './model.js'
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

/** The part of the memory that merged postings of beginnings may take. */
const PREFIX_SHARE = 1 / 4

/** The words of an index, read from the store. Keeps what it decoded until it changes. */
export class StoredWords implements WordIndex {
  private readonly words: StoredDictionary
  private readonly counts: StoredWordCounts
  private readonly cache: ByteCache<DecodedPostings>
  private readonly prefixes: ByteCache<WordPostings & Sized>
  private hasBeginnings = false
  /** Undefined before the first `refresh`. */
  private version: number | undefined

  constructor(
    private readonly folder: IndexFolder,
    options: StoredWordsOptions = {},
  ) {
    this.words = new StoredDictionary(folder.databases.dictionary)
    this.counts = new StoredWordCounts(folder.databases.wordCounts)
    const bytes = options.cacheBytes ?? CACHE_BYTES
    this.cache = new ByteCache(bytes * (1 - PREFIX_SHARE))
    this.prefixes = new ByteCache(bytes * PREFIX_SHARE)
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
    this.drop(this.version === undefined ? 'everything' : readJournal(wordJournal, this.version, version))
    this.version = version
    this.hasBeginnings = hasBeginnings(this.folder)
  }

  postings(word: string): WordPostings | undefined {
    const known = this.cache.get(word)
    if (known !== undefined) return known
    const blocks = blocksOf(this.folder.databases.postings, Buffer.from(word))
    if (blocks.length === 0) return undefined
    const postings = new DecodedPostings(blocks)
    this.cache.set(word, postings)
    return postings
  }

  prefixPostings(prefix: string): WordPostings {
    const known = this.prefixes.get(prefix)
    if (known !== undefined) return known
    const postings = this.postingsBelow(Buffer.from(prefix))
    this.prefixes.set(prefix, postings)
    return postings
  }

  wordCount(docId: number, fieldId: number): number {
    return this.counts.get(docId, fieldId)
  }

  private postingsBelow(prefix: Buffer): WordPostings & Sized {
    const { beginnings, postings } = this.folder.databases
    if (this.hasBeginnings && isShortBeginning(prefix)) return new DecodedPostings(blocksOf(beginnings, prefix))
    return mergedBelow(postings, prefix)
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
}

function blocksOf(database: Database, word: Buffer): BlockReader[] {
  const bytes = word.length > MAX_WORD_BYTES ? undefined : database.get(postingKey(word, 0))
  if (bytes === undefined) return []
  const first = new BlockReader(0, bytes)
  if (!first.isSplit) return [first]
  return [first, ...Array.from(database.range({ start: postingKey(word, 1), end: postingsEnd(word) }), toReader)]
}

/** From so many bytes on blocks are read again when they are wanted: a few such beginnings would fill the cache. */
const KEPT_BLOCK_BYTES = 2 << 20

function mergedBelow(postings: Database, prefix: Buffer): MergedPostings {
  // No word is longer, and the store looks for no key that is much longer.
  if (prefix.length > MAX_WORD_BYTES) return new MergedPostings([])
  const range = prefix.length === 0 ? {} : { start: prefix, end: prefixEnd(prefix)! }
  const entries = Array.from(postings.range(range))
  const blocks = entries.map(toReader)
  if (sum(blocks, ({ sizeBytes }) => sizeBytes) <= KEPT_BLOCK_BYTES) return new MergedPostings(blocks)
  const keys = new PackedKeys(entries.map(({ key }) => key))
  return new MergedPostings(blocks, (at) => {
    const key = keys.get(at)
    return toReader({ key, value: postings.getBorrowed(key)! })
  })
}

/** Many short keys in one piece of memory. */
class PackedKeys {
  private readonly bytes: Buffer
  private readonly ends: Uint32Array

  constructor(keys: readonly Buffer[]) {
    this.bytes = Buffer.concat(keys)
    let end = 0
    this.ends = Uint32Array.from(keys, ({ length }) => (end += length))
  }

  get(at: number): Buffer {
    return this.bytes.subarray(at === 0 ? 0 : this.ends[at - 1]!, this.ends[at]!)
  }
}

function toReader({ key, value }: { readonly key: Buffer; readonly value: Buffer }): BlockReader {
  return new BlockReader(boundOf(key), value)
}
