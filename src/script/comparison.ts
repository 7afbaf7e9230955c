import { Float } from '../json/index.js'
import type { Meter } from './meter.js'
import { LimitProblem } from './problem.js'
import { compareText } from './text.js'
import { Char, FunctionValue, isInt, isMap, Range, type Value } from './value.js'

/** Values nested deeper than this are not walked: documents cannot be, and the walks are recursive. */
const MAX_VALUE_DEPTH = 256

export function checkDepth(depth: number): void {
  if (depth > MAX_VALUE_DEPTH) throw new LimitProblem(`a value is nested deeper than ${MAX_VALUE_DEPTH} levels`)
}

/** The number of an int or float, undefined for everything else. */
export function toNumber(value: Value): number | undefined {
  if (isInt(value)) return Number(value)
  return value instanceof Float ? value.value : undefined
}

/** `==` (spec 3 §6.3). A character equals the string of that character. */
export function equals(a: Value, b: Value, meter: Meter, depth = 0): boolean {
  meter.spend(1)
  if (typeof a === 'string' && typeof b === 'string') return equalTexts(a, b, meter)
  if (isInt(a) && isInt(b)) return a === b
  if (a === null || typeof a === 'boolean') return a === b
  return equalScalars(a, b) ?? equalContainers(a, b, meter, depth)
}

function equalTexts(a: string, b: string, meter: Meter): boolean {
  if (a.length !== b.length) return false
  meter.spendText(a.length)
  return a === b
}

function equalScalars(a: Value, b: Value): boolean | undefined {
  const left = toNumber(a)
  if (left !== undefined) return left === toNumber(b)
  if (a instanceof Char || b instanceof Char) return characterText(a) === characterText(b)
  if (a instanceof Range && b instanceof Range) {
    return a.from === b.from && a.to === b.to && a.isInclusive === b.isInclusive
  }
  if (a instanceof FunctionValue && b instanceof FunctionValue) return a.name === b.name && a.closure === b.closure
  return undefined
}

/** The text of a character or string; for other values something equal to nothing else. */
function characterText(value: Value): unknown {
  if (value instanceof Char) return value.text
  return typeof value === 'string' ? value : Symbol('no text')
}

function equalContainers(a: Value, b: Value, meter: Meter, depth: number): boolean {
  checkDepth(depth)
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, i) => equals(item, b[i]!, meter, depth + 1))
  }
  if (!isMap(a) || !isMap(b) || a.size !== b.size) return false
  for (const [key, value] of a) {
    const other = b.get(key)
    if (other === undefined || !equals(value, other, meter, depth + 1)) return false
  }
  return true
}

/**
 * Negative, zero or positive like a comparator; NaN when one of two numbers is NaN; undefined when the two have no
 * order.
 */
export function compare(a: Value, b: Value, meter: Meter): number | undefined {
  if (isInt(a) && isInt(b)) return a < b ? -1 : Number(a > b)
  const left = toNumber(a)
  const right = toNumber(b)
  if (left !== undefined && right !== undefined) return compareDoubles(left, right)
  if (isText(a) && isText(b)) return compareTexts(a, b, meter)
  return typeof a === 'boolean' && typeof b === 'boolean' ? Number(a) - Number(b) : undefined
}

function compareDoubles(a: number, b: number): number {
  if (a < b) return -1
  if (a > b) return 1
  return a === b ? 0 : Number.NaN
}

function compareTexts(a: string | Char, b: string | Char, meter: Meter): number {
  const left = typeof a === 'string' ? a : a.text
  const right = typeof b === 'string' ? b : b.text
  meter.spendText(Math.max(left.length, right.length))
  return compareText(left, right)
}

function isText(value: Value): value is string | Char {
  return typeof value === 'string' || value instanceof Char
}
