import { excerpt } from '../errors/index.js'
import { Float, type JsonValue, printStart } from '../json/index.js'
import { suggest } from './suggest.js'

/** How much of a found value a message shows. */
const SHOWN_CHARACTERS = 120

/** The kind of a value, in the words of spec 1 §2.10. */
export function kindOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (typeof value === 'number' || typeof value === 'bigint')
    return value < 0 ? 'a negative integer' : 'a positive integer'
  if (value instanceof Float) return 'a number'
  if (typeof value === 'string') return 'a string'
  if (typeof value === 'boolean') return 'a boolean'
  return Array.isArray(value) ? 'an array' : 'an object'
}

/** The value as compact JSON, cut when long. */
export function shown(value: JsonValue): string {
  return printStart(value, SHOWN_CHARACTERS)
}

const place = (path: string, root: string): string => (path === '' ? root : `\`${excerpt(path)}\``)

export function wrongType(path: string, expected: string, found: JsonValue): string {
  return `${place(path, 'The body')}: ${expected} was expected, ${kindOf(found)} was found: ${shown(found)}.`
}

export function wrongValue(path: string, reason: string): string {
  return `${place(path, 'The body')}: ${reason}.`
}

export function unknownField(path: string, name: string, accepted: readonly string[]): string {
  const inside = path === '' ? '' : ` inside \`${excerpt(path)}\``
  return `There is no field ${shown(name)}${inside}${didYouMean(name, accepted)}; known are ${nameList(accepted)}.`
}

export function unknownParameter(name: string, accepted: readonly string[]): string {
  return `There is no parameter ${shown(name)}${didYouMean(name, accepted)}; known are ${nameList(accepted)}.`
}

export function unknownChoice(path: string, found: string, accepted: readonly string[]): string {
  return `${place(path, 'The value')}: ${shown(found)} is not known${didYouMean(found, accepted)}; accepted are ${nameList(accepted)}.`
}

export function missingField(path: string, name: string): string {
  return `The field \`${name}\` is missing${path === '' ? '' : ` inside \`${excerpt(path)}\``}.`
}

function didYouMean(received: string, accepted: readonly string[]): string {
  const near = suggest(received, accepted)
  return near === undefined ? '' : ` (did you mean \`${near}\`?)`
}

const nameList = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ') || 'none'
