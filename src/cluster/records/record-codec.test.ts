import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CorruptBytes } from '../../bytes/index.js'
import type { NewTask } from '../../tasks/index.js'
import type { ClusterRecord } from './record.js'
import { decodeRecord, encodeRecord, NewerRecord } from './record-codec.js'

const bytes = fc.uint8Array({ maxLength: 300 }).map((given) => Buffer.from(given))
const blob = fc.record({ id: fc.string(), sha256: fc.string(), sizeBytes: fc.nat() })
const payload = fc.oneof(
  fc.record({ place: fc.constant('inline' as const), content: bytes }),
  fc.record({ place: fc.constant('file' as const), name: fc.string(), bytes: fc.nat() }),
)
const addition = payload.map(
  (given): NewTask => ({
    type: 'documentAdditionOrUpdate',
    indexUid: 'films',
    method: 'replace',
    primaryKey: null,
    documentsCount: 1,
    allowIndexCreation: true,
    skipCreation: false,
    payload: given,
  }),
)
const deletion = payload.map(
  (given): NewTask => ({
    type: 'documentDeletion',
    indexUid: 'films',
    selection: { by: 'idList', count: 2, payload: given },
  }),
)
const creation = fc.string().map((indexUid): NewTask => ({ type: 'indexCreation', indexUid, primaryKey: null }))

const accepted = fc.record(
  {
    enqueuedAt: fc.string(),
    content: fc.oneof(addition, deletion, creation),
    options: fc.record({ customMetadata: fc.string(), taskId: fc.nat() }, { requiredKeys: [] }),
    blob,
  },
  { requiredKeys: ['enqueuedAt', 'content', 'options'] },
)
const task = fc.array(accepted, { maxLength: 4 }).map((tasks) => ({ kind: 'task' as const, tasks }))
const state = fc.record({
  kind: fc.constant('state' as const),
  place: fc.constantFrom('system' as const, 'auth' as const),
  database: fc.string(),
  clears: fc.boolean(),
  entries: fc.array(fc.tuple(bytes, fc.option(bytes, { nil: undefined }))),
})
const batch = fc.record({ id: fc.uuid(), hash: fc.string(), sequence: fc.nat() }).map(
  ({ id, hash, sequence }): ClusterRecord => ({
    kind: 'batch',
    decision: {
      id,
      kind: 'alone',
      tasks: [3, 1],
      batch: {
        uid: 7,
        details: {},
        stats: { totalNbTasks: 2, status: {}, types: {}, indexUids: {} },
        startedAt: 'a',
        finishedAt: 'b',
        enqueuedAt: null,
        strategy: 'why',
      },
      endings: [
        { ok: true, results: { indexedDocuments: 3 } },
        { ok: false, failure: { code: 'internal', message: 'x' } },
      ],
    },
    chain: { sequence, hash },
  }),
)

test('what was encoded is decoded', () => {
  fc.assert(
    fc.property(fc.oneof(task, state, batch), (record) => {
      expect(decodeRecord(record.kind, encodeRecord(record as ClusterRecord))).toEqual(record)
    }),
  )
})

test('what a later version wrote is not passed over', () => {
  const body = encodeRecord({ kind: 'state', place: 'auth', database: 'keys', clears: true, entries: [] })
  expect(() => decodeRecord('shards', body)).toThrow(NewerRecord)
  expect(() => decodeRecord('state', Buffer.concat([Buffer.of(2), body.subarray(1)]))).toThrow(/has to be upgraded/)
})

test('a body that was cut off is damaged', () => {
  const body = encodeRecord({ kind: 'state', place: 'auth', database: 'keys', clears: true, entries: [] })
  expect(() => decodeRecord('state', body.subarray(0, 20))).toThrow(CorruptBytes)
  expect(() => decodeRecord('state', body.subarray(0, 3))).toThrow(CorruptBytes)
  const content: NewTask = {
    type: 'documentDeletion',
    indexUid: 'films',
    selection: { by: 'idList', count: 1, payload: { place: 'inline', content: Buffer.from('["a"]') } },
  }
  const tasks = encodeRecord({ kind: 'task', tasks: [{ enqueuedAt: '', content, options: {} }] })
  expect(() => decodeRecord('task', tasks.subarray(0, -1))).toThrow(CorruptBytes)
})
