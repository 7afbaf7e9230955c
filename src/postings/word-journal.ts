import { sortedUnique } from '../byte-order/index.js'
import { ByteReader, ByteWriter, CorruptBytes } from '../bytes/index.js'
import type { Database } from '../store/index.js'
import { readWords, wordsOf, writeWords } from './front-coding.js'

/**
 * Which words changed in which version of the index, so that readers keep what they know of all others. The database
 * `wordJournal` maps
 *
 * ```
 * version of the index(4 bytes)  to  version(1 byte) kind(1 byte) changed words, words that came or went (front-coded)
 * ```
 *
 * with kind 0 for lists of words and 1 for "everything may have changed", without words. A version that changed no
 * word has no entry. Only the last versions are kept: a reader that is further behind forgets everything.
 */
const VERSION = 1
const LISTED = 0
const EVERYTHING = 1

/** How many versions are kept. */
export const KEPT_VERSIONS = 64

/** A version that changes more words is not listed word by word. */
const MAX_WORDS = 20_000

/** The changed words, or that there are too many to say. */
export type ChangedWords = WordLists | 'everything'

interface WordLists {
  /** Words that stand elsewhere than before. */
  readonly changed: ReadonlySet<string>
  /** Those of them that the dictionary gained or lost. */
  readonly renewed: ReadonlySet<string>
}

/** Gathers the words that one version changes. */
export class JournalEntry {
  private readonly changed = new Set<string>()
  private readonly renewed = new Set<string>()
  /** There are too many words to list: more of them change nothing. */
  isFull = false

  add(word: string, isRenewed: boolean): void {
    if (this.isFull) return
    this.changed.add(word)
    if (isRenewed) this.renewed.add(word)
    this.isFull = this.changed.size > MAX_WORDS
  }

  get words(): ChangedWords {
    return this.isFull ? 'everything' : { changed: this.changed, renewed: this.renewed }
  }
}

/** Adds to the entry of `version`, and drops entries that are too old. */
export function writeJournal(database: Database, version: number, words: ChangedWords): void {
  if (words !== 'everything' && words.changed.size === 0) return
  const key = keyOf(version)
  const stored = database.get(key)
  database.put(key, encodeEntry(stored === undefined ? words : unite(decodeEntry(stored), words)))
  const oldest = Math.max(0, version - KEPT_VERSIONS + 1)
  for (const old of [...database.keys({ end: keyOf(oldest) })]) database.delete(old)
}

/** What changed after version `from`, up to version `to`. */
export function readJournal(database: Database, from: number, to: number): ChangedWords {
  if (from > to || to - from > KEPT_VERSIONS) return 'everything'
  let words: ChangedWords = { changed: new Set(), renewed: new Set() }
  for (const { value } of database.range({ start: keyOf(from + 1), end: keyOf(to + 1) })) {
    words = unite(words, decodeEntry(value))
  }
  return words
}

function unite(a: ChangedWords, b: ChangedWords): ChangedWords {
  if (a === 'everything' || b === 'everything') return 'everything'
  return { changed: new Set([...a.changed, ...b.changed]), renewed: new Set([...a.renewed, ...b.renewed]) }
}

export function encodeEntry(words: ChangedWords): Buffer {
  const writer = new ByteWriter(1024)
  writer.byte(VERSION)
  writer.byte(words === 'everything' ? EVERYTHING : LISTED)
  if (words === 'everything') return writer.take()
  for (const list of [words.changed, words.renewed]) {
    writeWords(
      writer,
      sortedUnique(list).map((word) => Buffer.from(word)),
    )
  }
  return writer.take()
}

export function decodeEntry(bytes: Uint8Array): ChangedWords {
  const reader = new ByteReader(bytes)
  const version = reader.byte()
  if (version !== VERSION) throw new CorruptBytes(`the journal of words has version ${version}`)
  if (reader.byte() === EVERYTHING) return 'everything'
  const [changed, renewed] = [readSet(reader), readSet(reader)]
  return { changed, renewed }
}

function readSet(reader: ByteReader): Set<string> {
  return new Set(wordsOf(readWords(reader)).map((word) => word.toString('utf8')))
}

function keyOf(version: number): Buffer {
  const key = Buffer.allocUnsafe(4)
  key.writeUInt32BE(version)
  return key
}
