import { Float } from '../../json/index.js'
import { compare, toNumber } from '../comparison.js'
import { arithmetic, intFromDouble, subtractInts } from '../integer.js'
import type { Int, Value } from '../value.js'
import { type Builtin, float, type Host, int, number, property, pure } from './define.js'

/** Functions of numbers (spec 3 §6.5). */
export const NUMBERS = [
  pure('abs', [int], ([value]) => (value < 0 ? subtractInts(0, value) : value)),
  pure('abs', [float], ([value]) => new Float(Math.abs(value.value))),
  pure('sign', [int], ([value]) => (value < 0 ? -1 : Number(value > 0))),
  pure('sign', [float], ([{ value }]) => (value < 0 ? -1 : Number(value > 0))),
  property('is_zero', number, (value) => toNumber(value) === 0),
  property('is_odd', int, (value) => BigInt(value) % 2n !== 0n),
  property('is_even', int, (value) => BigInt(value) % 2n === 0n),

  pure('to_float', [int], ([value]) => new Float(Number(value))),
  pure('to_hex', [int], ([value]) => bitsText(value, 16)),
  pure('to_octal', [int], ([value]) => bitsText(value, 8)),
  pure('to_binary', [int], ([value]) => bitsText(value, 2)),
  pure('to_int', [float], ([{ value }]) => {
    const whole = intFromDouble(value)
    if (whole === undefined) throw arithmetic(`${value} does not fit into 64 bits`)
    return whole
  }),

  floatProperty('floor', Math.floor),
  floatProperty('ceiling', Math.ceil),
  // Half away from zero.
  floatProperty('round', (value) => Math.sign(value) * Math.round(Math.abs(value))),
  floatProperty('int', Math.trunc),
  floatProperty('fraction', (value) => value - Math.trunc(value)),
  property('is_nan', float, ({ value }) => Number.isNaN(value)),
  property('is_finite', float, ({ value }) => Number.isFinite(value)),
  property('is_infinite', float, ({ value }) => Math.abs(value) === Number.POSITIVE_INFINITY),

  ofFloat('sqrt', Math.sqrt),
  ofFloat('exp', Math.exp),
  ofFloat('ln', Math.log),
  ofFloat('log', Math.log10),
  ofFloats('log', (value, base) => Math.log(value) / Math.log(base)),
  ofFloat('sin', Math.sin),
  ofFloat('cos', Math.cos),
  ofFloat('tan', Math.tan),
  ofFloat('asin', Math.asin),
  ofFloat('acos', Math.acos),
  ofFloat('atan', Math.atan),
  ofFloats('atan', Math.atan2),
  ofFloat('sinh', Math.sinh),
  ofFloat('cosh', Math.cosh),
  ofFloat('tanh', Math.tanh),
  ofFloats('hypot', Math.hypot),
  ofFloat('to_degrees', (value) => (value * 180) / Math.PI),
  ofFloat('to_radians', (value) => (value * Math.PI) / 180),

  pure('min', [number, number], ([a, b], host) => asOneType(a, b, isBefore(b, a, host) ? b : a)),
  pure('max', [number, number], ([a, b], host) => asOneType(a, b, isBefore(a, b, host) ? b : a)),
  pure('PI', [], () => new Float(Math.PI)),
  pure('E', [], () => new Float(Math.E)),
]

/** Negative numbers are shown as their 64 bits. */
function bitsText(value: Int, radix: number): string {
  return BigInt.asUintN(64, BigInt(value)).toString(radix)
}

function floatProperty(name: string, operation: (value: number) => number): Builtin {
  return property(name, float, ({ value }) => new Float(operation(value)))
}

function ofFloat(name: string, operation: (value: number) => number): Builtin {
  return pure(name, [float], ([{ value }]) => new Float(operation(value)))
}

function ofFloats(name: string, operation: (a: number, b: number) => number): Builtin {
  return pure(name, [float, float], ([a, b]) => new Float(operation(a.value, b.value)))
}

function isBefore(a: Value, b: Value, host: Host): boolean {
  return (compare(a, b, host.meter) ?? 0) < 0
}

/** An int chosen between an int and a float becomes a float, as in arithmetic. */
function asOneType(a: Int | Float, b: Int | Float, chosen: Int | Float): Int | Float {
  if (chosen instanceof Float || !(a instanceof Float || b instanceof Float)) return chosen
  return new Float(Number(chosen))
}
