import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FieldId } from '../fields/field-registry.js'
import { FieldRegistry } from '../fields/field-registry.js'
import {
  decodeDocument,
  documentJson,
  encodeDocument,
  fieldOf,
  mergeDocuments,
  type StoredDocument,
  sortByField,
  textOf,
} from './stored-document.js'

const fieldId = (id: number): FieldId => id as FieldId
const values = fc.jsonValue({ maxDepth: 2 }).map((value) => Buffer.from(JSON.stringify(value)))
const documents: fc.Arbitrary<StoredDocument> = fc
  .uniqueArray(fc.tuple(fc.oneof(fc.nat(5), fc.nat(65_535)), values), { selector: ([id]) => id, maxLength: 8 })
  .map((fields) => sortByField(fields.map(([id, value]) => ({ fieldId: fieldId(id), value }))))

/** Numbers and texts, for comparing. */
const plain = (document: StoredDocument): [number, string][] =>
  document.map((field) => [field.fieldId, textOf(field.value)])

describe('the stored form', () => {
  test('keeps every field', () => {
    fc.assert(
      fc.property(documents, (document) => {
        expect(plain(decodeDocument(encodeDocument(document)))).toEqual(plain(document))
      }),
    )
  })

  test('is a copy of its own', () => {
    const first = encodeDocument([{ fieldId: fieldId(0), value: Buffer.from('1') }])
    encodeDocument([{ fieldId: fieldId(0), value: Buffer.from('"longer"') }])
    expect(plain(decodeDocument(first))).toEqual([[0, '1']])
  })

  test('of another version, or cut off, is refused', () => {
    const bytes = encodeDocument([{ fieldId: fieldId(7), value: Buffer.from('"text"') }])
    expect(() => decodeDocument(Buffer.concat([Buffer.of(9), bytes.subarray(1)]))).toThrow(/version 9/)
    for (let size = 0; size < bytes.length; size++) expect(() => decodeDocument(bytes.subarray(0, size))).toThrow()
  })
})

test('a document is printed with its names, one field is found by its number', () => {
  const registry = new FieldRegistry(['id', 'a "b"', '__proto__'])
  const document = [
    { fieldId: fieldId(0), value: Buffer.from('1') },
    { fieldId: fieldId(1), value: Buffer.from('{"x":"é"}') },
    { fieldId: fieldId(2), value: Buffer.from('null') },
  ]
  expect(documentJson(document, registry)).toBe('{"id":1,"a \\"b\\"":{"x":"é"},"__proto__":null}')
  expect(documentJson([], registry)).toBe('{}')
  expect(textOf(fieldOf(document, fieldId(1))!)).toBe('{"x":"é"}')
  expect(fieldOf(document, fieldId(3))).toBeUndefined()
})

test('merging puts the later fields over the earlier ones, as a map does', () => {
  fc.assert(
    fc.property(documents, documents, (earlier, later) => {
      const twin = new Map([...plain(earlier), ...plain(later)])
      expect(plain(mergeDocuments(earlier, later))).toEqual([...twin].sort(([a], [b]) => a - b))
    }),
  )
})
