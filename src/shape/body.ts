import { type ErrorCode, failureSaying, ok, type Result } from '../errors/index.js'
import { isObject, type JsonObject, type JsonValue, toDouble, wrongType } from '../json/index.js'
import { missingField, unknownChoice, unknownField, wrongValue } from './message.js'
import { orNull, type Schema, type SchemaNames } from './schema.js'

/** Where a value stands and which code a problem with it gets. */
export interface Place {
  /** `.queries[0].indexUid`; empty for the whole body. */
  readonly path: string
  readonly code: ErrorCode
}

/** What a value of a request body must look like. */
export interface Shape<T> {
  /** For messages: "a string", "an array". */
  readonly expected: string
  check(value: JsonValue, place: Place): Result<T>
  /** What it accepts, for people and programs that write requests. */
  describe(names: SchemaNames): Schema
}

export type Checked<S> = S extends Shape<infer T> ? T : never

export const refuse = (
  code: ErrorCode,
  message: string,
): { readonly ok: false; readonly failure: ReturnType<typeof failureSaying> } => ({
  ok: false,
  failure: failureSaying(code, message),
})

interface Leaf<T> {
  readonly expected: string
  readonly schema: Schema
  readonly read: (value: JsonValue) => T | undefined
}

function leaf<T>({ expected, schema, read }: Leaf<T>): Shape<T> {
  return {
    expected,
    describe: () => schema,
    check(value, place) {
      const found = read(value)
      return found === undefined ? refuse(place.code, wrongType(place.path, expected, value)) : ok(found)
    },
  }
}

export const text: Shape<string> = leaf({
  expected: 'a string',
  schema: { type: 'string' },
  read: (value) => (typeof value === 'string' ? value : undefined),
})

export const bool: Shape<boolean> = leaf({
  expected: 'a boolean',
  schema: { type: 'boolean' },
  read: (value) => (typeof value === 'boolean' ? value : undefined),
})

/** Integer or float. */
export const double: Shape<number> = leaf({ expected: 'a number', schema: { type: 'number' }, read: toDouble })

/** Anything at all, null included. */
export const anyJson: Shape<JsonValue> = { expected: 'any value', describe: () => ({}), check: (value) => ok(value) }

export const jsonObject: Shape<JsonObject> = leaf({
  expected: 'an object',
  schema: { type: 'object' },
  read: (value) => (isObject(value) ? value : undefined),
})

/** The largest double that is no more than 2^64-1: what is stored must be readable by the same rule. */
const LARGEST_UINT = 2 ** 64 - 2 ** 11

/** An integer from 0 to 2^64-1, written without fraction, exponent or sign. Beyond 2^53 it is rounded. */
export const uint: Shape<number> = leaf({
  expected: 'a positive integer',
  schema: { type: 'integer', minimum: 0 },
  read: (value) =>
    (typeof value === 'number' || typeof value === 'bigint') && value >= 0
      ? Math.min(Number(value), LARGEST_UINT)
      : undefined,
})

/** An integer from 0 to 2^32-1. */
export const uint32: Shape<number> = refined(
  uint,
  (value) => (value <= 0xffffffff ? ok(value) : 'a positive integer below 4294967296 was expected'),
  { maximum: 0xffffffff },
)

/** Null stands for "absent". */
export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return {
    expected: `${shape.expected} or null`,
    describe: (names) => orNull(shape.describe(names)),
    check: (value, place) => (value === null ? ok(null) : shape.check(value, place)),
  }
}

export function arrayOf<T>(item: Shape<T>): Shape<T[]> {
  return {
    expected: 'an array',
    describe: (names) => ({ type: 'array', items: item.describe(names) }),
    check(value, place) {
      if (!Array.isArray(value)) return refuse(place.code, wrongType(place.path, 'an array', value))
      const items: T[] = []
      for (const [i, element] of value.entries()) {
        const checked = item.check(element, { path: `${place.path}[${i}]`, code: place.code })
        if (!checked.ok) return checked
        items.push(checked.value)
      }
      return ok(items)
    },
  }
}

/** An object with free member names. */
export function mapOf<T>(member: Shape<T>): Shape<Map<string, T>> {
  return {
    expected: 'an object',
    describe: (names) => ({ type: 'object', additionalProperties: member.describe(names) }),
    check(value, place) {
      if (!isObject(value)) return refuse(place.code, wrongType(place.path, 'an object', value))
      const members = new Map<string, T>()
      for (const [name, found] of value) {
        const checked = member.check(found, { path: `${place.path}.${name}`, code: place.code })
        if (!checked.ok) return checked
        members.set(name, checked.value)
      }
      return ok(members)
    },
  }
}

export function oneOf<const Choice extends string>(choices: readonly Choice[]): Shape<Choice> {
  return {
    expected: 'a string',
    describe: () => ({ type: 'string', enum: choices }),
    check(value, place) {
      if (typeof value !== 'string') return refuse(place.code, wrongType(place.path, 'a string', value))
      if ((choices as readonly string[]).includes(value)) return ok(value as Choice)
      return refuse(place.code, unknownChoice(place.path, value, choices))
    },
  }
}

/**
 * A shape with a further rule. A rule that answers with text gives the reason, blamed on the value's own code. `rest`
 * are the keywords that say of the rule what a schema can say.
 */
export function refined<T, U>(
  shape: Shape<T>,
  rule: (value: T, place: Place) => Result<U> | string,
  rest: Schema = {},
): Shape<U> {
  return {
    expected: shape.expected,
    describe: (names) => ({ ...shape.describe(names), ...rest }),
    check(value, place) {
      const checked = shape.check(value, place)
      if (!checked.ok) return checked
      const outcome = rule(checked.value, place)
      return typeof outcome === 'string' ? refuse(place.code, wrongValue(place.path, outcome)) : outcome
    },
  }
}

/** A shape that is described by more than it checks itself: what it lets pass is looked at later. */
export function described<T>(shape: Shape<T>, schema: Schema): Shape<T> {
  return { ...shape, describe: () => schema }
}

/** A shape that is described once, under a name of its own. The same name must not be given to different shapes. */
export function named<T>(name: string, shape: Shape<T>): Shape<T> {
  return { ...shape, describe: (names) => names.refer(name, () => shape.describe(names)) }
}

/** One member of an object: its shape, the code that blames it and the code for its absence (if it is required). */
export interface Field<T> {
  readonly shape: Shape<T>
  readonly code: ErrorCode
  readonly missing: ErrorCode | 'optional'
}

export function optional<T>(shape: Shape<T>, code: ErrorCode): Field<T | undefined> {
  return { shape, code, missing: 'optional' }
}

export function required<T>(shape: Shape<T>, code: ErrorCode, missing: ErrorCode): Field<T> {
  return { shape, code, missing }
}

type Fields = Record<string, Field<unknown>>
export type Members<F extends Fields> = { [Name in keyof F]: F[Name] extends Field<infer T> ? T : never }

export interface ObjectOptions {
  /** Code for "not an object", unknown members and, by default, nothing else. The place's own code if absent. */
  readonly code?: ErrorCode
  /** Members that exist but must not be sent. */
  readonly immutable?: Readonly<Record<string, ErrorCode>>
  /** Unknown members are passed over. */
  readonly ignoreUnknown?: boolean
}

/**
 * An object with known members. Members are checked in the order of the text and the first problem ends it; then
 * absent required members, in the order declared here (spec 1 §2.9).
 */
export function object<F extends Fields>(
  fields: F,
  options: ObjectOptions = {},
): Shape<Members<F>> & { readonly fields: F } {
  const names = Object.keys(fields)
  return {
    expected: 'an object',
    fields,
    describe: (names) => describeObject(fields, options, names),
    check(value, place) {
      const code = options.code ?? place.code
      if (!isObject(value)) return refuse(code, wrongType(place.path, 'an object', value))
      const members: Record<string, unknown> = {}
      for (const [name, found] of value) {
        const field = Object.hasOwn(fields, name) ? fields[name] : undefined
        if (field) {
          const checked = field.shape.check(found, { path: `${place.path}.${name}`, code: field.code })
          if (!checked.ok) return checked
          members[name] = checked.value
        } else if (!options.ignoreUnknown) {
          return unknownMember({ place: { path: place.path, code }, name, names, immutable: options.immutable ?? {} })
        }
      }
      for (const name of names) {
        const { missing } = fields[name]!
        if (missing !== 'optional' && !value.has(name)) return refuse(missing, missingField(place.path, name))
      }
      return ok(members as Members<F>)
    },
  }
}

function describeObject(fields: Fields, { code, immutable, ignoreUnknown }: ObjectOptions, names: SchemaNames): Schema {
  const members = Object.entries(fields).map(([name, { shape, code, missing }]) => {
    const schema = shape.describe(names)
    const inner = (schema['x-error-codes'] ?? []) as ErrorCode[]
    const codes = new Set([code, ...(missing === 'optional' ? [] : [missing]), ...inner])
    return [name, { ...schema, 'x-error-codes': [...codes] }] as const
  })
  const needed = Object.keys(fields).filter((name) => fields[name]!.missing !== 'optional')
  return {
    type: 'object',
    properties: Object.fromEntries(members),
    ...(needed.length > 0 ? { required: needed } : {}),
    ...(ignoreUnknown ? {} : { additionalProperties: false }),
    ...(code === undefined ? {} : { 'x-error-codes': [code] }),
    ...(immutable === undefined ? {} : { 'x-immutable': immutable }),
  }
}

interface UnknownMember {
  readonly place: Place
  readonly name: string
  readonly names: readonly string[]
  readonly immutable: Readonly<Record<string, ErrorCode>>
}

function unknownMember({ place, name, names, immutable }: UnknownMember): ReturnType<typeof refuse> {
  const code = Object.hasOwn(immutable, name) ? immutable[name] : undefined
  if (code === undefined) return refuse(place.code, unknownField(place.path, name, names))
  const settable = names.map((known) => `\`${known}\``).join(', ')
  return refuse(code, `The field \`${name}\` cannot be set; fields that can are ${settable}.`)
}

/** Checks a whole body against its shape. */
export function checkBody<T>(shape: Shape<T>, body: JsonValue, code: ErrorCode = 'bad_request'): Result<T> {
  return shape.check(body, { path: '', code })
}
