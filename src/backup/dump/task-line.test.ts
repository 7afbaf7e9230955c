import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Bitmap } from '../../bitmap/index.js'
import { parse } from '../../json/index.js'
import type { Task, TaskContent, TaskResults } from '../../tasks/index.js'
import { BadArchive } from '../archive/bad-archive.js'
import { readTask } from './read-task.js'
import { taskLine } from './task-line.js'

const read = (text: string) => {
  const parsed = parse(text)
  if (!parsed.ok) throw new Error(parsed.reason)
  return readTask(parsed.value, 'here', '1.49.0')
}

const ENQUEUED = '2026-01-05T10:00:00.5Z'

const taskOf = (content: TaskContent, change: Partial<Task> = {}): Task => ({
  uid: 7,
  batchUid: null,
  status: 'enqueued',
  content,
  results: null,
  error: null,
  canceledBy: null,
  enqueuedAt: ENQUEUED,
  startedAt: null,
  finishedAt: null,
  ...change,
})

const ADDITION: TaskContent = {
  type: 'documentAdditionOrUpdate',
  indexUid: 'books',
  method: 'replace',
  primaryKey: null,
  documentsCount: 2,
  allowIndexCreation: true,
  skipCreation: false,
  payload: { place: 'inline', bytes: 10 },
}

test('a waiting addition is written as the specification shows it', () => {
  expect(taskLine(taskOf(ADDITION))).toBe(
    '{"uid":7,"batchUid":null,"indexUid":"books","status":"enqueued","type":{"documentImport":{"primary_key":null,' +
      '"method":"ReplaceDocuments","documents_count":2,"allow_index_creation":true}},"details":' +
      '{"DocumentAdditionOrUpdate":{"received_documents":2,"indexed_documents":null}},' +
      '"enqueuedAt":"2026-01-05T10:00:00.5Z"}\n',
  )
})

test('22.2.1: of a finished deletion with a long list of ids the length of the list is kept', () => {
  const selection = { by: 'idList', count: 5, payload: { place: 'inline', bytes: 0 } } as const
  const times = { batchUid: 1, startedAt: ENQUEUED, finishedAt: ENQUEUED }
  const task = taskOf(
    { type: 'documentDeletion', indexUid: 'books', selection },
    { ...times, status: 'succeeded', results: { deletedDocuments: 2 } },
  )
  expect(read(taskLine(task)).content).toEqual(task.content)
})

const text = fc.string({ maxLength: 8 })
const uid = fc.constantFrom('a', 'movies', 'b-2')
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const count = fc.nat(1000)
const jsonText = fc.constantFrom('"a = 1"', '["a = 1",["b = 2.0"]]', '{"x":12345678901234567890}', '1.0')
const set = fc.uniqueArray(fc.nat(100_000)).map((uids) => Bitmap.fromUnsorted(uids))
const base64 = (bitmap: Bitmap) => Buffer.from(bitmap.serialize()).toString('base64')
const version = fc.tuple(fc.nat(9), fc.nat(99), fc.nat(99)).map((parts) => parts.join('.'))
const swap = fc.record({ indexes: fc.tuple(uid, uid), rename: fc.boolean() })
const rule = fc.record({ filter: orNull(jsonText), overrideSettings: fc.boolean() })
const rules = fc.dictionary(uid, rule).map((byUid) => Object.entries(byUid))

/** Contents with the results that they have when they succeed. */
type Case = [TaskContent, TaskResults]
const contents: fc.Arbitrary<Case> = fc.oneof(
  fc
    .record({ primaryKey: orNull(text), indexUid: uid, documentsCount: count, allowIndexCreation: fc.boolean() })
    .chain((facts) => count.map((indexedDocuments): Case => [{ ...ADDITION, ...facts }, { indexedDocuments }])),
  fc
    .tuple(
      uid,
      fc.oneof(
        fc.array(text).map((ids) => ({ by: 'ids' as const, ids })),
        jsonText.map((filter) => ({ by: 'filter' as const, filter })),
        fc.constant({ by: 'all' as const }),
      ),
      count,
    )
    .map(
      ([indexUid, selection, deletedDocuments]): Case => [
        { type: 'documentDeletion', indexUid, selection },
        { deletedDocuments },
      ],
    ),
  fc.tuple(uid, orNull(jsonText), orNull(jsonText), text, count).map(
    ([indexUid, filter, context, code, editedDocuments]): Case => [
      { type: 'documentEdition', indexUid, filter, context, function: code },
      { editedDocuments, deletedDocuments: editedDocuments },
    ],
  ),
  fc
    .tuple(uid, fc.boolean(), fc.boolean())
    .map(
      ([indexUid, isDeletion, allowIndexCreation]): Case => [
        { type: 'settingsUpdate', indexUid, settings: '{"stopWords":["a"]}', isDeletion, allowIndexCreation },
        {},
      ],
    ),
  fc
    .tuple(uid, orNull(text))
    .map(([indexUid, primaryKey]): Case => [{ type: 'indexCreation', indexUid, primaryKey }, {}]),
  fc
    .tuple(uid, orNull(text), orNull(uid))
    .map(
      ([indexUid, primaryKey, newIndexUid]): Case => [{ type: 'indexUpdate', indexUid, primaryKey, newIndexUid }, {}],
    ),
  fc
    .tuple(uid, count)
    .map(([indexUid, deletedDocuments]): Case => [{ type: 'indexDeletion', indexUid }, { deletedDocuments }]),
  uid.map(
    (indexUid): Case => [
      { type: 'indexCompaction', indexUid },
      { preCompactionBytes: 25165824, postCompactionBytes: 1048575 },
    ],
  ),
  fc.array(swap).map((swaps): Case => [{ type: 'indexSwap', swaps }, {}]),
  fc
    .tuple(text, set, count)
    .map(
      ([query, tasks, canceledTasks]): Case => [
        { type: 'taskCancelation', query, matched: tasks.size, tasks: base64(tasks) },
        { canceledTasks },
      ],
    ),
  fc
    .tuple(text, set, count)
    .map(
      ([query, tasks, deletedTasks]): Case => [
        { type: 'taskDeletion', query, matched: tasks.size, tasks: base64(tasks) },
        { deletedTasks },
      ],
    ),
  fc.constant<Case>([
    { type: 'dumpCreation', keys: '[{"uid":"x"}]', instanceUid: null },
    { dumpUid: '20260105-101530123' },
  ]),
  fc.constant<Case>([{ type: 'snapshotCreation' }, {}]),
  fc.tuple(text, orNull(text), orNull(fc.nat()), rules).map(
    ([url, apiKey, payloadBytes, indexes]): Case => [
      {
        type: 'export',
        url,
        apiKey,
        payloadBytes,
        indexes: indexes.map(([pattern, wanted]) => ({ pattern, ...wanted })),
      },
      { exported: indexes.map(([name, wanted]) => ({ uid: name, ...wanted, matchedDocuments: 3 })) },
    ],
  ),
  fc.tuple(version, version).map(([from, to]): Case => [{ type: 'upgradeDatabase', from, to }, {}]),
)

const error = { message: 'm', code: 'internal', type: 'internal', link: 'l' } as const
const END = { startedAt: '2026-01-05T10:00:01Z', finishedAt: '2026-01-05T10:00:02.123456789Z', batchUid: 3 } as const

const tasks = fc
  .tuple(contents, fc.constantFrom('enqueued', 'succeeded', 'failed', 'canceled'), fc.option(text, { nil: undefined }))
  .map(([[content, results], status, customMetadata]): Task => {
    const metadata = customMetadata === undefined ? {} : { customMetadata }
    if (status === 'enqueued') return taskOf(content, metadata)
    if (status === 'succeeded') return taskOf(content, { ...END, ...metadata, status, results })
    if (status === 'failed') return taskOf(content, { ...END, ...metadata, status, error })
    return taskOf(content, { ...END, ...metadata, status, canceledBy: 9 })
  })

/** What a dump does not hold: the place of a payload. */
function dumped(task: Task) {
  const { content } = task
  if (content.type !== 'documentAdditionOrUpdate') return task
  const { payload: _, ...rest } = content
  return { ...task, content: rest }
}

test('every task is read back as it was', () => {
  fc.assert(
    fc.property(tasks, (task) => {
      expect(read(taskLine(task))).toEqual(dumped(task))
    }),
  )
})

test('a set of tasks is a list of bytes in the portable format', () => {
  const content: TaskContent = { type: 'taskDeletion', query: '?uids=0,1', matched: 2, tasks: base64(Bitmap.of(0, 1)) }
  expect(taskLine(taskOf(content))).toContain('"tasks":[58,48,0,0,1,0,0,0,0,0,1,0,16,0,0,0,0,0,1,0]')
})

test('a damaged set matters only while its task waits', () => {
  const line = (status: string) =>
    `{"uid":1,"status":"${status}","type":{"taskCancelation":{"query":"?x","tasks":[1,2]}},"enqueuedAt":"${ENQUEUED}"}`
  expect(read(line('succeeded')).content).toMatchObject({ matched: 0 })
  expect(() => read(line('enqueued'))).toThrow(BadArchive)
})

test('a task of an index without one is refused', () => {
  const line = `{"uid":1,"status":"enqueued","type":"indexDeletion","enqueuedAt":"${ENQUEUED}"}`
  expect(() => read(line)).toThrow(/here: "indexUid" must be a text/)
})

test('a type that nobody knows is refused', () => {
  const line = `{"uid":1,"status":"enqueued","type":{"makeTea":{}},"enqueuedAt":"${ENQUEUED}"}`
  expect(() => read(line)).toThrow(/makeTea/)
})
