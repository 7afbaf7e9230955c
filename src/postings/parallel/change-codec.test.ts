import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteWriter } from '../../bytes/index.js'
import type { FieldId } from '../../documents/index.js'
import { sortByField } from '../../documents/index.js'
import { readChanges, writeChange } from './change-codec.js'

const document = fc
  .uniqueArray(fc.record({ fieldId: fc.nat(300), value: fc.uint8Array({ maxLength: 30 }) }), {
    selector: ({ fieldId }) => fieldId,
  })
  .map((fields) => sortByField(fields.map(({ fieldId, value }) => ({ fieldId: fieldId as FieldId, value }))))

const change = fc.record({
  docId: fc.nat(0xffff_ffff),
  before: fc.option(document, { nil: undefined }),
  after: fc.option(document, { nil: undefined }),
})

test('changes come back as they were told', () => {
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const out = new ByteWriter()
      for (const each of changes) writeChange(out, each, () => true)
      expect([...readChanges(new Uint8Array(out.take()))]).toEqual(changes)
    }),
  )
})

test('fields that nobody wants stay behind', () => {
  const fields = [1, 2, 3].map((id) => ({ fieldId: id as FieldId, value: Uint8Array.of(id) }))
  const out = new ByteWriter()
  writeChange(out, { docId: 7, before: undefined, after: fields }, (fieldId) => fieldId !== 2)
  expect([...readChanges(new Uint8Array(out.take()))]).toEqual([
    { docId: 7, before: undefined, after: [fields[0], fields[2]] },
  ])
})

test('a document that is the same on both sides is one document', () => {
  const document = [{ fieldId: 0 as FieldId, value: Uint8Array.of(1) }]
  const out = new ByteWriter()
  writeChange(out, { docId: 7, before: document, after: document }, () => true)
  const [read] = [...readChanges(new Uint8Array(out.take()))]
  expect(read!.before).toEqual(document)
  expect(read!.after).toBe(read!.before)
})
