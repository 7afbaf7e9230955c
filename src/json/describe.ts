import { excerpt } from '../errors/index.js'
import { printStart } from './print.js'
import { Float, type JsonValue } from './value.js'

/** How much of a found value a message shows. */
const SHOWN_CHARACTERS = 120

/** The value as compact JSON, cut when long: for messages. */
export function shown(value: JsonValue): string {
  return printStart(value, SHOWN_CHARACTERS)
}

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

/** The sentence for a value of another type than was expected at a place; the whole body where the path is empty. */
export function wrongType(path: string, expected: string, found: JsonValue): string {
  return `${path === '' ? 'The body' : `\`${excerpt(path)}\``}: ${expected} was expected, ${kindOf(found)} was found: ${shown(found)}.`
}
