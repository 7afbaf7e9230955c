import { Float } from '../json/index.js'
import { checkDepth } from './comparison.js'
import type { Meter } from './meter.js'
import { sortedKeys } from './text.js'
import { Char, FunctionValue, isMap, Range, type ScriptMap, type Value } from './value.js'

// Magnitudes outside of these are shown with an exponent (spec 3 §6.5).
const LARGEST_PLAIN = 1e13
const SMALLEST_PLAIN = 1e-13

/** The text of a value in interpolation, `+` and `to_string`. */
export function displayText(value: Value, meter: Meter): string {
  if (value === null) return ''
  if (typeof value === 'string') return value
  return value instanceof Char ? value.text : debugText(value, meter)
}

/** The text of a value inside arrays and maps and in `to_debug`: strings are quoted. */
export function debugText(value: Value, meter: Meter, depth = 0): string {
  const text = isMap(value) || Array.isArray(value) ? containerText(value, meter, depth) : scalarText(value)
  meter.spend(1)
  meter.spendText(text.length)
  return text
}

function containerText(value: Value[] | ScriptMap, meter: Meter, depth: number): string {
  checkDepth(depth)
  if (Array.isArray(value)) return `[${value.map((item) => debugText(item, meter, depth + 1)).join(', ')}]`
  const entry = (key: string) => `${JSON.stringify(key)}: ${debugText(value.get(key)!, meter, depth + 1)}`
  return `#{${sortedKeys(value).map(entry).join(', ')}}`
}

function scalarText(value: Exclude<Value, Value[] | ScriptMap>): string {
  if (value === null) return '()'
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value !== 'object') return String(value)
  if (value instanceof Float) return floatText(value.value)
  if (value instanceof Char) return `'${value.text}'`
  if (value instanceof Range) return `${value.from}${value.isInclusive ? '..=' : '..'}${value.to}`
  return value instanceof FunctionValue ? `Fn(${value.name})` : 'iterator'
}

function floatText(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  if (value === 0) return '0.0'
  const size = Math.abs(value)
  if (size > LARGEST_PLAIN || size < SMALLEST_PLAIN) return value.toExponential().replace('+', '')
  // The shortest digits that read back, all of them after the point that lie there, but at least one.
  const [mantissa = '', exponent = '0'] = size.toExponential().split('e')
  const fraction = Math.max(0, mantissa.length - 2) - Number(exponent)
  return value.toFixed(Math.max(1, fraction))
}
