import type { Meter } from '../meter.js'
import { TemplateProblem } from '../problem.js'
import { textOf, type Value } from '../value.js'
import { type Filter, type Filters, onText, wholeNumber } from './filter.js'

const change = (run: (text: string) => string): Filter => onText(0, 0, run)

const ENTITIES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
])
const escapeAll = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES.get(character)!)
const escapeOnce = (text: string): string =>
  text.replace(/&(?!(?:amp|lt|gt|quot|#39);)|[<>"']/g, (character) => ENTITIES.get(character)!)

/** Nil stays nil. */
function orNil(filter: Filter): Filter {
  return { ...filter, run: (input, values, work) => (input === null ? null : filter.run(input, values, work)) }
}

function capitalize(text: string): string {
  const [first = ''] = text
  return first.toUpperCase() + text.slice(first.length)
}

/** Without scripts, styles and comments, then without tags. */
function stripHtml(text: string): string {
  const withoutContent = [
    ['<script', '</script>'],
    ['<style', '</style>'],
    ['<!--', '-->'],
  ].reduce((rest, [from, to]) => dropBetween(rest, from!, to!), text)
  return dropBetween(withoutContent, '<', '>')
}

/** Drops every stretch from one mark to the next other one. Once there is no end mark left, no start mark counts. */
function dropBetween(text: string, from: string, to: string): string {
  const lower = asciiLower(text)
  let kept = ''
  let at = 0
  while (true) {
    const start = lower.indexOf(from, at)
    const end = start === -1 ? -1 : lower.indexOf(to, start + from.length)
    if (end === -1) return kept + text.slice(at)
    kept += text.slice(at, start)
    at = end + to.length
  }
}

/** Keeps the length, which `toLowerCase` does not. */
const asciiLower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

function urlEncode(text: string): string {
  let encoded = ''
  for (const byte of Buffer.from(text)) {
    const character = String.fromCharCode(byte)
    encoded += /[A-Za-z0-9._-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return encoded
}

function urlDecode(text: string): string {
  const spaced = Buffer.from(text.replaceAll('+', ' ')).toString('latin1')
  const bytes = spaced.replace(/%[0-9A-Fa-f]{2}/g, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes, 'latin1'))
  } catch (cause) {
    throw new TemplateProblem('the decoded text is not valid UTF-8', { cause })
  }
}

/** The size of the result is told to the meter before it is made: it may be the product of two long texts. */
function replaceAll(text: string, [pattern, replacement]: [string, string], meter: Meter): string {
  const parts = text.split(pattern)
  meter.spend(text.length + parts.length * replacement.length)
  return pattern === '' ? replacement + parts.join(replacement) + replacement : parts.join(replacement)
}

function replacing(least: number, most: number): Filter {
  return {
    least,
    most,
    run(input, [pattern, replacement = ''], { meter }) {
      return replaceAll(textOf(input, meter), [textOf(pattern!, meter), textOf(replacement, meter)], meter)
    },
  }
}

function replaceFirst(text: string, [pattern = '', replacement = '']: readonly string[]): string {
  const at = text.indexOf(pattern)
  return at === -1 ? text : text.slice(0, at) + replacement + text.slice(at + pattern.length)
}

function split(text: string, [separator = '']: readonly string[]): Value {
  if (text === '') return []
  return separator === '' ? [...text] : text.split(separator)
}

/** Made when it is needed: it takes tens of milliseconds. */
let graphemes: Intl.Segmenter | undefined

/** The limit is in bytes, what is kept in graphemes, as in the reference (spec 3 §7.2). */
function truncate(text: string, limit: number, ending: string): string {
  if (Buffer.byteLength(text) <= limit) return text
  const count = Math.max(0, limit - Buffer.byteLength(ending))
  let kept = ''
  let taken = 0
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  for (const { segment } of graphemes.segment(text)) {
    if (taken++ >= count) break
    kept += segment
  }
  return kept + ending
}

function truncateWords(text: string, limit: number, ending: string): string {
  const words = text.split(' ')
  return words.length <= limit ? text : words.slice(0, Math.max(0, limit)).join(' ') + ending
}

const DEFAULT_LENGTH = 50

function truncating(run: (text: string, limit: number, ending: string) => string): Filter {
  return {
    least: 0,
    most: 2,
    run(input, [limit, ending = '...'], { meter }) {
      return run(textOf(input, meter), wholeNumber(limit, DEFAULT_LENGTH), textOf(ending, meter))
    },
  }
}

export const textFilters: Filters = {
  append: onText(1, 1, (text, [ending]) => text + ending),
  prepend: onText(1, 1, (text, [beginning]) => beginning + text),
  upcase: change((text) => text.toUpperCase()),
  downcase: change((text) => text.toLowerCase()),
  capitalize: change(capitalize),
  strip: change((text) => text.trim()),
  lstrip: change((text) => text.trimStart()),
  rstrip: change((text) => text.trimEnd()),
  strip_newlines: change((text) => text.replace(/[\r\n]/g, '')),
  newline_to_br: change((text) => text.replaceAll('\n', '<br />\n')),
  strip_html: change(stripHtml),
  escape: orNil(change(escapeAll)),
  escape_once: orNil(change(escapeOnce)),
  url_encode: orNil(change(urlEncode)),
  url_decode: orNil(change(urlDecode)),
  replace: replacing(1, 2),
  replace_first: onText(1, 2, replaceFirst),
  remove: replacing(1, 1),
  remove_first: onText(1, 1, replaceFirst),
  split: onText(1, 1, split),
  truncate: truncating(truncate),
  truncatewords: truncating(truncateWords),
}
