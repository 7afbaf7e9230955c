import { ScriptProblem } from './problem.js'
import type { Int } from './value.js'

const MIN_I64 = -(2n ** 63n)
export const MAX_I64 = 2n ** 63n - 1n

/** The integer in its one form (`number` when safe), or undefined when it does not fit into 64 bits. */
export function toInt(exact: bigint): Int | undefined {
  if (exact < MIN_I64 || exact > MAX_I64) return undefined
  const near = Number(exact)
  return Number.isSafeInteger(near) ? near : exact
}

/** The integer nearest to a double towards zero, or undefined when there is none in 64 bits. */
export function intFromDouble(value: number): Int | undefined {
  const whole = Math.trunc(value)
  if (Number.isSafeInteger(whole)) return whole + 0
  return Number.isFinite(whole) ? toInt(BigInt(whole)) : undefined
}

/** An integer used as a position or length: beyond the safe range only its sign matters. */
export function toPosition(value: Int): number {
  if (typeof value === 'number') return value
  return value < 0n ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER
}

// In the four functions below a safe result of doubles is exact; every other result is computed again as a bigint.

export function addInts(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b
    if (Number.isSafeInteger(sum)) return sum
  }
  return checked(BigInt(a) + BigInt(b), () => `${a} + ${b}`)
}

export function subtractInts(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b
    if (Number.isSafeInteger(difference)) return difference
  }
  return checked(BigInt(a) - BigInt(b), () => `${a} - ${b}`)
}

export function multiplyInts(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b
    // Adding zero turns -0 into 0.
    if (Number.isSafeInteger(product)) return product + 0
  }
  return checked(BigInt(a) * BigInt(b), () => `${a} * ${b}`)
}

export function divideInts(a: Int, b: Int): Int {
  if (b === 0) throw arithmetic(`${a} is divided by zero`)
  // Taking the remainder away first makes the division exact.
  if (typeof a === 'number' && typeof b === 'number') return (a - (a % b)) / b + 0
  return checked(BigInt(a) / BigInt(b), () => `${a} / ${b}`)
}

export function remainderOfInts(a: Int, b: Int): Int {
  if (b === 0) throw arithmetic(`the remainder of ${a} divided by zero`)
  if (typeof a === 'number' && typeof b === 'number') return (a % b) + 0
  // The quotient of the smallest integer by -1 overflows, and so its remainder is refused too.
  checked(BigInt(a) / BigInt(b), () => `${a} % ${b}`)
  return checked(BigInt(a) % BigInt(b), () => `${a} % ${b}`)
}

export function powerOfInts(base: Int, exponent: Int): Int {
  if (exponent < 0) throw arithmetic(`${base} ** ${exponent}: an integer cannot be raised to a negative power`)
  if (base === 0 || base === 1 || exponent === 0) return exponent === 0 ? 1 : base
  if (base === -1) return BigInt(exponent) % 2n === 0n ? 1 : -1
  // From 2 on, the 64th power is out of range.
  if (exponent > 63) throw arithmetic(`${base} ** ${exponent} overflows 64 bits`)
  return checked(BigInt(base) ** BigInt(exponent), () => `${base} ** ${exponent}`)
}

/** Bits pushed out are lost; a negative distance shifts the other way. */
export function shiftLeft(value: Int, distance: Int): Int {
  const bits = toPosition(distance)
  if (bits < 0) return shiftRight(value, -bits)
  return bits > 63 ? 0 : wrapped(BigInt(value) << BigInt(bits))
}

export function shiftRight(value: Int, distance: Int): Int {
  const bits = toPosition(distance)
  if (bits < 0) return shiftLeft(value, -bits)
  return wrapped(BigInt(value) >> BigInt(Math.min(bits, 63)))
}

export function andInts(a: Int, b: Int): Int {
  return wrapped(BigInt(a) & BigInt(b))
}

export function orInts(a: Int, b: Int): Int {
  return wrapped(BigInt(a) | BigInt(b))
}

export function xorInts(a: Int, b: Int): Int {
  return wrapped(BigInt(a) ^ BigInt(b))
}

/** The low 64 bits, read as a signed integer. */
export function wrapped(exact: bigint): Int {
  const low = BigInt.asIntN(64, exact)
  const near = Number(low)
  return Number.isSafeInteger(near) ? near : low
}

function checked(exact: bigint, describe: () => string): Int {
  const value = toInt(exact)
  if (value === undefined) throw arithmetic(`${describe()} overflows 64 bits`)
  return value
}

export function arithmetic(message: string): ScriptProblem {
  return new ScriptProblem('ErrorArithmetic', message)
}
