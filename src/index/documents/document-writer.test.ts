import { describe, expect, test } from 'vitest'
import { type DocId, documentJson, seenValues, sortByField } from '../../documents/index.js'
import { IndexFolder } from '../../folder/index.js'
import { temporaryIndex } from '../../folder/temporary-index.fixture.js'
import { DocumentWriter } from './document-writer.js'

const COLOURS = ['red', 'green', 'blue', 'yellow']

/** About 100 bytes. */
const sentence = (i: number): string =>
  `Document number ${i} tells of the ${COLOURS[i % 4]} fox that met the ${COLOURS[(i * 3) % 4]} deer in the forest`

function newIndex(): IndexFolder {
  const folder = temporaryIndex()
  folder.write(() => folder.create('2026-01-05T10:00:00Z', 'id'))
  return folder
}

interface Batch {
  readonly from: number
  readonly count: number
  readonly text?: (i: number) => string
}

/** Puts documents the way a batch does. */
function put(folder: IndexFolder, { from, count, text = sentence }: Batch): void {
  folder.write(() => {
    const writer = new DocumentWriter({ folder, meta: folder.meta()!, registry: folder.fields(), sinks: [] })
    const fieldId = writer.registry.register('text')
    const documents = Array.from({ length: count }, (_, i) => {
      return sortByField([{ fieldId, value: Buffer.from(JSON.stringify(text(from + i))) }])
    })
    for (const document of documents) writer.foresee(seenValues(document.map(({ value }) => value)))
    writer.learn()
    for (const [i, document] of documents.entries()) {
      const arrival = { documentId: String(from + i), docId: (from + i) as DocId }
      writer.findOrName(arrival.documentId, arrival.docId)
      writer.put({ ...arrival, document, before: undefined })
    }
    folder.putMeta(writer.finish())
  })
}

const sizeOf = (folder: IndexFolder, id: number): number => {
  const key = Buffer.alloc(4)
  key.writeUInt32BE(id)
  return folder.databases.documents.get(key)!.length
}

const textsOf = (folder: IndexFolder): string[] =>
  Array.from(folder.docIds(), (docId) => documentJson(folder.document(docId as DocId)!, folder.fields()))

const expected = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => JSON.stringify({ text: sentence(i) }))

describe('documents are packed', () => {
  test('from the first on when many come at once', () => {
    const folder = newIndex()
    put(folder, { from: 0, count: 1000 })
    expect(folder.symbolTables.latest()?.number).toBe(1)
    expect(sizeOf(folder, 0)).toBeLessThan(40)
    expect(textsOf(folder)).toEqual(expected(1000))
  })

  test('once there are many when few come at a time, and those before stay as they are', () => {
    const folder = newIndex()
    for (let from = 0; from < 1000; from += 50) put(folder, { from, count: 50 })
    expect(folder.symbolTables.latest()?.number).toBe(1)
    expect([sizeOf(folder, 0) > 80, sizeOf(folder, 999) < 40]).toEqual([true, true])
    expect(textsOf(folder)).toEqual(expected(1000))
  })

  test('with another table when later ones are of another kind, and the old ones stay readable', () => {
    const folder = newIndex()
    put(folder, { from: 0, count: 1000 })
    const shout = (i: number): string => `URGENT: ${i % 7} ELEPHANTS HAVE LEFT THE ZOO TOWARDS GATE ${i % 5}`.repeat(5)
    put(folder, { from: 1000, count: 1000, text: shout })
    expect(folder.symbolTables.latest()?.number).toBe(2)
    expect(sizeOf(folder, 1999)).toBeLessThan(100)
    expect(textsOf(folder).slice(0, 1000)).toEqual(expected(1000))
    expect(textsOf(folder)[1999]).toBe(JSON.stringify({ text: shout(1999) }))
  })

  test('with the same table until there are some times as many', () => {
    const folder = newIndex()
    for (const from of [0, 1000]) put(folder, { from, count: 1000 })
    expect(folder.symbolTables.latest()?.number).toBe(1)
    expect(textsOf(folder)).toEqual(expected(2000))
  })

  test('and can be read where the folder was open before', async () => {
    const folder = newIndex()
    const elsewhere = IndexFolder.open(folder.environment.path)
    expect(textsOf(elsewhere)).toEqual([])
    put(folder, { from: 0, count: 1000 })
    elsewhere.environment.refresh()
    expect(textsOf(elsewhere)).toEqual(expected(1000))
    const text = elsewhere.fields().idOf('text')!
    expect(Buffer.from(elsewhere.value(5 as DocId, text)!).toString()).toBe(JSON.stringify(sentence(5)))
    await elsewhere.close()
  })
})

test('a table that was learnt in a transaction that failed is not used', () => {
  const folder = newIndex()
  expect(() =>
    folder.write(() => {
      const writer = new DocumentWriter({ folder, meta: folder.meta()!, registry: folder.fields(), sinks: [] })
      for (let i = 0; i < 1000; i++) writer.foresee(seenValues([Buffer.from(`{"OTHER":${i}}`.repeat(10))]))
      writer.learn()
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(folder.symbolTables.latest()).toBeUndefined()
  put(folder, { from: 0, count: 1000 })
  expect(textsOf(folder)).toEqual(expected(1000))
})

test('few documents stay plain', () => {
  const folder = newIndex()
  put(folder, { from: 0, count: 100 })
  expect(folder.symbolTables.latest()).toBeUndefined()
  expect(sizeOf(folder, 0)).toBeGreaterThan(80)
})
