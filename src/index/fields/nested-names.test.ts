import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FieldRegistry, visitValues } from '../../documents/index.js'
import { fromPlain, type JsonObject, print } from '../../json/index.js'
import { NestedNames } from './nested-names.js'

function stored(registry: FieldRegistry, document: object) {
  return [...(fromPlain(document) as JsonObject)].map(([name, value]) => ({
    fieldId: registry.register(name),
    value: Buffer.from(print(value)),
  }))
}

function namesIn(names: NestedNames, registry: FieldRegistry, document: object): string[] {
  const found: string[] = []
  names.of(stored(registry, document), ({ path }) => found.push(path))
  return found
}

test('objects add their keys to the path, arrays add nothing', () => {
  const registry = new FieldRegistry()
  const names = new NestedNames(registry)
  const document = {
    id: 1,
    a: { b: [{ c: 1 }, [{ d: { e: 2 } }], 3], f: '{"x":1}' },
    g: ['{', '}'],
    'h.i': { j: null },
  }
  expect(namesIn(names, registry, document)).toEqual(['a.b', 'a.b.c', 'a.b.d', 'a.b.d.e', 'a.f', 'h.i.j'])
})

test('of reserved attributes only the coordinates of a position have names', () => {
  const registry = new FieldRegistry()
  const names = new NestedNames(registry)
  const document = { _geo: { lng: 2, alt: { x: 1 }, lat: 1 }, _geojson: { type: 'Point' }, _vectors: { m: { x: 1 } } }
  expect(namesIn(names, registry, document)).toEqual(['_geo.lat', '_geo.lng'])
  expect(namesIn(names, registry, { _geo: [{ lat: 1 }] })).toEqual([])
})

const key = fc.constantFrom('a', 'b', 'a.b', '', '"', '\\', ':', 'é', '{')
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, 1.5, '', 'x', '{"a":1}', '\\"a":', '[{'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3 }),
  ),
}))
const document = fc.dictionary(key, value, { maxKeys: 4 })

test('any documents, one after the other, have the names that their values are visited by', () => {
  fc.assert(
    fc.property(fc.array(document, { maxLength: 6 }), (documents) => {
      const registry = new FieldRegistry()
      const names = new NestedNames(registry)
      for (const each of documents) {
        const visited = new Set<string>()
        visitValues(
          stored(registry, each),
          registry,
          () => true,
          (path) => visited.add(path),
        )
        for (const name of Object.keys(each)) visited.delete(name)
        const found = new Set(namesIn(names, registry, each))
        for (const name of Object.keys(each)) found.delete(name)
        expect(found).toEqual(visited)
      }
    }),
  )
})
