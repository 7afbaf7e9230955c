import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DocId, FieldId } from '../../documents/index.js'
import { temporaryIndex } from '../../folder/temporary-index.fixture.js'
import { textValue } from '../column-value.js'
import type { DocumentValues } from '../values/document-values.js'
import { FieldValues } from '../values/field-values.js'
import { FacetWriter } from './facet-writer.js'
import { StoredFieldFacets } from './field-facets.js'

const FIELD = 7 as FieldId
const folder = temporaryIndex()

type Values = readonly (number | string)[]

function valuesOf(list: Values): DocumentValues {
  const values = new FieldValues()
  for (const value of list) {
    if (typeof value === 'number') values.addNumber(value)
    else values.addText(textValue(value, value))
  }
  return new Map([[FIELD, values]])
}

const value = fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(1, 1.5, 2, 1000))
/** DocIds in three chunks, each told of several times; without values a document goes away. */
const changes = fc.array(
  fc.tuple(fc.constantFrom(0, 1, 65_535, 65_536, 200_000), fc.option(fc.array(value, { maxLength: 3 }))),
  { maxLength: 20 },
)

test('facts are those of what was told last of each document, in whatever chunk it is', () => {
  fc.assert(
    fc.property(changes, fc.nat(20), (list, flushAt) => {
      const plain = new Map<number, Values>()
      folder.write(() => {
        folder.databases.facets.clear()
        const writer = new FacetWriter(folder.databases.facets)
        for (const [i, [docId, values]] of list.entries()) {
          const before = plain.get(docId)
          writer.change(docId as DocId, before && valuesOf(before), values === null ? undefined : valuesOf(values))
          if (values === null) plain.delete(docId)
          else plain.set(docId, values)
          if (i === flushAt) writer.finish()
        }
        writer.finish()
      })
      const facets = new StoredFieldFacets(folder.databases.facets, FIELD)
      const holders = (test: (values: Values) => boolean) =>
        [...plain].flatMap(([docId, values]) => (test(values) ? [docId] : [])).sort((a, b) => a - b)
      expect([...facets.exists()]).toEqual(holders(() => true))
      for (const text of ['a', 'b', 'c']) {
        expect([...facets.stringEquals(text)]).toEqual(holders((values) => values.includes(text)))
      }
      const range = { min: { value: 1.2, isInclusive: true }, max: { value: 900, isInclusive: true } }
      expect([...facets.numberRange(range)]).toEqual(holders((values) => values.includes(1.5) || values.includes(2)))
    }),
    { numRuns: 60 },
  )
})

test('many facts are written in slices, and are the same', () => {
  const write = (inSlice?: (work: () => void) => void): string[] =>
    folder.write(() => {
      folder.databases.facets.clear()
      const writer = new FacetWriter(folder.databases.facets, inSlice)
      for (let docId = 0; docId < 5000; docId++) {
        writer.change(docId as DocId, undefined, valuesOf([`text ${docId}`, docId * 1.5]))
      }
      writer.finish()
      return Array.from(
        folder.databases.facets.range(),
        ({ key, value }) => `${key.toString('hex')} ${value.toString('hex')}`,
      )
    })
  let slices = 0
  const sliced = write((work) => {
    slices++
    folder.environment.inSlice(work)
  })
  expect(sliced).toEqual(write())
  expect(slices).toBeGreaterThan(3)
})
