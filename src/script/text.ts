import { toPosition } from './integer.js'
import type { Char, Int, Range } from './value.js'

// Positions and lengths that scripts see count characters (code points); JavaScript counts UTF-16 units. The two
// agree in text without surrogates, which is nearly all text.
const SURROGATE = /[\ud800-\udfff]/

export function textOf(value: string | Char): string {
  return typeof value === 'string' ? value : value.text
}

export function characterCount(text: string): number {
  return SURROGATE.test(text) ? countPairsOnce(text) : text.length
}

function countPairsOnce(text: string): number {
  let count = 0
  for (let i = 0; i < text.length; i++) if (!isLowSurrogate(text.charCodeAt(i))) count++
  return count
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000
}

/** The UTF-16 offset of a character position that is at most the number of characters. */
export function offsetOf(text: string, position: number): number {
  if (!SURROGATE.test(text)) return position
  let offset = 0
  for (let left = position; left > 0 && offset < text.length; left--) {
    offset += isLowSurrogate(text.charCodeAt(offset + 1)) ? 2 : 1
  }
  return offset
}

/** A part of something with a length, both in characters or entries. */
export interface Portion {
  readonly from: number
  readonly to: number
}

/**
 * The part that starts at a position and has a length (spec 3 §6.5): a negative start counts from the end, clipped
 * at 0; a start past the end is the end; no length is the rest, a length of 0 or less nothing.
 */
export function portion(size: number, start: Int, length: Int = size): Portion {
  const from = startPosition(size, start)
  const count = Math.max(0, toPosition(length))
  return { from, to: Math.min(size, from + count) }
}

export function startPosition(size: number, start: Int): number {
  const position = toPosition(start)
  return position < 0 ? Math.max(0, size + position) : Math.min(size, position)
}

/** The part of a range: a negative start is the beginning. */
export function rangePortion(size: number, range: Range): Portion {
  const from = Math.max(0, toPosition(range.from))
  const to = Math.max(from, toPosition(range.to) + (range.isInclusive ? 1 : 0))
  return { from: Math.min(size, from), to: Math.min(size, to) }
}

/** The position an index means, negative ones counting from the end; undefined when there is none. */
export function indexPosition(size: number, index: Int): number | undefined {
  const given = toPosition(index)
  const position = given < 0 ? size + given : given
  return position >= 0 && position < size ? position : undefined
}

export function cut(text: string, part: Portion): string {
  const start = offsetOf(text, part.from)
  return text.slice(start, start + offsetOf(text.slice(start), part.to - part.from))
}

/** The text with one character replaced by another. */
export function replaceCharacter(text: string, position: number, character: string): string {
  const start = offsetOf(text, position)
  const end = start + offsetOf(text.slice(start), 1)
  return text.slice(0, start) + character + text.slice(end)
}

/** Order of code points, which is also the order of UTF-8 bytes. JavaScript's `<` orders UTF-16 units. */
export function compareText(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  for (let i = 0; i < shorter; i++) {
    const left = a.charCodeAt(i)
    const right = b.charCodeAt(i)
    if (left !== right) return codePointRank(left) - codePointRank(right)
  }
  return a.length - b.length
}

/** Surrogates stand for code points above all others. */
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit
}

/** Keys of a map in the order of their bytes. */
export function sortedKeys(map: ReadonlyMap<string, unknown>): string[] {
  return [...map.keys()].sort(compareText)
}
