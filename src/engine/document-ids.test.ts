import { afterEach, beforeEach, expect, test } from 'vitest'
import { SearchIndex } from '../match/index.js'
import { payloadOf, TestIndex } from '../match/test-index.fixture.js'
import { documentIdReader } from './document-ids.js'

let index: TestIndex

beforeEach(() => {
  index = new TestIndex()
})
afterEach(() => index.delete())

async function idsOf(primaryKey: string, documents: object[]): Promise<string[]> {
  index.run({ kind: 'create' })
  index.run({ kind: 'primaryKey', primaryKey, touch: false })
  const payload = await payloadOf(documents)
  const operation = { kind: 'import', method: 'replace', payload, primaryKey: null, skipCreation: false } as const
  index.run({ kind: 'documents', operations: [operation] })
  const searched = new SearchIndex('shop', index.folder)
  searched.refresh()
  return Array.from(searched.docIds, documentIdReader(searched))
}

test('document ids are read from their field', async () => {
  expect(
    await idsOf('sku', [
      { name: 'x', sku: 7 },
      { sku: 'a-b', other: { sku: 1 } },
    ]),
  ).toEqual(['7', 'a-b'])
})

test('a key with dots is found however its path is cut', async () => {
  const documents = [{ a: { b: { c: 1 } } }, { 'a.b': { c: 'two' } }, { 'a.b.c': 3, a: { x: 0 } }, { a: { 'b.c': 4 } }]
  expect(await idsOf('a.b.c', documents)).toEqual(['1', 'two', '3', '4'])
})
