import { isObject } from '../../json/index.js'
import type { Meter } from '../meter.js'
import { TemplateProblem } from '../problem.js'
import { areEqual, compareValues, isEmpty, isNumber, isTruthy, sizeBytes, textOf, type Value } from '../value.js'
import { type Filter, type Filters, wholeNumber } from './filter.js'

type Items = readonly Value[]

/** A filter that accepts arrays only. */
function onList(least: number, most: number, run: (items: Items, values: Items, meter: Meter) => Value): Filter {
  return {
    least,
    most,
    run(input, values, { meter }) {
      if (!Array.isArray(input)) throw new TemplateProblem('an array was expected')
      meter.spend(input.length)
      return run(input, values, meter)
    },
  }
}

/** A member of an object; undefined when the value is no object or lacks it. */
function property(value: Value, name: string): Value | undefined {
  return isObject(value) ? value.get(name) : undefined
}

function join(items: Items, [separator = ' ']: Items, meter: Meter): string {
  const between = textOf(separator, meter)
  meter.spend(items.length * between.length)
  return items.map((item) => textOf(item, meter)).join(between)
}

function map(items: Items, [name]: Items, meter: Meter): Value {
  const key = textOf(name!, meter)
  return items.flatMap((item) => {
    const member = property(item, key)
    // Wrapped, since a member that is itself an array must stay one.
    return member === undefined ? [] : [member]
  })
}

function where(input: Value, [name, wanted]: Items, meter: Meter): Value {
  const items = isObject(input) ? [input] : input
  if (!Array.isArray(items)) throw new TemplateProblem('an array or an object was expected')
  meter.spend(items.length)
  if (!items.every(isObject)) return null
  const key = textOf(name!, meter)
  return items.filter((item) => {
    const member = property(item, key)
    if (member === undefined) return false
    return wanted === undefined ? isTruthy(member) : areEqual(member, wanted, meter)
  })
}

function compact(items: Items, [name]: Items, meter: Meter): Value {
  if (name === undefined) return items.filter((item) => item !== null)
  const key = textOf(name, meter)
  return items.filter((item) => (property(item, key) ?? null) !== null)
}

function concat(items: Items, [other]: Items, meter: Meter): Value {
  if (!Array.isArray(other)) throw new TemplateProblem('an array was expected as a parameter')
  meter.spend(other.length)
  return [...items, ...other]
}

/** First occurrences. Scalars are found in a set by a key that equal ones share. */
function uniq(items: Items, _values: Items, meter: Meter): Value {
  const seen = new Set<string>()
  return items.filter((item) => {
    const key = identity(item, meter)
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}

function identity(value: Value, meter: Meter): string {
  if (Array.isArray(value)) return JSON.stringify(value.map((item) => identity(item, meter)))
  if (isObject(value)) return JSON.stringify([...value].map(([name, member]) => [name, identity(member, meter)]).sort())
  const kind = isNumber(value) ? 'number' : typeof value
  return `${kind} ${textOf(value, meter)}`
}

function sort(prepare: (value: Value) => Value): Filter {
  return onList(0, 1, (items, [name], meter) => {
    if (name !== undefined && !items.every(isObject)) throw new TemplateProblem('an array of objects was expected')
    const key = name === undefined ? undefined : textOf(name, meter)
    const keyed = items.map((item) => ({ item, key: key === undefined ? item : (property(item, key) ?? null) }))
    const compare = (a: Value, b: Value) => compareForSort(prepare(a), prepare(b), meter)
    return keyed.sort((a, b) => compare(a.key, b.key)).map(({ item }) => item)
  })
}

/** Nil comes last; what cannot be ordered stays where it is. */
function compareForSort(a: Value, b: Value, meter: Meter): number {
  meter.step()
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return compareValues(a, b, meter) ?? 0
}

function size(input: Value, _values: Items, meter: Meter): Value {
  if (input === null) return 0
  if (Array.isArray(input)) return input.length
  return isObject(input) ? input.size : sizeBytes(textOf(input, meter), meter)
}

/** The first or last element, or character. */
function end(which: 0 | -1): Filter {
  return {
    least: 0,
    most: 0,
    run(input) {
      if (Array.isArray(input)) return input.at(which) ?? null
      if (typeof input !== 'string') throw new TemplateProblem('an array or a text was expected')
      return (which === 0 ? [...input.slice(0, 2)] : [...input.slice(-2)]).at(which) ?? ''
    },
  }
}

function slice(input: Value, [from, length]: Items, meter: Meter): Value {
  const count = wholeNumber(length, 1)
  if (count < 1) throw new TemplateProblem('a length of 1 or more was expected')
  const items = Array.isArray(input) ? input : [...textOf(input, meter)]
  const offset = wholeNumber(from, 0)
  const start = Math.min(items.length, Math.max(0, offset < 0 ? items.length + offset : offset))
  const part = items.slice(start, start + count)
  return Array.isArray(input) ? part : part.join('')
}

export const listFilters: Filters = {
  join: onList(0, 1, join),
  map: onList(1, 1, map),
  where: { least: 1, most: 2, run: (input, values, { meter }) => where(input, values, meter) },
  compact: onList(0, 1, compact),
  concat: onList(1, 1, concat),
  reverse: onList(0, 0, (items) => [...items].reverse()),
  uniq: onList(0, 0, uniq),
  sort: sort((value) => value),
  sort_natural: sort((value) => (typeof value === 'string' ? value.toLowerCase() : value)),
  size: { least: 0, most: 0, run: (input, values, { meter }) => size(input, values, meter) },
  first: end(0),
  last: end(-1),
  slice: { least: 1, most: 2, run: (input, values, { meter }) => slice(input, values, meter) },
  default: {
    least: 1,
    most: 1,
    run: (input, [fallback]) => (isEmpty(input) || input === false ? fallback! : input),
  },
}
