import { Float, numberFromDecimal } from '../../json/index.js'
import { TemplateProblem } from '../problem.js'
import { isInteger, type Value } from '../value.js'
import { type Filter, type Filters, wholeNumber } from './filter.js'

const MIN_INTEGER = -(2n ** 63n)
const MAX_INTEGER = 2n ** 63n - 1n
/** 2^53 has 16 digits, so more decimals than that change nothing. */
const MAX_DECIMALS = 17

/** A number: exact when it is an integer, a double otherwise. */
type Operand = bigint | number

function operand(value: Value): Operand {
  if (isInteger(value)) return BigInt(value)
  if (value instanceof Float) return value.value
  if (typeof value === 'string') {
    const text = value.trim()
    if (/^[+-]?\d{1,19}$/.test(text)) return BigInt(text)
    const decimal = numberFromDecimal(text)
    if (decimal !== undefined) return decimal
  }
  throw new TemplateProblem('a number was expected')
}

function integer(value: bigint): Value {
  if (value < MIN_INTEGER || value > MAX_INTEGER) throw new TemplateProblem('the result is too large for an integer')
  const short = Number(value)
  return Number.isSafeInteger(short) ? short : value
}

/** Beyond 64 bits a double becomes the nearest integer that fits. */
function rounded(value: number): Value {
  if (Number.isNaN(value)) return 0
  if (value >= 2 ** 63) return integer(MAX_INTEGER)
  return value <= -(2 ** 63) ? integer(MIN_INTEGER) : integer(BigInt(value))
}

interface Operation {
  readonly integers: (a: bigint, b: bigint) => bigint
  readonly doubles: (a: number, b: number) => number
}

/** Two integers give an integer; as soon as one operand is a float, so is the result. */
function arithmetic({ integers, doubles }: Operation): Filter {
  return {
    least: 1,
    most: 1,
    run(input, [parameter]) {
      const a = operand(input)
      const b = operand(parameter!)
      if (typeof a === 'bigint' && typeof b === 'bigint') return integer(integers(a, b))
      return new Float(doubles(Number(a), Number(b)))
    },
  }
}

function larger(a: bigint, b: bigint): bigint {
  if (a > b) return a
  return b
}

function nonZero<T extends Operand>(divisor: T): T {
  if (Number(divisor) === 0) throw new TemplateProblem('division by zero')
  return divisor
}

function toInteger(round: (value: number) => number): Filter {
  return {
    least: 0,
    most: 0,
    run(input) {
      const value = operand(input)
      return typeof value === 'bigint' ? integer(value) : rounded(round(value))
    },
  }
}

const halfAwayFromZero = (value: number): number => Math.sign(value) * Math.round(Math.abs(value))

function round(input: Value, [parameter]: readonly Value[]): Value {
  const value = operand(input)
  const decimals = Math.min(wholeNumber(parameter, 0), MAX_DECIMALS)
  if (decimals <= 0) return typeof value === 'bigint' ? integer(value) : rounded(halfAwayFromZero(value))
  const scale = 10 ** decimals
  const scaled = halfAwayFromZero(Number(value) * scale) / scale
  return new Float(Number.isFinite(scaled) ? scaled : Number(value))
}

function abs(input: Value): Value {
  const value = operand(input)
  return typeof value === 'bigint' ? integer(value < 0n ? -value : value) : new Float(Math.abs(value))
}

export const numberFilters: Filters = {
  abs: { least: 0, most: 0, run: abs },
  at_least: arithmetic({ integers: larger, doubles: Math.max }),
  at_most: arithmetic({ integers: (a, b) => a + b - larger(a, b), doubles: Math.min }),
  plus: arithmetic({ integers: (a, b) => a + b, doubles: (a, b) => a + b }),
  minus: arithmetic({ integers: (a, b) => a - b, doubles: (a, b) => a - b }),
  times: arithmetic({ integers: (a, b) => a * b, doubles: (a, b) => a * b }),
  divided_by: arithmetic({ integers: (a, b) => a / nonZero(b), doubles: (a, b) => a / nonZero(b) }),
  modulo: arithmetic({ integers: (a, b) => a % nonZero(b), doubles: (a, b) => a % nonZero(b) }),
  ceil: toInteger(Math.ceil),
  floor: toInteger(Math.floor),
  round: { least: 0, most: 1, run: round },
}
