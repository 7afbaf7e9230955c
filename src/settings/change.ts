import { compareBytes, sortedUnique } from '../byte-order/index.js'
import { type ErrorCode, ok } from '../errors/index.js'
import type { JsonObject, JsonValue } from '../json/index.js'
import { arrayOf, mapOf, object, optional, orNull, refined, type Shape, text } from '../shape/index.js'

/** A setting of a request: a value, or null (back to the default). Untouched settings are absent (spec 4 §1.5). */
export type Change<T> = { readonly set: T } | 'reset'

/** Null resets, anything else must have the given shape. */
export function change<T>(shape: Shape<T>): Shape<Change<T>> {
  return {
    expected: `${shape.expected} or null`,
    describe: (names) => orNull(shape.describe(names)),
    check(value, place) {
      if (value === null) return ok('reset')
      const checked = shape.check(value, place)
      return checked.ok ? ok({ set: checked.value }) : checked
    },
  }
}

/** An object whose members are all changes: absent, null or a value each. */
export type Changes<T> = { readonly [Name in keyof T]?: Change<T[Name]> }

/** An object with the given members, each of which may be absent or null. Everything wrong in it has one code. */
export function changes<T extends object>(code: ErrorCode, shapes: { readonly [Name in keyof T]: Shape<T[Name]> }) {
  const fields = Object.fromEntries(
    Object.entries<Shape<unknown>>(shapes).map(([name, shape]) => [name, optional(change(shape), code)]),
  )
  return object(fields, { code }) as Shape<unknown> as Shape<Changes<T>>
}

/** The value that is set, if one is. */
export function wantedOf<T>(wanted: Change<T> | undefined): T | undefined {
  return typeof wanted === 'object' ? wanted.set : undefined
}

/** The value after a change. */
export function changed<T>(current: T, initial: T, wanted: Change<T> | undefined): T {
  if (wanted === undefined) return current
  return wanted === 'reset' ? initial : wanted.set
}

/** A list of words that is a set: kept in byte order, without duplicates. */
export const textSet: Shape<readonly string[]> = refined(arrayOf(text), (words) => ok(sortedUnique(words)))

export const texts: Shape<readonly string[]> = arrayOf(text)

/** An object with free names, kept in the byte order of its names. */
export function sortedMapOf<T>(member: Shape<T>): Shape<ReadonlyMap<string, T>> {
  return refined(mapOf(member), (members) => ok(new Map([...members].sort(([a], [b]) => compareBytes(a, b)))))
}

/** How a part of a patch is printed in task details. */
export type Printer<T> = (value: T) => JsonValue
export type Printers<T> = { readonly [Name in keyof T]-?: Printer<T[Name]> }

export function printChange<T>(wanted: Change<T>, print: Printer<T>): JsonValue {
  return wanted === 'reset' ? null : print(wanted.set)
}

/** The members that are present, in the order of the printers. */
export function printChanges<T extends object>(wanted: Changes<T>, printers: Printers<T>): JsonObject {
  const printed: JsonObject = new Map()
  for (const name of Object.keys(printers) as (keyof T & string)[]) {
    const member = wanted[name]
    if (member !== undefined) printed.set(name, printChange(member, printers[name]))
  }
  return printed
}

export function printMap<T>(members: ReadonlyMap<string, T>, print: Printer<T>): JsonObject {
  return new Map([...members].map(([name, member]) => [name, print(member)]))
}

export const printTexts: Printer<readonly string[]> = (words) => [...words]
/** For values that are JSON as they are. */
export const printAsIs: Printer<JsonValue> = (value) => value
