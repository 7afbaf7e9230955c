import { Float } from '../json/index.js'

/** A 64-bit integer: a `number` while it is safe, a `bigint` beyond. Never `-0`. */
export type Int = number | bigint

/** One character (code point). */
export class Char {
  constructor(readonly text: string) {}
}

/** `from..to` or `from..=to`. */
export class Range {
  constructor(
    readonly from: Int,
    readonly to: Int,
    readonly isInclusive: boolean,
  ) {}
}

/** Values made one by one for a `for` loop, such as the characters of a string. */
export class Sequence {
  constructor(readonly start: () => Iterator<Value>) {}
}

/** A variable shared between a function and the closures made in it. */
export interface Cell {
  value: Value | undefined
}

/** A function as a value: the name of a script function or built-in, or a closure with what it captured. */
export class FunctionValue {
  constructor(
    readonly name: string,
    readonly closure?: { readonly id: number; readonly parameterCount: number; readonly captures: readonly Cell[] },
    /** Arguments given beforehand with `curry`. */
    readonly curried: readonly Value[] = [],
  ) {}
}

/** Keys have no order of their own: whoever lists them sorts them by bytes (spec 3 §6.1). */
export type ScriptMap = Map<string, Value>

/**
 * A value of a script; null is `()`. A superset of `JsonValue`, so that documents enter without being copied.
 * Arrays and maps are never changed in place unless the run owns them (see `Ownership`).
 */
export type Value =
  | null
  | boolean
  | Int
  | Float
  | string
  | Char
  | Range
  | Sequence
  | FunctionValue
  | Value[]
  | ScriptMap

/** Kinds of values as bits, so that a parameter can accept several. */
export const KIND = {
  unit: 1,
  bool: 2,
  int: 4,
  float: 8,
  string: 16,
  char: 32,
  array: 64,
  map: 128,
  function: 256,
  range: 512,
  sequence: 1024,
} as const

export function kindOf(value: Value): number {
  switch (typeof value) {
    case 'string':
      return KIND.string
    case 'number':
    case 'bigint':
      return KIND.int
    case 'boolean':
      return KIND.bool
    default:
      return kindOfObject(value)
  }
}

function kindOfObject(value: Exclude<Value, string | number | bigint | boolean>): number {
  if (value === null) return KIND.unit
  if (Array.isArray(value)) return KIND.array
  if (value instanceof Map) return KIND.map
  if (value instanceof Float) return KIND.float
  if (value instanceof Char) return KIND.char
  if (value instanceof Range) return KIND.range
  return value instanceof FunctionValue ? KIND.function : KIND.sequence
}

/** The name `type_of` answers (spec 3 §6.3). */
export function typeName(value: Value): string {
  if (value instanceof Range) return value.isInclusive ? 'range=' : 'range'
  return TYPE_NAMES.get(kindOf(value)) ?? 'iterator'
}

const TYPE_NAMES = new Map<number, string>([
  [KIND.unit, '()'],
  [KIND.bool, 'bool'],
  [KIND.int, 'i64'],
  [KIND.float, 'f64'],
  [KIND.string, 'string'],
  [KIND.char, 'char'],
  [KIND.array, 'array'],
  [KIND.map, 'map'],
  [KIND.function, 'Fn'],
])

export function isInt(value: Value): value is Int {
  return typeof value === 'number' || typeof value === 'bigint'
}

export function isMap(value: Value): value is ScriptMap {
  return value instanceof Map
}

export function isContainer(value: Value): value is Value[] | ScriptMap {
  return typeof value === 'object' && (Array.isArray(value) || value instanceof Map)
}
