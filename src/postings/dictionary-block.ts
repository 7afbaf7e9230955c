import { ByteReader, ByteWriter, CorruptBytes } from '../bytes/index.js'
import { readWords, type WordColumns, writeWords } from './front-coding.js'

/**
 * A block of the dictionary, the value of the database `dictionary`:
 *
 * ```
 * version(1 byte) generation(4 bytes) words (front-coded)
 * ```
 *
 * The key is a lower bound of its words: the lowest key for the first block, for others the word that they began with
 * when they were made. The generation is the version of the index that changed the block last, so a reader that knows
 * the block of a generation need not read it again.
 */
const VERSION = 1

/** Not above any word: no word holds a zero character. LMDB's reverse ranges would not reach a key of zeros. */
export const LOWEST_KEY = Buffer.of(1)

export function encodeDictionaryBlock(
  generation: number,
  words: readonly Uint8Array[],
  writer = new ByteWriter(4096),
): Buffer {
  writer.clear()
  writer.byte(VERSION)
  writer.uint32(generation)
  writeWords(writer, words)
  return writer.take()
}

/** The generation of a block, without its words. */
export function generationOf(bytes: Uint8Array): number {
  return openBlock(bytes).uint32()
}

export function decodeDictionaryBlock(bytes: Uint8Array): WordColumns {
  const reader = openBlock(bytes)
  reader.uint32()
  return readWords(reader)
}

function openBlock(bytes: Uint8Array): ByteReader {
  const reader = new ByteReader(bytes)
  const version = reader.byte()
  if (version !== VERSION) throw new CorruptBytes(`a block of the dictionary has version ${version}`)
  return reader
}
