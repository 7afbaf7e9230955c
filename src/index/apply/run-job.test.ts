import { describe, expect, test } from 'vitest'
import { Bitmap } from '../../bitmap/index.js'
import { type DocId, documentJson } from '../../documents/index.js'
import { FailureError } from '../../errors/index.js'
import type { IndexFolder } from '../../folder/index.js'
import { temporaryIndex } from '../../folder/temporary-index.fixture.js'
import { receivePayload } from '../../payload/index.js'
import { JobCancelled } from '../../threads/index.js'
import { indexStats } from '../index-stats.js'
import type { DocumentOperation, IndexJob, IndexWork, JobHooks } from './job.js'
import type { JobServices } from './job-work.js'
import { runIndexJob } from './run-job.js'

/** Every filter selects document 0. */
const services: JobServices = { selectByFilter: () => Bitmap.of(0) }
const watching: JobHooks = { progress() {}, isCancelled: () => false }

interface Changes {
  readonly job?: Partial<IndexJob>
  readonly hooks?: JobHooks
}

let batches = 0

function run(folder: IndexFolder, work: IndexWork, { job, hooks = watching }: Changes = {}) {
  const now = `2026-01-05T10:00:${String(batches % 60).padStart(2, '0')}Z`
  const given = {
    path: '',
    indexUid: 'shop',
    now,
    batchKey: `b${batches++}`,
    create: { primaryKey: null },
    work,
    ...job,
  }
  return runIndexJob(folder, given, services, hooks)
}

async function addition(documents: unknown, changes: object = {}): Promise<DocumentOperation> {
  const parts: Buffer[] = []
  await receivePayload({ name: 'json' }, [Buffer.from(JSON.stringify(documents))], {
    async write(bytes) {
      parts.push(Buffer.from(bytes))
    },
  })
  const payload = { bytes: Buffer.concat(parts) }
  return { kind: 'import', method: 'replace', payload, primaryKey: null, skipCreation: false, ...changes }
}

async function add(folder: IndexFolder, documents: unknown, changes: Changes = {}) {
  return run(folder, { kind: 'documents', operations: [await addition(documents)] }, changes)
}

const texts = (folder: IndexFolder): string[] =>
  Array.from(folder.docIds(), (docId) => documentJson(folder.document(docId as DocId)!, folder.fields()))

function failureOf(work: () => unknown): string | undefined {
  try {
    work()
  } catch (error) {
    if (error instanceof FailureError) return error.failure.code
    throw error
  }
  return undefined
}

describe('a batch', () => {
  test('that was done already answers the same and does nothing', async () => {
    const folder = temporaryIndex()
    const job = { batchKey: 'same' }
    const first = await add(folder, [{ id: 1 }], { job })
    const again = run(folder, { kind: 'clear', patches: [] }, { job })
    expect(again.outcomes).toEqual(first.outcomes)
    expect(texts(folder)).toEqual(['{"id":1}'])
  })

  test('that is stopped leaves nothing behind but the index it created', async () => {
    const folder = temporaryIndex()
    const many = Array.from({ length: 600 }, (_, id) => ({ id }))
    const hooks = { progress() {}, isCancelled: () => true }
    await expect(add(folder, many, { hooks })).rejects.toThrow(JobCancelled)
    expect(folder.meta()).toMatchObject({ primaryKey: null, documentCount: 0, lastBatch: null })
    expect(folder.fields().all()).toEqual([])
  })

  test('that fails as a whole changes neither documents nor names nor settings', async () => {
    const folder = temporaryIndex()
    await add(folder, [{ id: 1 }])
    run(folder, { kind: 'settings', patches: ['{"filterableAttributes":["_geo"]}'] })
    const before = [folder.meta(), folder.fields().all(), texts(folder)]
    await expect(
      add(folder, [
        { id: 2, new: 1 },
        { id: 3, _geo: 'x' },
      ]),
    ).rejects.toThrow(FailureError)
    expect([folder.meta(), folder.fields().all(), texts(folder)]).toEqual(before)
  })

  test('for an index that is missing needs the right to create it', () => {
    const folder = temporaryIndex()
    const job = { create: null }
    expect(failureOf(() => run(folder, { kind: 'clear', patches: [] }, { job }))).toBe('index_not_found')
    expect(folder.meta()).toBeUndefined()
    run(folder, { kind: 'create' }, { job: { create: { primaryKey: 'sku' } } })
    expect(folder.meta()).toMatchObject({ primaryKey: 'sku' })
  })
})

test('documents that were only stored are found as soon as settings ask for it', async () => {
  const words = (folder: IndexFolder) => Array.from(folder.databases.postings.range(), ({ key, value }) => [key, value])
  const settings = (folder: IndexFolder, body: object) =>
    run(folder, { kind: 'settings', patches: [JSON.stringify(body)] })
  const documents = [
    { id: 1, title: 'red fox', tags: { colour: 'red' } },
    { id: 2, title: 'red deer' },
  ]
  const [stored, searched] = [temporaryIndex(), temporaryIndex()]
  settings(stored, { searchableAttributes: [] })
  await add(stored, documents)
  expect(words(stored)).toEqual([])
  settings(stored, { searchableAttributes: ['*'] })
  await add(searched, documents)
  expect(words(stored)).toEqual(words(searched))
  expect(words(stored).length).toBeGreaterThan(3)
  expect([...stored.fields().all()]).toEqual([...searched.fields().all()])
})

describe('counts', () => {
  test('of documents, bytes and fields follow every change', async () => {
    const folder = temporaryIndex()
    await add(folder, [
      { id: 1, a: 'x' },
      { id: 2, a: null },
    ])
    expect(indexStats(folder)).toMatchObject({
      numberOfDocuments: 2,
      fieldDistribution: [
        ['a', 2],
        ['id', 2],
      ],
    })
    await add(folder, [{ id: 1, b: 1, _vectors: {} }])
    run(folder, { kind: 'deletions', operations: [{ kind: 'deleteIds', ids: ['2', '2', '9', ''] }] })
    expect(indexStats(folder)).toMatchObject({
      numberOfDocuments: 1,
      rawDocumentDbSize: 4096,
      avgDocumentSize: 4096 - 8,
      fieldDistribution: [
        ['b', 1],
        ['id', 1],
      ],
    })
    run(folder, { kind: 'clear', patches: [] })
    expect(indexStats(folder)).toMatchObject({ numberOfDocuments: 0, avgDocumentSize: 0, fieldDistribution: [] })
  })

  test('of deletions are what was removed, or with additions what was named', async () => {
    const folder = temporaryIndex()
    await add(folder, [{ id: 1 }, { id: 2 }, { id: 3 }])
    const deletion = { kind: 'deleteIds', ids: ['3', '3', '9'] } as const
    const mixed = run(folder, { kind: 'documents', operations: [deletion, await addition([{ id: 4 }])] })
    expect(mixed.outcomes).toEqual([
      { ok: true, deleted: 2 },
      { ok: true, indexed: 1 },
    ])
    const filtered = { kind: 'deleteFilter', filter: '"any"' } as const
    expect(run(folder, { kind: 'deletions', operations: [filtered, filtered, deletion] }).outcomes).toEqual([
      { ok: true, deleted: 1 },
      { ok: true, deleted: 0 },
      { ok: true, deleted: 0 },
    ])
    // 9 was unknown and used up a turn, so 4 stands behind the hole it left.
    expect(Array.from(folder.docIds())).toEqual([1, 4])
  })

  test('of deletions before any key was known are zero', async () => {
    const folder = temporaryIndex()
    const deletion = { kind: 'deleteIds', ids: ['1'] } as const
    const { outcomes } = run(folder, { kind: 'documents', operations: [deletion, await addition([{ id: 1 }])] })
    expect(outcomes).toEqual([
      { ok: true, deleted: 0 },
      { ok: true, indexed: 1 },
    ])
  })
})

describe('the time of the last update', () => {
  const updatedAt = (folder: IndexFolder) => folder.meta()!.updatedAt

  test('moves with additions, even those that change nothing, and with what has an effect', async () => {
    const folder = temporaryIndex()
    const works: IndexWork[] = [
      { kind: 'documents', operations: [await addition([{ id: 1 }])] },
      { kind: 'documents', operations: [await addition([])] },
      { kind: 'settings', patches: ['{}'] },
      { kind: 'deletions', operations: [{ kind: 'deleteIds', ids: ['1'] }] },
      { kind: 'primaryKey', primaryKey: 'sku', touch: false },
      { kind: 'primaryKey', primaryKey: null, touch: true },
      { kind: 'clear', patches: [] },
    ]
    for (const [i, work] of works.entries()) {
      const now = `2026-02-01T00:00:0${i}Z`
      run(folder, work, { job: { now } })
      expect([work.kind, updatedAt(folder)]).toEqual([work.kind, now])
    }
  })

  test('stays when nothing happens', async () => {
    const folder = temporaryIndex()
    await add(folder, [{ id: 1 }])
    const before = updatedAt(folder)
    await add(folder, [{ noKey: 1 }])
    run(folder, { kind: 'deletions', operations: [{ kind: 'deleteIds', ids: ['9'] }] })
    run(folder, { kind: 'primaryKey', primaryKey: null, touch: false })
    expect(updatedAt(folder)).toBe(before)
  })
})

describe('editing', () => {
  const edit = (folder: IndexFolder, script: string, filter: string | null = null, context: string | null = null) =>
    run(folder, { kind: 'edit', filter, context, function: script })

  test('changes the selected documents, in place', async () => {
    const folder = temporaryIndex()
    await add(folder, [
      { id: 1, n: 1 },
      { id: 2, n: 2 },
    ])
    expect(edit(folder, 'doc.n += context.by', '"any"', '{"by":10}').outcomes).toEqual([
      { ok: true, edited: 1, deleted: 1 },
    ])
    expect(texts(folder)).toEqual(['{"id":1,"n":11}', '{"id":2,"n":2}'])
    edit(folder, 'if doc.id == 1 { doc = () } else { doc.id = "2"; doc.tags = ["x"] }')
    expect(texts(folder)).toEqual(['{"id":"2","n":2,"tags":["x"]}'])
    expect(indexStats(folder).numberOfDocuments).toBe(1)
  })

  test.each([
    ['doc.id = 99', 'edit_documents_by_function_error'],
    ['doc.remove("id")', 'missing_document_id'],
    ['doc.id = 1.5', 'invalid_document_id'],
    ['doc = 5', 'edit_documents_by_function_error'],
    ['doc.n = doc.missing + 1', 'edit_documents_by_function_error'],
    ['if doc.id == 1 { doc.n = 5 } else { throw "no" }', 'edit_documents_by_function_error'],
    ['loop {}', 'edit_documents_by_function_error'],
  ])('%s fails with %s and changes nothing', async (script, code) => {
    const folder = temporaryIndex()
    await add(folder, [
      { id: 1, n: 1 },
      { id: 2, n: 2 },
    ])
    expect(failureOf(() => edit(folder, script))).toBe(code)
    expect(texts(folder)).toEqual(['{"id":1,"n":1}', '{"id":2,"n":2}'])
  })
})
