import { toPosition } from '../integer.js'
import type { Meter } from '../meter.js'
import type { Int } from '../value.js'
import { isBlank } from './blanks.js'

/** How to split: at which text, into how many parts at most, from which end. */
export interface Split {
  readonly delimiter: string
  readonly max?: Int
  readonly isReverse?: boolean
}

/** The parts of a text. The last one holds the rest when there would be more than `max`. */
export function splitText(text: string, split: Split, meter: Meter): string[] {
  // One more than is allowed shows that it is too many without making them all.
  const max = Math.min(Math.max(1, toPosition(split.max ?? Number.MAX_SAFE_INTEGER)), meter.limits.entries + 1)
  const parts = split.isReverse ? fromEnd(text, split.delimiter, max) : fromStart(text, split.delimiter, max)
  meter.checkEntries(parts.length)
  meter.spend(parts.length)
  return parts
}

function fromStart(text: string, delimiter: string, max: number): string[] {
  const parts: string[] = []
  let start = 0
  for (const offset of delimiter === '' ? boundaries(text) : occurrences(text, delimiter)) {
    if (parts.length === max - 1) break
    parts.push(text.slice(start, offset))
    start = offset + delimiter.length
  }
  parts.push(text.slice(start))
  return parts
}

function fromEnd(text: string, delimiter: string, max: number): string[] {
  const parts: string[] = []
  let end = text.length
  for (const offset of delimiter === '' ? boundariesBackwards(text) : occurrencesBackwards(text, delimiter)) {
    if (parts.length === max - 1) break
    parts.push(text.slice(offset + delimiter.length, end))
    end = offset
  }
  parts.push(text.slice(0, end))
  return parts
}

function* occurrences(text: string, wanted: string): Generator<number> {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) yield at
}

function* occurrencesBackwards(text: string, wanted: string): Generator<number> {
  let end = text.length
  while (end >= wanted.length) {
    const at = text.lastIndexOf(wanted, end - wanted.length)
    if (at < 0) return
    yield at
    end = at
  }
}

/** Offsets around every character, the start and the end among them. */
function* boundaries(text: string): Generator<number> {
  let offset = 0
  yield offset
  for (const character of text) yield (offset += character.length)
}

function* boundariesBackwards(text: string): Generator<number> {
  let offset = text.length
  yield offset
  while (offset > 0) {
    const isPair = offset > 1 && text.codePointAt(offset - 2)! > 0xffff
    yield (offset -= isPair ? 2 : 1)
  }
}

/** The words of a text: its parts between blanks, none of them empty. */
export function splitAtBlanks(text: string, meter: Meter): string[] {
  const words: string[] = []
  let start = 0
  for (let i = 0; i <= text.length; i++) {
    if (i < text.length && !isBlank(text.charCodeAt(i))) continue
    if (i > start) words.push(text.slice(start, i))
    if (words.length > meter.limits.entries) break
    start = i + 1
  }
  meter.checkEntries(words.length)
  meter.spend(words.length)
  return words
}
