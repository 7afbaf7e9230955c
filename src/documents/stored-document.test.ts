import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ByteWriter, CorruptBytes } from '../bytes/index.js'
import type { FieldId } from './fields/field-registry.js'
import { FieldRegistry } from './fields/field-registry.js'
import { SymbolTable } from './packing/symbol-table.js'
import { UnpackBuffer } from './packing/unpack-buffer.js'
import {
  decodeDocument,
  decodeField,
  documentJson,
  encodeDocument,
  fieldOf,
  inSentOrder,
  mergeDocuments,
  type StoredDocument,
  sortByField,
  type TableSource,
  tableNumberOf,
  textOf,
} from './stored-document.js'

const fieldId = (id: number): FieldId => id as FieldId
const values = fc.jsonValue({ maxDepth: 2 }).map((value) => Buffer.from(JSON.stringify(value)))
const documents: fc.Arbitrary<StoredDocument> = fc
  .uniqueArray(fc.tuple(fc.oneof(fc.nat(5), fc.nat(65_535)), values), { selector: ([id]) => id, maxLength: 8 })
  .map((fields) => fields.map(([id, value]) => ({ fieldId: fieldId(id), value })))
  .chain((fields) => fc.boolean().map((isAsSent) => (isAsSent ? inSentOrder(fields) : sortByField([...fields]))))

/** Numbers and texts, for comparing. */
const plain = (document: StoredDocument): [number, string][] =>
  document.map((field) => [field.fieldId, textOf(field.value)])

const table = new SymbolTable(['null', '"', ',"', 'true', 'e', '[', ']'].map((text) => Buffer.from(text)))
const packing = { number: 3, table }
const packings = fc.constantFrom(undefined, packing)
const writer = new ByteWriter(64)
const unpackBuffer = new UnpackBuffer()

const tables: TableSource = {
  unpackBuffer,
  of(number) {
    expect(number).toBe(3)
    return table
  },
}

describe('the stored form', () => {
  test('keeps every field, packed or not', () => {
    fc.assert(
      fc.property(documents, packings, (document, by) => {
        const decoded = decodeDocument(encodeDocument(document, writer, by), tables)
        expect(plain(decoded)).toEqual(plain(document))
        expect(decoded.asSent && plain(decoded.asSent)).toEqual(document.asSent && plain(document.asSent))
      }),
    )
  })

  test('gives single fields', () => {
    fc.assert(
      fc.property(documents, packings, fc.nat(5), (document, by, id) => {
        const stored = encodeDocument(document, writer, by)
        const expected = new Map(plain(document))
        for (const wanted of [id, ...expected.keys()]) {
          const value = decodeField(stored, fieldId(wanted), tables)
          expect(value && textOf(value)).toBe(expected.get(wanted))
        }
      }),
    )
  })

  test('is read into a copy of its own', () => {
    const stored = encodeDocument([{ fieldId: fieldId(0), value: Buffer.from('1') }], writer)
    const read = decodeDocument(stored, tables)
    stored.fill(0)
    decodeDocument(encodeDocument([{ fieldId: fieldId(0), value: Buffer.from('2') }], writer), tables)
    expect(plain(read)).toEqual([[0, '1']])
  })

  test('is packed only where that makes it shorter, and names its table', () => {
    const value = Buffer.from('[true,"null"]')
    const mixed = [value, Buffer.from('xyz'), Buffer.from('12345'), value].map((one, i) => ({
      fieldId: fieldId(i),
      value: one,
    }))
    const stored = encodeDocument(mixed, writer, packing)
    expect(stored).toHaveLength(3 + 4 + 2 * '[ true ," null " ]'.split(' ').length + 'xyz'.length + '12345'.length)
    expect(tableNumberOf(stored)).toBe(3)
    expect(tableNumberOf(encodeDocument(mixed, writer))).toBe(0)
  })

  test('packs long values', () => {
    const long = [{ fieldId: fieldId(9), value: Buffer.from(`["${'true'.repeat(100_000)}"]`) }]
    const stored = encodeDocument(long, writer, packing)
    expect(stored.length).toBeLessThan(101_000)
    expect(plain(decodeDocument(stored, tables))).toEqual(plain(long))
  })

  test.each([undefined, packing])('of another version, cut off, or too long is refused', (by) => {
    const stored = encodeDocument([{ fieldId: fieldId(7), value: Buffer.from('"true"') }], writer, by)
    const damaged = [...Array(stored.length).keys()].map((size) => stored.subarray(0, size))
    damaged.push(Buffer.concat([stored, Buffer.of(0)]))
    for (const bytes of damaged) expect(() => decodeDocument(bytes, tables)).toThrow(CorruptBytes)
    expect(() => decodeDocument(Buffer.concat([Buffer.of(9), stored.subarray(1)]), tables)).toThrow(/version 9/)
  })

  test('with any damage is read or refused', () => {
    const source: TableSource = {
      unpackBuffer,
      of(number) {
        if (number !== 3) throw new CorruptBytes(`there is no table ${number}`)
        return table
      },
    }
    fc.assert(
      fc.property(documents, packings, fc.nat(), fc.nat(255), (document, by, place, byte) => {
        const stored = encodeDocument(document, writer, by)
        stored[place % stored.length] = byte
        try {
          decodeDocument(stored, source)
        } catch (error) {
          expect(error).toBeInstanceOf(CorruptBytes)
        }
      }),
    )
  })
})

test('chosen fields are those that the whole document has', () => {
  const sample = documents.map((document) => encodeDocument(document, writer).toString('hex'))
  fc.assert(
    fc.property(sample, fc.integer({ min: 1, max: 4 }), (hex, divisor) => {
      const stored = Buffer.from(hex, 'hex')
      const noTables: TableSource = { of: () => expect.unreachable(), unpackBuffer }
      const isChosen = (id: FieldId) => id % divisor === 0
      const whole = decodeDocument(stored, noTables)
      const chosen = decodeDocument(stored, noTables, isChosen)
      expect(plain(chosen)).toEqual(plain(whole.filter((field) => isChosen(field.fieldId))))
    }),
  )
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
