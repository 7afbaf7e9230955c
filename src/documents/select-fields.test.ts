import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromPlain, isObject, type JsonObject, type JsonValue, print } from '../json/index.js'
import { FieldRegistry } from './fields/field-registry.js'
import { type FieldSelection, selectedJson } from './select-fields.js'

/** A document with its fields in the order given. */
function select(document: object, selection: FieldSelection): string {
  const registry = new FieldRegistry()
  const stored = [...(fromPlain(document) as JsonObject)].map(([name, value]) => ({
    fieldId: registry.register(name),
    value: Buffer.from(print(value)),
  }))
  return selectedJson(stored, registry, selection)
}

test.each<[object, FieldSelection, object]>([
  // The table of spec 3 §4.1.
  [{ c: { t: 1, m: 2 } }, ['c'], { c: { t: 1, m: 2 } }],
  [{ c: { t: 1, m: 2 } }, ['c.t'], { c: { t: 1 } }],
  [{ c: { t: 1, m: 2 } }, ['c.x'], { c: {} }],
  [{ 'c.t': 1 }, ['c'], {}],
  [{ 'c.t': 1 }, ['c.t'], { 'c.t': 1 }],
  [{ c: [1, { t: 2, m: 3 }, { m: 4 }] }, ['c.t'], { c: [{ t: 2 }] }],
  [{ c: 5 }, ['c.t'], {}],
  // And around it.
  [{ c: 5, d: 6 }, 'all', { c: 5, d: 6 }],
  [{ c: 5, d: 6 }, [], {}],
  [{ c: 5, d: 6 }, ['*'], {}],
  [{ c: 5, d: 6 }, ['d', 'c', 'd', 'unknown'], { c: 5, d: 6 }],
  [{ c: { t: 1, m: 2 } }, ['c.t', 'c'], { c: { t: 1, m: 2 } }],
  [{ c: null }, ['c.t'], {}],
  [{ c: [] }, ['c.t'], { c: [] }],
  [{ c: [[1, { t: 1 }], [{ m: 1 }]] }, ['c.t'], { c: [[{ t: 1 }], []] }],
  [{ c: [{ t: {} }] }, ['c.t.x'], { c: [{ t: {} }] }],
  [{ c: { 't.u': 1, t: { u: 2, v: 3 } } }, ['c.t.u'], { c: { 't.u': 1, t: { u: 2 } } }],
  [{ 'a.b': { c: 1, d: 2 } }, ['a.b.c'], { 'a.b': { c: 1 } }],
  [{ 'a.b': { c: 1, d: 2 } }, ['a.b', 'a.b.c'], { 'a.b': { c: 1 } }],
  [{ '': 1, a: { '': 2, b: 3 } }, ['', 'a.'], { '': 1, a: { '': 2 } }],
  [{ ab: 1, a: { b: 2 } }, ['a.b'], { a: { b: 2 } }],
])('%j reduced with %j is %j', (document, selection, expected) => {
  expect(select(document, selection)).toBe(JSON.stringify(expected))
})

/** The rules of spec 3 §4.1, word by word. */
function reduced(object: JsonObject, selectors: readonly string[]): JsonObject {
  const kept: JsonObject = new Map()
  for (const [key, value] of object) {
    const below = selectors.filter((path) => path.startsWith(`${key}.`)).map((path) => path.slice(key.length + 1))
    if (selectors.includes(key) && !key.includes('.')) kept.set(key, value)
    else if (below.length > 0) {
      if (isObject(value)) kept.set(key, reduced(value, below))
      else if (Array.isArray(value)) kept.set(key, reducedList(value, below))
    } else if (selectors.includes(key)) kept.set(key, value)
  }
  return kept
}

function reducedList(list: readonly JsonValue[], selectors: readonly string[]): JsonValue[] {
  return list.flatMap((item): JsonValue[] => {
    if (Array.isArray(item)) return [reducedList(item, selectors)]
    const rest = isObject(item) ? reduced(item, selectors) : new Map()
    return rest.size > 0 ? [rest] : []
  })
}

test('any document reduced with any selectors follows the rules', () => {
  const key = fc.constantFrom('a', 'b', 'a.b', 'b.a', '')
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(1, null, 'x'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 3 }),
    ),
  }))
  const path = fc.array(fc.constantFrom('a', 'b', ''), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'))
  fc.assert(
    fc.property(fc.dictionary(key, value, { maxKeys: 4 }), fc.array(path, { maxLength: 4 }), (document, selectors) => {
      expect(select(document, selectors)).toBe(print(reduced(fromPlain(document) as JsonObject, selectors)))
    }),
    { numRuns: 500 },
  )
})
