import fc from 'fast-check'
import { expect, test } from 'vitest'
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
  toInt,
  xorInts,
} from './integer.js'
import { ScriptProblem } from './problem.js'
import type { Int } from './value.js'

const edges = [0n, 1n, 2n ** 31n, 2n ** 32n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 62n, 2n ** 63n - 1n, 2n ** 63n]
const exact = fc
  .oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.bigInt(-100n, 100n),
    fc.constantFrom(...edges),
    fc.constantFrom(...edges).map((n) => -n),
  )
  .filter((n) => toInt(n) !== undefined)

/** The result as a bigint, and 'error' for a refusal. Checks that it is in its one form. */
function outcome(operation: () => Int): bigint | 'error' {
  try {
    const result = operation()
    expect(typeof result).toBe(Number.isSafeInteger(Number(result)) ? 'number' : 'bigint')
    expect(Object.is(result, -0)).toBe(false)
    return BigInt(result)
  } catch (problem) {
    if (problem instanceof ScriptProblem) return 'error'
    throw problem
  }
}

function plain(operation: () => bigint): bigint | 'error' {
  try {
    const result = operation()
    return toInt(result) === undefined ? 'error' : result
  } catch {
    return 'error'
  }
}

test.each([
  ['+', addInts, (a: bigint, b: bigint) => a + b],
  ['-', subtractInts, (a: bigint, b: bigint) => a - b],
  ['*', multiplyInts, (a: bigint, b: bigint) => a * b],
  ['/', divideInts, (a: bigint, b: bigint) => a / b],
  ['&', andInts, (a: bigint, b: bigint) => a & b],
  ['|', orInts, (a: bigint, b: bigint) => a | b],
  ['^', xorInts, (a: bigint, b: bigint) => a ^ b],
])('%s agrees with arithmetic of any size, cut at 64 bits', (_name, fast, slow) => {
  fc.assert(
    fc.property(exact, exact, (a, b) => {
      expect(outcome(() => fast(toInt(a)!, toInt(b)!))).toBe(plain(() => slow(a, b)))
    }),
    { numRuns: 300 },
  )
})

test('% agrees too, but refuses the smallest integer by -1', () => {
  fc.assert(
    fc.property(exact, exact, (a, b) => {
      const expected = plain(() => a % b)
      const isRefused = a === -(2n ** 63n) && b === -1n
      expect(outcome(() => remainderOfInts(toInt(a)!, toInt(b)!))).toBe(isRefused ? 'error' : expected)
    }),
    { numRuns: 300 },
  )
})

test('** agrees with repeated multiplication', () => {
  fc.assert(
    fc.property(fc.bigInt(-20n, 20n), fc.bigInt(-3n, 70n), (base, exponent) => {
      expect(outcome(() => powerOfInts(toInt(base)!, toInt(exponent)!))).toBe(plain(() => base ** exponent))
    }),
  )
})

test('shifts lose what leaves the 64 bits', () => {
  fc.assert(
    fc.property(exact, fc.integer({ min: -70, max: 70 }), (value, distance) => {
      const bits = BigInt(distance)
      expect(outcome(() => shiftLeft(toInt(value)!, distance))).toBe(BigInt.asIntN(64, value << bits))
      expect(outcome(() => shiftRight(toInt(value)!, distance))).toBe(BigInt.asIntN(64, value >> bits))
    }),
  )
})
