import { Float } from '../json/index.js'
import { compare, equals, toNumber } from './comparison.js'
import { displayText } from './display.js'
import {
  addInts,
  andInts,
  divideInts,
  multiplyInts,
  orInts,
  powerOfInts,
  remainderOfInts,
  shiftLeft,
  shiftRight,
  subtractInts,
  xorInts,
} from './integer.js'
import type { Meter } from './meter.js'
import { ScriptProblem } from './problem.js'
import { textOf } from './text.js'
import { Char, type Int, isInt, isMap, kindOf, Range, type ScriptMap, typeName, type Value } from './value.js'

/** An operator of two evaluated operands. */
export type Binary = (left: Value, right: Value, meter: Meter) => Value

/** Every binary operator but the short-circuiting `&&`, `||` and `??`. */
export const BINARY_OPERATORS: ReadonlyMap<string, Binary> = new Map<string, Binary>([
  ['+', add],
  ['-', subtract],
  ['*', numeric('*', multiplyInts, (a, b) => a * b)],
  ['/', numeric('/', divideInts, (a, b) => a / b)],
  ['%', numeric('%', remainderOfInts, (a, b) => a % b)],
  ['**', numeric('**', powerOfInts, powerOfDoubles)],
  ['<<', ofInts('<<', shiftLeft)],
  ['>>', ofInts('>>', shiftRight)],
  ['&', logical('&', andInts, (a, b) => a && b)],
  ['|', logical('|', orInts, (a, b) => a || b)],
  ['^', logical('^', xorInts, (a, b) => a !== b)],
  ['==', equals],
  ['!=', (left, right, meter) => !equals(left, right, meter)],
  ['<', ordering('<', (order) => order < 0)],
  ['<=', ordering('<=', (order) => order <= 0)],
  ['>', ordering('>', (order) => order > 0)],
  ['>=', ordering('>=', (order) => order >= 0)],
  ['in', (item, container, meter) => contains(container, item, meter)],
  ['!in', (item, container, meter) => !contains(container, item, meter)],
  ['..', (from, to) => rangeOf('..', from, to)],
  ['..=', (from, to) => rangeOf('..=', from, to)],
])

export type Unary = (operand: Value) => Value

export const UNARY_OPERATORS: ReadonlyMap<string, Unary> = new Map<string, Unary>([
  ['-', negate],
  ['+', (operand) => (toNumber(operand) === undefined ? refuse('+', [operand]) : operand)],
  ['!', (operand) => (typeof operand === 'boolean' ? !operand : refuse('!', [operand]))],
])

/** "No such function": also the answer to operands of wrong types (spec 3 §6.5.3). */
export function notFound(name: string, args: readonly Value[]): ScriptProblem {
  return new ScriptProblem('ErrorFunctionNotFound', `function not found: ${name} (${args.map(typeName).join(', ')})`)
}

function refuse(name: string, args: readonly Value[]): never {
  throw notFound(name, args)
}

const addNumbers = numeric('+', addInts, (a, b) => a + b)
const subtractNumbers = numeric('-', subtractInts, (a, b) => a - b)

function add(left: Value, right: Value, meter: Meter): Value {
  if (isInt(left) && isInt(right)) return addInts(left, right)
  if (typeof left === 'string' || typeof right === 'string') return joinTexts(left, right, meter)
  if (left instanceof Char && right instanceof Char) return left.text + right.text
  if (Array.isArray(left) && Array.isArray(right)) return joinArrays(left, right, meter)
  if (isMap(left) && isMap(right)) return overlay(left, right, meter)
  return addNumbers(left, right, meter)
}

/** The text of both. JavaScript joins without copying, so only the shorter one is paid for. */
export function joinTexts(left: Value, right: Value, meter: Meter): string {
  const head = displayText(left, meter)
  const tail = displayText(right, meter)
  meter.checkText(head.length + tail.length)
  meter.spendText(Math.min(head.length, tail.length))
  return head + tail
}

function joinArrays(left: readonly Value[], right: readonly Value[], meter: Meter): Value[] {
  meter.checkEntries(left.length + right.length)
  meter.spendCopies(left.length + right.length)
  return [...left, ...right]
}

function overlay(left: ScriptMap, right: ScriptMap, meter: Meter): ScriptMap {
  meter.spendCopies(left.size + right.size)
  const merged = new Map([...left, ...right])
  meter.checkEntries(merged.size)
  return merged
}

function subtract(left: Value, right: Value, meter: Meter): Value {
  if (isInt(left) && isInt(right)) return subtractInts(left, right)
  if (typeof left === 'string' && (typeof right === 'string' || right instanceof Char)) {
    return replaceText({ text: left, from: textOf(right), to: '' }, meter)
  }
  return subtractNumbers(left, right, meter)
}

/** The text with every occurrence replaced. An empty `from` occurs around every character. */
export function replaceText(task: { text: string; from: string; to: string }, meter: Meter): string {
  const { text, from, to } = task
  meter.spendText(text.length)
  const count = from === '' ? text.length + 1 : countOccurrences(text, from)
  const length = text.length + count * (to.length - from.length)
  meter.checkText(length)
  meter.spendText(length)
  if (from === '') {
    meter.spend(count)
    return ['', ...text, ''].join(to)
  }
  meter.spendCopies(count)
  // `$` has a meaning in replacements; `$$` stands for it.
  return text.replaceAll(from, to.replaceAll('$', '$$$$'))
}

function countOccurrences(text: string, wanted: string): number {
  let count = 0
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) count++
  return count
}

function numeric(name: string, ofInts: (a: Int, b: Int) => Int, ofDoubles: (a: number, b: number) => number): Binary {
  return (left, right) => {
    if (isInt(left) && isInt(right)) return ofInts(left, right)
    const a = toNumber(left)
    const b = toNumber(right)
    return a === undefined || b === undefined ? refuse(name, [left, right]) : new Float(ofDoubles(a, b))
  }
}

function powerOfDoubles(base: number, exponent: number): number {
  // IEEE: one to any power is one, which JavaScript denies for NaN and infinity.
  return base === 1 ? 1 : base ** exponent
}

function ofInts(name: string, operation: (a: Int, b: Int) => Int): Binary {
  return (left, right) => (isInt(left) && isInt(right) ? operation(left, right) : refuse(name, [left, right]))
}

function logical(name: string, ints: (a: Int, b: Int) => Int, bools: (a: boolean, b: boolean) => boolean): Binary {
  return (left, right) => {
    if (typeof left === 'boolean' && typeof right === 'boolean') return bools(left, right)
    return isInt(left) && isInt(right) ? ints(left, right) : refuse(name, [left, right])
  }
}

/** Between different types without order the answer is false (spec 3 §6.3); within one type it is an error. */
function ordering(name: string, isSatisfied: (order: number) => boolean): Binary {
  return (left, right, meter) => {
    const order = compare(left, right, meter)
    if (order !== undefined) return isSatisfied(order)
    return left !== null && kindOf(left) === kindOf(right) ? refuse(name, [left, right]) : false
  }
}

/** `item in container`. */
export function contains(container: Value, item: Value, meter: Meter): boolean {
  if (Array.isArray(container)) return container.some((element) => equals(element, item, meter))
  if (container instanceof Range) return isInRange(container, item)
  if (typeof item !== 'string' && !(item instanceof Char)) return refuse('in', [item, container])
  const text = textOf(item)
  meter.spendText(text.length)
  if (isMap(container)) return container.has(text)
  if (typeof container !== 'string') return refuse('in', [item, container])
  meter.spendText(container.length)
  return container.includes(text)
}

export function isInRange(range: Range, item: Value): boolean {
  const number = isInt(item) ? item : toNumber(item)
  if (number === undefined) return false
  return number >= range.from && (range.isInclusive ? number <= range.to : number < range.to)
}

function rangeOf(name: string, from: Value, to: Value): Value {
  return isInt(from) && isInt(to) ? new Range(from, to, name === '..=') : refuse(name, [from, to])
}

function negate(operand: Value): Value {
  if (operand instanceof Float) return new Float(-operand.value)
  if (!isInt(operand)) return refuse('-', [operand])
  return subtractInts(0, operand)
}
