/**
 * Keys of the database `postings`: a word (UTF-8), a zero byte and the lower bound of a block (4 bytes, big endian). No
 * word holds a zero character, so keys sort by word and then by bound. The block of a document is the one with the
 * greatest bound that is not above its docId, and the first block of a word always has bound 0.
 */
const BOUND_BYTES = 4
/** What a key has behind the word. */
export const TAIL_BYTES = 1 + BOUND_BYTES
const TERMINATOR = 0

/** The key of a block of a word. */
export function postingKey(word: Uint8Array, bound: number): Buffer {
  const key = Buffer.allocUnsafe(word.length + TAIL_BYTES)
  key.set(word, 0)
  key[word.length] = TERMINATOR
  key.writeUInt32BE(bound, word.length + 1)
  return key
}

/** Behind all blocks of a word. */
export function postingsEnd(word: Uint8Array): Buffer {
  const key = Buffer.allocUnsafe(word.length + 1)
  key.set(word, 0)
  key[word.length] = TERMINATOR + 1
  return key
}

export function boundOf(key: Buffer): number {
  return key.readUInt32BE(key.length - BOUND_BYTES)
}

/** The first bytes behind all that begin with `prefix`; undefined when there are none. UTF-8 has no byte 255. */
export function prefixEnd(prefix: Uint8Array): Buffer | undefined {
  if (prefix.length === 0) return undefined
  const end = Buffer.from(prefix)
  end[end.length - 1]!++
  return end
}
