import { ByteReader, type ByteWriter } from '../../bytes/index.js'
import type { TextValue } from './column-value.js'

/**
 * How a document spells a text whose norm is known. Most differ from their norm by capital letters only:
 *
 * ```
 * kind 0  the norm itself
 * kind 1  mask            one bit for each byte of the norm, lowest first: set where the letter is a capital
 * kind 2  size(varint) text
 * kind 3  too long: see the document
 * ```
 */
const SAME = 0
const CAPITALS = 1
const OTHER = 2
const LONG = 3

const maskBytes = (normBytes: number): number => (normBytes + 7) >>> 3

/** Writes head, norm and spelling. */
export function encodeSpelling(writer: ByteWriter, { norm, spelling }: TextValue): void {
  const bytes = Buffer.from(norm)
  const kind = kindOf(norm, spelling)
  writer.varint(bytes.length * 4 + kind)
  writer.raw(bytes)
  if (kind === CAPITALS) writeMask(writer, norm, spelling!)
  if (kind === OTHER) writer.text(spelling!)
}

const ASCII = /^[\0-\x7f]*$/

function kindOf(norm: string, spelling: string | null): number {
  if (spelling === null) return LONG
  if (spelling === norm) return SAME
  return ASCII.test(spelling) && spelling.toLowerCase() === norm ? CAPITALS : OTHER
}

function writeMask(writer: ByteWriter, norm: string, spelling: string): void {
  for (let from = 0; from < norm.length; from += 8) {
    let mask = 0
    for (let i = from; i < Math.min(from + 8, norm.length); i++) {
      if (norm.charCodeAt(i) !== spelling.charCodeAt(i)) mask |= 1 << (i - from)
    }
    writer.byte(mask)
  }
}

/** A text among others: `at` is where its norm begins. */
interface StoredText {
  readonly bytes: Buffer
  readonly at: number
  readonly head: number
}

export function decodeSpelling({ bytes, at, head }: StoredText, norm: string): string | null {
  const end = at + (head >>> 2)
  switch (head & 3) {
    case SAME:
      return norm
    case CAPITALS:
      return withCapitals(norm, bytes, end)
    case OTHER:
      return new ByteReader(bytes, end).text()
    default:
      return null
  }
}

function withCapitals(norm: string, bytes: Buffer, maskAt: number): string {
  let text = ''
  for (let i = 0; i < norm.length; i++) {
    const isCapital = (bytes[maskAt + (i >>> 3)]! >>> (i & 7)) & 1
    text += isCapital ? norm[i]!.toUpperCase() : norm[i]
  }
  return text
}

/** Passes over what follows the norm. */
export function skipSpelling(reader: ByteReader, head: number): void {
  const kind = head & 3
  if (kind === CAPITALS) reader.skip(maskBytes(head >>> 2))
  else if (kind === OTHER) reader.skip(reader.varint())
}
