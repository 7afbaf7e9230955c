import { numberText } from './number.js'
import { Float, isObject, isRaw, type JsonValue } from './value.js'

/**
 * The beginning of what `print` makes of a value, with `…` where it is cut. It costs no more than what is shown, however
 * large the value is.
 */
export function printStart(value: JsonValue, mostCharacters: number): string {
  const text = start(value, mostCharacters)
  return text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters)}…`
}

/** All of the text, or more than `most` characters of it. */
function start(value: JsonValue, most: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, Math.max(0, most) + 1))
  if (Array.isArray(value)) return `${startOfEach('[', value, most, (item, left) => start(item, left))}]`
  if (!isObject(value)) return print(value)
  const member = ([name, inner]: [string, JsonValue], left: number) => `${start(name, left)}:${start(inner, left)}`
  return `${startOfEach('{', value, most, member)}}`
}

function startOfEach<T>(
  open: string,
  items: Iterable<T>,
  most: number,
  startOf: (item: T, left: number) => string,
): string {
  let text = open
  for (const item of items) {
    if (text.length > most) break
    text += `${text === open ? '' : ','}${startOf(item, most - text.length)}`
  }
  return text
}

/** Compact JSON text: members in their order, non-ASCII characters as they are. */
export function print(value: JsonValue): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Float) return numberText(value)
  if (Array.isArray(value)) return `[${value.map(print).join(',')}]`
  if (isRaw(value)) return value.text
  const members: string[] = []
  for (const [name, member] of value) members.push(`${JSON.stringify(name)}:${print(member)}`)
  return `{${members.join(',')}}`
}
