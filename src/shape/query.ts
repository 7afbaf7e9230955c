import { type ErrorCode, ok, type Result } from '../errors/index.js'
import { numberFromDecimal, shown } from '../json/index.js'
import { refuse } from './body.js'
import { unknownChoice, unknownParameter } from './message.js'
import type { Schema } from './schema.js'

/** What the text of one query parameter must look like. */
export interface Param<T> {
  readonly expected: string
  /** Of the value; of lists it is that of an array, which is written with commas. */
  readonly schema: Schema
  /** `name` is how messages call it: `uids` or `uids[1]`. */
  read(text: string, name: string, code: ErrorCode): Result<T>
}

interface Leaf<T> {
  readonly expected: string
  readonly schema: Schema
  readonly read: (text: string) => T | undefined
}

function param<T>({ expected, schema, read }: Leaf<T>): Param<T> {
  return {
    expected,
    schema,
    read(text, name, code) {
      const value = read(text)
      if (value !== undefined) return ok(value)
      return refuse(code, `Parameter \`${name}\`: ${expected} was expected, ${shown(text)} was found.`)
    },
  }
}

export const textParam: Param<string> = param({
  expected: 'text',
  schema: { type: 'string' },
  read: (value) => value,
})

export const boolParam: Param<boolean> = param({
  expected: '`true` or `false`',
  schema: { type: 'boolean' },
  read: (value) => (value === 'true' ? true : value === 'false' ? false : undefined),
})

/** Decimal digits, with an optional plus, up to 2^64-1. */
export const uintParam: Param<number> = param({
  expected: 'a positive integer',
  schema: { type: 'integer', minimum: 0 },
  read: (value) => unsigned(value, 2n ** 64n - 1n),
})

export const uint32Param: Param<number> = param({
  expected: 'a positive integer',
  schema: { type: 'integer', minimum: 0, maximum: 2 ** 32 - 1 },
  read: (value) => unsigned(value, 2n ** 32n - 1n),
})

export const doubleParam: Param<number> = param({
  expected: 'a number',
  schema: { type: 'number' },
  read: (value) => {
    const number = numberFromDecimal(value)
    return Number.isFinite(number) ? number : undefined
  },
})

function unsigned(digits: string, max: bigint): number | undefined {
  if (!/^\+?\d+$/.test(digits)) return undefined
  const significant = digits.replace(/^\+?0*/, '')
  // 20 digits hold every 64-bit number; more cannot be one, and are not worth a bigint.
  if (significant.length > 20 || BigInt(significant || '0') > max) return undefined
  return Number(significant)
}

export function enumParam<const Choice extends string>(choices: readonly Choice[]): Param<Choice> {
  return choiceParam(choices, (value) => choices.find((choice) => choice === value))
}

/** Task types and statuses: ASCII case does not matter (spec 1 §2.8). */
export function looseEnumParam<const Choice extends string>(choices: readonly Choice[]): Param<Choice> {
  return choiceParam(choices, (value) => choices.find((choice) => choice.toLowerCase() === asciiLower(value)))
}

function choiceParam<Choice extends string>(
  choices: readonly Choice[],
  find: (text: string) => Choice | undefined,
): Param<Choice> {
  return {
    expected: `one of ${choices.join(', ')}`,
    schema: { type: 'string', enum: choices },
    read(value, name, code) {
      const found = find(value)
      return found === undefined ? refuse(code, unknownChoice(name, value, choices)) : ok(found)
    },
  }
}

const asciiLower = (value: string): string => value.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Pieces between commas, empty ones dropped, nothing trimmed. */
export function commaList<T>(item: Param<T>): Param<T[]> {
  return {
    expected: `a list of ${item.expected}`,
    schema: { type: 'array', items: item.schema },
    read(value, name, code) {
      const pieces = value.split(',').filter((piece) => piece !== '')
      return readPieces({ pieces, item, name, code })
    },
  }
}

/** As `commaList`; a piece `*` means "no restriction" (null), though the other pieces must be valid all the same. */
export function starOrList<T>(item: Param<T>): Param<T[] | null> {
  return {
    expected: `\`*\` or a list of ${item.expected}`,
    schema: { type: 'array', items: { anyOf: [item.schema, { const: '*' }] } },
    read(value, name, code) {
      const pieces = value.split(',').filter((piece) => piece !== '')
      const starred: Param<T | '*'> = {
        expected: item.expected,
        schema: item.schema,
        read: (piece, at, c) => (piece === '*' ? ok('*') : item.read(piece, at, c)),
      }
      const items = readPieces({ pieces, item: starred, name, code })
      if (!items.ok) return items
      return items.value.includes('*') ? ok(null) : ok(items.value as T[])
    },
  }
}

interface Pieces<T> {
  readonly pieces: readonly string[]
  readonly item: Param<T>
  readonly name: string
  readonly code: ErrorCode
}

function readPieces<T>({ pieces, item, name, code }: Pieces<T>): Result<T[]> {
  const items: T[] = []
  for (const [i, piece] of pieces.entries()) {
    const read = item.read(piece, pieces.length > 1 ? `${name}[${i}]` : name, code)
    if (!read.ok) return read
    items.push(read.value)
  }
  return ok(items)
}

/** A parameter with a further rule; a rule that answers with text gives the reason. `rest` describes the rule. */
export function refinedParam<T, U>(
  base: Param<T>,
  rule: (value: T) => Result<U> | string,
  rest: Schema = {},
): Param<U> {
  return {
    expected: base.expected,
    schema: { ...base.schema, ...rest },
    read(value, name, code) {
      const read = base.read(value, name, code)
      if (!read.ok) return read
      const outcome = rule(read.value)
      return typeof outcome === 'string' ? refuse(code, `Parameter \`${name}\`: ${outcome}.`) : outcome
    },
  }
}

export interface QueryParam<T> {
  readonly param: Param<T>
  readonly code: ErrorCode
  readonly missing: ErrorCode | 'optional'
}

export interface RequiredParam<T> extends QueryParam<T> {
  readonly missing: ErrorCode
}

export type QueryShape = Record<string, QueryParam<unknown>>
type ValueOf<P> = P extends QueryParam<infer T> ? T : never
type Needed<Q> = { [Name in keyof Q]: Q[Name] extends RequiredParam<unknown> ? Name : never }[keyof Q]
export type Parameters<Q extends QueryShape> = { [Name in Exclude<keyof Q, Needed<Q>>]?: ValueOf<Q[Name]> } & {
  [Name in Needed<Q>]: ValueOf<Q[Name]>
}

export function queryParam<T>(param: Param<T>, code: ErrorCode): QueryParam<T> & { readonly missing: 'optional' } {
  return { param, code, missing: 'optional' }
}

export function requiredParam<T>(param: Param<T>, code: ErrorCode, missing: ErrorCode): RequiredParam<T> {
  return { param, code, missing }
}

/**
 * Checks a raw query string (without `?`). The last of repeated parameters wins; problems are reported in the order
 * of the query string, those that are missing at last; a name that is not declared is an error (spec 1 §2.8).
 */
export function checkQuery<Q extends QueryShape>(shape: Q, rawQuery: string): Result<Parameters<Q>> {
  const given = rawQuery === '' ? NOTHING : readPairs(rawQuery)
  const read: Record<string, unknown> = {}
  for (const [name, value] of given) {
    const declared = Object.hasOwn(shape, name) ? shape[name] : undefined
    if (!declared) return refuse('bad_request', unknownParameter(name, Object.keys(shape)))
    const outcome = declared.param.read(value, name, declared.code)
    if (!outcome.ok) return outcome
    read[name] = outcome.value
  }
  for (const [name, { missing }] of Object.entries(shape)) {
    if (missing !== 'optional' && !given.has(name)) return refuse(missing, `Parameter \`${name}\`: it is missing.`)
  }
  return ok(read as Parameters<Q>)
}

/** Most requests have no query string. */
const NOTHING: ReadonlyMap<string, string> = new Map()

function readPairs(rawQuery: string): ReadonlyMap<string, string> {
  // The parser takes off one question mark, which would be part of the first name here.
  return new Map(new URLSearchParams(`?${rawQuery}`))
}
