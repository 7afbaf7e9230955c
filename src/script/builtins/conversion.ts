import { Float, parse } from '../../json/index.js'
import { debugText, displayText } from '../display.js'
import { arithmetic, toInt } from '../integer.js'
import { fromJson } from '../json-values.js'
import { ScriptProblem } from '../problem.js'
import { type Int, Range, Sequence, typeName, type Value } from '../value.js'
import { trimBlanks } from './blanks.js'
import { anything, float, type Host, int, pure, string } from './define.js'

// Parsing makes many small values from few characters, so it is dearer than other work on text.
const JSON_CHARACTERS_PER_OPERATION = 8

// Without nested repetition, so that it takes linear time.
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

const FLOAT_NAMES = new Map([
  ['inf', Number.POSITIVE_INFINITY],
  ['infinity', Number.POSITIVE_INFINITY],
  ['nan', Number.NaN],
])

/** Functions that turn values of one type into another (spec 3 §6.5). */
export const CONVERSION = [
  pure('to_string', [anything], ([value], host) => displayText(value, host.meter)),
  pure('to_debug', [anything], ([value], host) => debugText(value, host.meter)),
  pure('type_of', [anything], ([value]) => typeName(value)),
  pure('parse_int', [string], ([text]) => parseInteger(text, 10)),
  pure('parse_int', [string, int], ([text, radix]) => parseInteger(text, Number(radix))),
  pure('parse_float', [string], ([text]) => new Float(parseDecimal(text))),
  pure('parse_json', [string], ([text], host) => parseJson(text, host)),
  pure('range', [int, int], ([from, to]) => new Range(from, to, false)),
  pure('range', [int, int, int], ([from, to, step]) => intSteps(from, to, step)),
  pure('range', [float, float], ([from, to]) => floatSteps(from.value, to.value, 1)),
  pure('range', [float, float, float], ([from, to, step]) => floatSteps(from.value, to.value, step.value)),
]

function parseInteger(text: string, radix: number): Int {
  if (!(radix >= 2 && radix <= 36)) throw arithmetic(`the radix ${radix} is not between 2 and 36`)
  const trimmed = trimBlanks(text)
  const isNegative = trimmed.startsWith('-')
  const digits = isNegative || trimmed.startsWith('+') ? trimmed.slice(1) : trimmed
  const exact = digitsValue(digits, radix)
  const value = exact === undefined ? undefined : toInt(isNegative ? -exact : exact)
  if (value === undefined) throw unreadable(text, 'an integer of 64 bits')
  return value
}

/** The value of digits, or undefined when one is none, or when there is not one, or when it is beyond 64 bits. */
function digitsValue(digits: string, radix: number): bigint | undefined {
  if (digits === '') return undefined
  let value = 0n
  for (const character of digits) {
    const digit = Number.parseInt(character, radix)
    if (Number.isNaN(digit) || value >= 2n ** 64n) return undefined
    value = value * BigInt(radix) + BigInt(digit)
  }
  return value
}

function parseDecimal(text: string): number {
  const trimmed = trimBlanks(text)
  if (DECIMAL.test(trimmed)) return Number(trimmed)
  const isSigned = trimmed.startsWith('-') || trimmed.startsWith('+')
  const named = FLOAT_NAMES.get(trimmed.slice(isSigned ? 1 : 0).toLowerCase())
  if (named === undefined) throw unreadable(text, 'a number')
  return trimmed.startsWith('-') ? -named : named
}

function parseJson(text: string, host: Host): Value {
  host.meter.spend(Math.trunc(text.length / JSON_CHARACTERS_PER_OPERATION))
  const parsed = parse(text)
  if (!parsed.ok) throw new ScriptProblem('ErrorRuntime', `the text is not JSON: ${parsed.reason}`)
  return fromJson(parsed.value)
}

function unreadable(text: string, wanted: string): ScriptProblem {
  const shown = JSON.stringify(text.length > 50 ? `${text.slice(0, 50)}…` : text)
  return new ScriptProblem('ErrorRuntime', `${shown} is not ${wanted}`)
}

/** From the first number up to, or down to, the second, which is left out. */
function intSteps(from: Int, to: Int, step: Int): Sequence {
  if (step === 0) throw arithmetic('the step of a range is zero')
  return new Sequence(function* () {
    const end = BigInt(to)
    const distance = BigInt(step)
    for (let at = BigInt(from); distance > 0n ? at < end : at > end; at += distance) yield toInt(at)!
  })
}

function floatSteps(from: number, to: number, step: number): Sequence {
  if (!(Math.abs(step) > 0)) throw arithmetic('the step of a range is zero')
  return new Sequence(function* () {
    for (let at = from; step > 0 ? at < to : at > to; at += step) yield new Float(at)
  })
}
