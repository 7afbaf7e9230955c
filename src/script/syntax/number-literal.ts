import { Float } from '../../json/index.js'
import { toInt, wrapped } from '../integer.js'
import type { Value } from '../value.js'
import type { Reader } from './reader.js'

const RADIX = /0[xX][0-9a-fA-F][0-9a-fA-F_]*|0[oO][0-7][0-7_]*|0[bB][01][01_]*/y
const DECIMAL = /[0-9][0-9_]*(?:\.[0-9][0-9_]*)?(?:[eE][+-]?[0-9][0-9_]*)?/y
const WORD_CHARACTER = /[\p{L}\p{Nd}_]/uy

// More digits than any double or 64-bit integer has; longer ones would be slow to convert.
const MAX_DIGITS = 400

/** Reads a number that starts here with a digit. Decimal integers beyond 64 bits become floats. */
export function readNumber(reader: Reader): Value {
  const radix = reader.match(RADIX)
  const text = (radix || reader.match(DECIMAL)).replaceAll('_', '')
  if (text.length > MAX_DIGITS) throw reader.problem('the number has too many digits')
  if (reader.match(WORD_CHARACTER) !== '') throw reader.problem('a letter or digit follows a number directly')
  return radix === '' ? decimal(text) : fromRadix(reader, text)
}

function decimal(text: string): Value {
  if (/[.eE]/.test(text)) return new Float(Number(text))
  return toInt(BigInt(text)) ?? new Float(Number(text))
}

/** All 64 bits may be written, so `0xffff_ffff_ffff_ffff` is -1. */
function fromRadix(reader: Reader, text: string): Value {
  const exact = BigInt(text.toLowerCase())
  if (exact >= 2n ** 64n) throw reader.problem('the number has more than 64 bits')
  return wrapped(exact)
}
