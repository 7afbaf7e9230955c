import { ByteReader, type ByteWriter } from '../bytes/index.js'
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
  const kind = kindOf(norm, spelling)
  // Those of capitals are ASCII, a byte for each unit.
  const normBytes = kind === CAPITALS ? norm.length : Buffer.byteLength(norm)
  writer.varint(normBytes * 4 + kind)
  writer.utf8(norm)
  if (kind === CAPITALS) writeMask(writer, norm, spelling!)
  if (kind === OTHER) writer.text(spelling!)
}

function kindOf(norm: string, spelling: string | null): number {
  if (spelling === null) return LONG
  if (spelling === norm) return SAME
  return isCapitalized(norm, spelling) ? CAPITALS : OTHER
}

/** The spelling is ASCII, and in lower case it is the norm. */
function isCapitalized(norm: string, spelling: string): boolean {
  if (norm.length !== spelling.length) return false
  for (let i = 0; i < norm.length; i++) {
    const unit = spelling.charCodeAt(i)
    const isCapital = unit >= 0x41 && unit <= 0x5a
    if (unit >= 0x80 || norm.charCodeAt(i) !== (isCapital ? unit + 0x20 : unit)) return false
  }
  return true
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
