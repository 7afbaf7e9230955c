import { Float, type JsonValue } from './value.js'

const MIN_I64 = -(2n ** 63n)
const MAX_U64 = 2n ** 64n - 1n
/** 2^64 has 20 digits, -2^63 has 19 and a sign: what is longer is beyond 64 bits, and slow to make a bigint of. */
const MAX_INTEGER_LENGTH = 20

/**
 * The value of a number literal that is valid JSON, or undefined when it overflows a double.
 * `-0` is a float: integers have no negative zero.
 */
export function numberFromLiteral(literal: string): number | bigint | Float | undefined {
  const value = Number(literal)
  if (!isIntegerLiteral(literal)) return Number.isFinite(value) ? new Float(value) : undefined
  if (Number.isSafeInteger(value)) return Object.is(value, -0) ? new Float(value) : value
  if (literal.length <= MAX_INTEGER_LENGTH) {
    const exact = BigInt(literal)
    if (exact >= MIN_I64 && exact <= MAX_U64) return exact
  }
  return Number.isFinite(value) ? new Float(value) : undefined
}

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

/**
 * The value of text that is a decimal number as people write them, with a sign, a point at either end or an exponent if
 * they like; undefined when it is none. It may be infinite.
 */
export function numberFromDecimal(text: string): number | undefined {
  return DECIMAL.test(text) ? Number(text) : undefined
}

function isIntegerLiteral(literal: string): boolean {
  for (let i = 0; i < literal.length; i++) {
    const code = literal.charCodeAt(i)
    // '.', 'E', 'e'
    if (code === 0x2e || code === 0x45 || code === 0x65) return false
  }
  return true
}

/**
 * The text of a double as documents show it (spec 3 §2.9): plain with a fraction for decimal exponents from -5 to
 * 15 (`1.0`, `0.00001`), else scientific with a signed exponent (`1e+16`, `1.5e-7`). Shortest digits that read back.
 */
export function floatText(value: number): string {
  const size = Math.abs(value)
  // Here JavaScript writes the same, except that it leaves out the fraction of whole numbers.
  if (size >= 1e-5 && size < 1e16) return Number.isInteger(value) ? `${value}.0` : String(value)
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0'
  if (!Number.isFinite(value)) return 'null'
  const [mantissa = '', exponentText = ''] = Math.abs(value).toExponential().split('e')
  const exponent = Number(exponentText)
  const sign = value < 0 ? '-' : ''
  if (exponent < -5 || exponent > 15) return `${sign}${mantissa}e${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`
  return sign + plainDecimal(mantissa.replace('.', ''), exponent)
}

function plainDecimal(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  return `${whole}.${digits.slice(exponent + 1) || '0'}`
}

/** Text of any number of `JsonValue`. */
export function numberText(value: Extract<JsonValue, number | bigint | Float>): string {
  return value instanceof Float ? floatText(value.value) : String(value)
}
