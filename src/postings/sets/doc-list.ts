import { type DenseDocSet, lowestBit } from '../../bitmap/index.js'
import type { ByteReader, ByteWriter } from '../../bytes/index.js'
import { CorruptBytes } from '../../bytes/index.js'

/**
 * An ascending list of 16-bit numbers:
 *
 * ```
 * count * 2 + is dense(varint), then
 *   dense: bytes(varint), that many bytes of bits, the lowest first
 *   otherwise: for each number the gap to the one before it(varint), less one
 * ```
 *
 * Dense is what takes fewer bytes that way.
 */
export function writeDocList(writer: ByteWriter, docs: Uint16Array): void {
  const { length: count } = docs
  const bitBytes = count === 0 ? 0 : (docs[count - 1]! >>> 3) + 1
  const isDense = count > bitBytes
  writer.varint(count * 2 + (isDense ? 1 : 0))
  if (isDense) writeBits(writer, docs, bitBytes)
  else writeGaps(writer, docs)
}

function writeBits(writer: ByteWriter, docs: Uint16Array, bitBytes: number): void {
  writer.varint(bitBytes)
  const bytes = writer.memory(bitBytes)
  const at = writer.length
  bytes.fill(0, at, at + bitBytes)
  for (let i = 0; i < docs.length; i++) bytes[at + (docs[i]! >>> 3)]! |= 1 << (docs[i]! & 7)
  writer.length += bitBytes
}

function writeGaps(writer: ByteWriter, docs: Uint16Array): void {
  const bytes = writer.memory(docs.length * 3)
  let at = writer.length
  let least = 0
  for (let i = 0; i < docs.length; i++) {
    let gap = docs[i]! - least
    least = docs[i]! + 1
    while (gap >= 0x80) {
      bytes[at++] = (gap & 0x7f) | 0x80
      gap >>>= 7
    }
    bytes[at++] = gap
  }
  writer.length = at
}

/** Reads a list into memory with room for 65,536 numbers; answers how many there are. */
export function readDocList(reader: ByteReader, docs: Uint16Array): number {
  const head = reader.varint()
  const count = head >>> 1
  if (count > docs.length) throw new CorruptBytes('a list of documents is too long')
  return head & 1 ? readBits(reader, docs, count) : readGaps(reader, docs, count)
}

function readBits(reader: ByteReader, docs: Uint16Array, count: number): number {
  const bits = reader.raw(reader.varint())
  let next = 0
  for (let i = 0; i < bits.length; i++) {
    for (let rest = bits[i]!; rest !== 0; rest &= rest - 1) {
      if (next === count) throw new CorruptBytes('a list of documents counts wrongly')
      docs[next++] = i * 8 + lowestBit(rest)
    }
  }
  return next
}

function readGaps(reader: ByteReader, docs: Uint16Array, count: number): number {
  const { bytes } = reader
  let { at } = reader
  let least = 0
  for (let i = 0; i < count; i++) {
    let byte = bytes[at++]!
    let gap = byte & 0x7f
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[at++]!
      gap |= (byte & 0x7f) << shift
    }
    docs[i] = least + gap
    least += gap + 1
  }
  if (at > reader.end) throw new CorruptBytes('a list of documents ends too early')
  reader.at = at
  return count
}

/** Adds a list to a set, each number plus `base`, but for those beyond the limit of the set. */
export function addDocList(reader: ByteReader, docs: DenseDocSet, base: number, scratch: Uint16Array): void {
  const head = reader.varint()
  if (head & 1) {
    docs.addBits(reader.raw(reader.varint()), base)
    return
  }
  const count = head >>> 1
  if (count > scratch.length) throw new CorruptBytes('a list of documents is too long')
  docs.addShort(scratch.subarray(0, readGaps(reader, scratch, count)), base)
}

/** Passes over a list. */
export function skipDocList(reader: ByteReader, scratch: Uint16Array): void {
  const head = reader.varint()
  if (head & 1) reader.skip(reader.varint())
  else readGaps(reader, scratch, head >>> 1)
}
