import { compareBytes } from '../byte-order/index.js'
import { Float, isObject, type JsonValue } from '../json/index.js'
import type { Meter } from './meter.js'

/** Values of templates are those of documents; nil is null. Integers are `number` or `bigint`, floats `Float`. */
export type Value = JsonValue

export function isInteger(value: Value): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

export function isNumber(value: Value): value is number | bigint | Float {
  return isInteger(value) || value instanceof Float
}

/** Only false and nil are not. */
export function isTruthy(value: Value): boolean {
  return value !== null && value !== false
}

/** `""`, `[]`, `{}` and nil. */
export function isEmpty(value: Value): boolean {
  if (value === null || value === '') return true
  return Array.isArray(value) ? value.length === 0 : isObject(value) && value.size === 0
}

/** Empty, white space only, or false. */
export function isBlank(value: Value): boolean {
  return isEmpty(value) || value === false || (typeof value === 'string' && value.trim() === '')
}

/** What an output writes (spec 3 §7.2): arrays and objects without any separator. */
export function textOf(value: Value, meter: Meter): string {
  const text = scalarText(value) ?? nestedText(value, meter)
  meter.spend(text.length)
  return text
}

function nestedText(value: Value, meter: Meter): string {
  if (Array.isArray(value)) return value.map((item) => textOf(item, meter)).join('')
  let text = ''
  if (isObject(value)) for (const [name, member] of value) text += name + textOf(member, meter)
  return text
}

function scalarText(value: Value): string | undefined {
  if (typeof value === 'string') return value
  if (value === null) return ''
  if (value instanceof Float) return floatText(value.value)
  return typeof value === 'object' ? undefined : String(value)
}

/** Shortest digits that read back, never with an exponent, and without `.0`. */
function floatText(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf'
  const [mantissa = '', exponentText = ''] = Math.abs(value).toExponential().split('e')
  const digits = mantissa.replace('.', '')
  const exponent = Number(exponentText)
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  const fraction = digits.slice(exponent + 1)
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`
}

const asDouble = (value: number | bigint | Float): number => (value instanceof Float ? value.value : Number(value))

/** `==`: numbers by value; with a boolean on one side the other counts as true or false. */
export function areEqual(left: Value, right: Value, meter: Meter): boolean {
  if (typeof left === 'boolean') return isTruthy(right) === left
  if (typeof right === 'boolean') return isTruthy(left) === right
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right) === 0
  if (typeof left === 'string' && typeof right === 'string') {
    if (left.length === right.length) meter.spend(left.length)
    return left === right
  }
  return areNestedEqual(left, right, meter)
}

function areNestedEqual(left: Value, right: Value, meter: Meter): boolean {
  if (Array.isArray(left) && Array.isArray(right)) {
    meter.spend(left.length)
    return left.length === right.length && left.every((item, i) => areEqual(item, right[i]!, meter))
  }
  if (!isObject(left) || !isObject(right)) return left === right
  meter.spend(left.size)
  if (left.size !== right.size) return false
  return [...left].every(([name, member]) => {
    const other = right.get(name)
    return other !== undefined && areEqual(member, other, meter)
  })
}

function compareNumbers(left: number | bigint | Float, right: number | bigint | Float): number | undefined {
  if (isInteger(left) && isInteger(right)) return left < right ? -1 : left > right ? 1 : 0
  const a = asDouble(left)
  const b = asDouble(right)
  return a < b ? -1 : a > b ? 1 : a === b ? 0 : undefined
}

/** Negative, zero or positive; undefined when the two cannot be ordered (nothing is then greater or less). */
export function compareValues(left: Value, right: Value, meter: Meter): number | undefined {
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right)
  if (typeof left !== 'string' || typeof right !== 'string') return undefined
  meter.spend(Math.min(left.length, right.length))
  return compareBytes(left, right)
}

/** A part of an array or object, or the size of a text; undefined when there is no such part. */
export function memberOf(value: Value, key: Value, meter: Meter): Value | undefined {
  if (Array.isArray(value)) return elementOf(value, key)
  if (isObject(value)) {
    if (typeof key !== 'string') return undefined
    return value.has(key) || key !== 'size' ? value.get(key) : value.size
  }
  return typeof value === 'string' && key === 'size' ? sizeBytes(value, meter) : undefined
}

export function sizeBytes(text: string, meter: Meter): number {
  meter.spend(text.length)
  return Buffer.byteLength(text)
}

function elementOf(items: readonly Value[], key: Value): Value | undefined {
  if (key === 'first') return items[0]
  if (key === 'last') return items.at(-1)
  if (key === 'size') return items.length
  const index = typeof key === 'string' && /^-?\d{1,15}$/.test(key) ? Number(key) : key
  return typeof index === 'number' ? items.at(index) : undefined
}
