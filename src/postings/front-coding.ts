import { type ByteReader, type ByteWriter, CorruptBytes } from '../bytes/index.js'

/**
 * Sorted words, each as what it has in common with the one before:
 *
 * ```
 * count(varint) total bytes(varint) { shared bytes(1 byte) other bytes(1 byte) the other bytes }*
 * ```
 *
 * The total is that of the words as they are. They have at most 250 bytes (spec 5 §2.3), so one byte is enough for a
 * length.
 */
export function writeWords(writer: ByteWriter, words: readonly Uint8Array[]): void {
  writer.varint(words.length)
  writer.varint(words.reduce((total, word) => total + word.length, 0))
  let before = NONE
  for (const word of words) {
    const shared = sharedBytes(before, word)
    writer.byte(shared)
    writer.byte(word.length - shared)
    writer.raw(word, shared)
    before = word
  }
}

const NONE: Uint8Array = new Uint8Array(0)

export function sharedBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  let shared = 0
  while (shared < length && a[shared] === b[shared]) shared++
  return shared
}

/** Sorted words in memory: all bytes behind one another, and for each word where it ends and what it shares. */
export interface WordColumns {
  readonly bytes: Buffer
  readonly ends: Uint32Array
  /** How many bytes are those of the word before. */
  readonly shared: Uint8Array
}

export function readWords(reader: ByteReader): WordColumns {
  const count = reader.varint()
  // Damaged counts must not ask for memory: a word takes two bytes at least, and 255 at most.
  if (count * 2 > reader.end - reader.at) throw outOfOrder()
  const total = reader.varint()
  if (total > count * 255) throw outOfOrder()
  const bytes = Buffer.alloc(total)
  const ends = new Uint32Array(count)
  const shared = new Uint8Array(count)
  let start = 0
  let end = 0
  for (let i = 0; i < count; i++) {
    const same = reader.byte()
    const others = reader.byte()
    const from = reader.skip(others)
    if (same > end - start || end + same + others > total) throw outOfOrder()
    for (let j = 0; j < same; j++) bytes[end + j] = bytes[start + j]!
    for (let j = 0; j < others; j++) bytes[end + same + j] = reader.bytes[from + j]!
    start = end
    end += same + others
    ends[i] = end
    shared[i] = same
  }
  return { bytes, ends, shared }
}

/** Each word by itself: views into the columns. */
export function wordsOf({ bytes, ends }: WordColumns): Buffer[] {
  return Array.from(ends, (end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1]!, end))
}

function outOfOrder(): CorruptBytes {
  return new CorruptBytes('a list of words is out of order')
}
