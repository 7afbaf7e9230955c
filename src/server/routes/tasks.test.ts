import { beforeAll, describe, expect, test } from 'vitest'
import { startTaskServer, type TaskServer } from './task-server.fixture.js'

const createIndex = (indexUid: string) => ({ type: 'indexCreation', indexUid, primaryKey: null }) as const

/** A key that may do everything with tasks, but of some indexes only. */
async function scopedKey(server: TaskServer, ...indexes: string[]): Promise<string> {
  const actions = ['tasks.get', 'tasks.cancel', 'tasks.delete']
  const created = await server.send('POST', '/keys', { body: { actions, indexes, expiresAt: null } })
  return created.json.key
}

describe('a new server', () => {
  let server: TaskServer
  beforeAll(async () => {
    server = await startTaskServer()
  })

  test('has an empty list of tasks', async () => {
    const { status, text } = await server.send('GET', '/tasks')
    expect([status, text]).toEqual([200, '{"results":[],"total":0,"limit":20,"from":null,"next":null}'])
  })

  test.each([
    ['4294967295', 404, 'task_not_found'],
    ['0', 404, 'task_not_found'],
    ['abc', 400, 'invalid_task_uids'],
    ['4294967296', 400, 'invalid_task_uids'],
    ['-1', 400, 'invalid_task_uids'],
    ['stream', 400, 'invalid_task_uids'],
  ])('has no task %s', async (uid, status, code) => {
    const found = await server.send('GET', `/tasks/${uid}`)
    expect([found.status, found.json.code]).toEqual([status, code])
    expect(found.json.message).toContain(uid)
  })

  test.each([
    ['uids=78,hello', 'invalid_task_uids'],
    ['types=createIndex', 'invalid_task_types'],
    ['afterFinishedAt=2021', 'invalid_task_after_finished_at'],
    ['reverse=*', 'invalid_task_reverse'],
    ['lol=1', 'bad_request'],
  ])('refuses a list with %s', async (query, code) => {
    const { status, json } = await server.send('GET', `/tasks?${query}`)
    expect([status, json.code]).toEqual([400, code])
  })

  test.each(['afterEnqueuedAt=9999-12-31', 'beforeStartedAt=0001-01-01'])('takes far dates: %s', async (query) => {
    expect((await server.send('GET', `/tasks?${query}`)).json.total).toBe(0)
  })

  test('refuses to cancel or delete without saying what', async () => {
    for (const [method, path] of [
      ['POST', '/tasks/cancel'],
      ['DELETE', '/tasks'],
    ] as const) {
      const nothing = await server.send(method, path)
      expect([nothing.status, nothing.json.code]).toEqual([400, 'missing_task_filters'])
      expect(nothing.json.message).toMatch(/uids.*batchUids.*beforeFinishedAt/)
      const paged = await server.send(method, `${path}?limit=1`)
      expect([paged.status, paged.json.code]).toEqual([400, 'bad_request'])
    }
  })
})

describe('a server with tasks', () => {
  let server: TaskServer
  beforeAll(async () => {
    server = await startTaskServer()
    for (const uid of ['a', 'b', 'c', 'd']) await server.put(createIndex(uid))
    await server.settle()
  })

  test('shows a task with all its members', async () => {
    const { status, json } = await server.send('GET', '/tasks/0')
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
    expect(status).toBe(200)
    expect(Object.entries(json)).toEqual([
      ['uid', 0],
      ['batchUid', 0],
      ['indexUid', 'a'],
      ['status', 'succeeded'],
      ['type', 'indexCreation'],
      ['canceledBy', null],
      ['details', { primaryKey: null }],
      ['error', null],
      ['duration', expect.stringMatching(/^PT/)],
      ['enqueuedAt', time],
      ['startedAt', time],
      ['finishedAt', time],
    ])
  })

  test('reads uids with leading zeros and plus signs', async () => {
    expect((await server.send('GET', '/tasks/0003')).json.uid).toBe(3)
    expect((await server.send('GET', '/tasks/+3')).json.uid).toBe(3)
  })

  test.each([
    ['', { uids: [3, 2, 1, 0], total: 4, limit: 20, from: 3, next: null }],
    ['limit=3', { uids: [3, 2, 1], total: 4, limit: 3, from: 3, next: 0 }],
    ['limit=3&from=1', { uids: [1, 0], total: 4, limit: 3, from: 1, next: null }],
    ['limit=3&reverse=true', { uids: [0, 1, 2], total: 4, limit: 3, from: 0, next: 3 }],
    ['limit=0', { uids: [], total: 4, limit: 0, from: null, next: 3 }],
    ['uids=', { uids: [], total: 0, limit: 20, from: null, next: null }],
    ['uids=1,*', { uids: [3, 2, 1, 0], total: 4, limit: 20, from: 3, next: null }],
    ['indexUids=a,d', { uids: [3, 0], total: 2, limit: 20, from: 3, next: null }],
    ['types=INDEXCREATION&statuses=Succeeded&uids=2', { uids: [2], total: 1, limit: 20, from: 2, next: null }],
  ])('lists %s', async (query, { uids, ...rest }) => {
    const { json } = await server.send('GET', `/tasks?${query}`)
    expect({ uids: json.results.map((task: { uid: number }) => task.uid), ...rest }).toEqual({ uids, ...rest })
    expect({ ...json, results: undefined }).toEqual(rest)
  })
})

test('a cancelation and a deletion answer 200 with a summary and keep the query as it was sent', async () => {
  const server = await startTaskServer({ isHeld: true })
  await server.put(createIndex('a'))
  const canceled = await server.send('POST', '/tasks/cancel?uids=0%2C7&indexUids=a')
  expect([canceled.status, Object.keys(canceled.json)]).toEqual([
    200,
    ['taskUid', 'indexUid', 'status', 'type', 'enqueuedAt'],
  ])
  expect(canceled.json).toMatchObject({ taskUid: 1, indexUid: null, status: 'enqueued', type: 'taskCancelation' })
  const deleted = await server.send('DELETE', '/tasks?statuses=*', { body: 'ignored' })
  expect([deleted.status, deleted.json.type]).toEqual([200, 'taskDeletion'])
  expect((await server.send('GET', '/tasks/1')).json.details).toEqual({
    matchedTasks: 1,
    canceledTasks: null,
    originalFilter: '?uids=0%2C7&indexUids=a',
  })
  expect((await server.send('GET', '/tasks/2')).json.details).toEqual({
    matchedTasks: 2,
    deletedTasks: null,
    originalFilter: '?statuses=*',
  })
})

test('a deleted task and its batch are not found', async () => {
  const server = await startTaskServer()
  await server.put(createIndex('a'))
  await server.settle()
  await server.send('DELETE', '/tasks?uids=0')
  await server.settle()
  expect((await server.send('GET', '/tasks/0')).json.code).toBe('task_not_found')
  expect((await server.send('GET', '/batches/0')).json.code).toBe('batch_not_found')
  expect((await server.send('GET', '/tasks/1')).json).toMatchObject({
    status: 'succeeded',
    details: { deletedTasks: 1 },
  })
})

test('what was sent is shown with its very numbers and order', async () => {
  const server = await startTaskServer({ isHeld: true })
  const context = '{"2":[1.0,18446744073709551615],"1":1e+20}'
  await server.put({ type: 'documentEdition', indexUid: 'a', filter: null, context, function: '' })
  expect((await server.send('GET', '/tasks/0')).text).toContain(`"context":${context}`)
})

describe('a key for one index', () => {
  let server: TaskServer
  let key: string
  beforeAll(async () => {
    server = await startTaskServer({ isHeld: true })
    await server.put(createIndex('a'))
    await server.put(createIndex('b'))
    await server.put({ type: 'indexSwap', swaps: [{ indexes: ['a', 'b'], rename: false }] })
    await server.send('POST', '/tasks/cancel?uids=0')
    key = await scopedKey(server, 'a')
  })

  test('sees the tasks of that index, and no task about everything', async () => {
    const { json } = await server.send('GET', '/tasks', { key })
    expect(json).toMatchObject({ results: [{ uid: 0 }], total: 4, from: 0, next: null })
    const statuses = await Promise.all([0, 1, 2, 3].map((uid) => server.send('GET', `/tasks/${uid}`, { key })))
    expect(statuses.map(({ status }) => status)).toEqual([200, 404, 404, 404])
  })

  test('cancels only what it sees', async () => {
    const { json } = await server.send('POST', '/tasks/cancel?statuses=*', { key })
    const task = await server.send('GET', `/tasks/${json.taskUid}`)
    expect(task.json.details.matchedTasks).toBe(1)
  })

  test('may not use the routes of the whole server', async () => {
    expect((await server.send('POST', '/tasks/compact', { key })).json.code).toBe('invalid_api_key')
  })
})

describe('the documents of a task', () => {
  let server: TaskServer
  const enable = () => server.send('PATCH', '/experimental-features', { body: { getTaskDocumentsRoute: true } })
  beforeAll(async () => {
    server = await startTaskServer({ isHeld: true })
  })

  test('are not shown unless the feature is on, whatever the task', async () => {
    const { status, json } = await server.send('GET', '/tasks/abc/documents')
    expect([status, json.code]).toEqual([400, 'feature_not_enabled'])
  })

  test('come one on a line', async () => {
    await enable()
    const documents = [{ id: 1, name: 'Zoë "x"', list: [1.5, null, { a: {} }] }, {}, { id: 2 }]
    const { uid } = await server.add('a', documents)
    const { status, headers, text } = await server.send('GET', `/tasks/${uid}/documents`)
    expect([status, headers['content-type']]).toEqual([200, 'application/x-ndjson'])
    expect(text).toBe(documents.map((document) => `${JSON.stringify(document)}\n`).join(''))
  })

  test('come from a large payload too', async () => {
    await enable()
    const documents = Array.from({ length: 3000 }, (_, id) => ({ id, text: 'x'.repeat(id % 700) }))
    const { uid } = await server.add('a', documents)
    const { text } = await server.send('GET', `/tasks/${uid}/documents`)
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(documents)
  })

  test('are missing for other tasks, and for tasks that are not there', async () => {
    await enable()
    const { uid } = await server.put(createIndex('b'))
    expect((await server.send('GET', `/tasks/${uid}/documents`)).json.code).toBe('task_file_not_found')
    expect((await server.send('GET', '/tasks/999/documents')).json.code).toBe('task_not_found')
    expect((await server.send('GET', '/tasks/abc/documents')).json.code).toBe('invalid_task_uids')
  })

  test('are hidden with their task', async () => {
    await enable()
    const { uid } = await server.add('hidden', [{ id: 1 }])
    const key = await scopedKey(server, 'other')
    expect((await server.send('GET', `/tasks/${uid}/documents`, { key })).json.code).toBe('task_not_found')
  })

  test('are gone when the task is finished', async () => {
    const running = await startTaskServer()
    await running.send('PATCH', '/experimental-features', { body: { getTaskDocumentsRoute: true } })
    await running.add('a', [{ id: 1 }])
    await running.settle()
    const { status, json } = await running.send('GET', '/tasks/0/documents')
    expect([status, json.code]).toEqual([404, 'task_file_not_found'])
  })
})

describe('compacting the task store', () => {
  test('is refused unless the feature is on', async () => {
    const server = await startTaskServer()
    expect((await server.send('POST', '/tasks/compact')).json.code).toBe('feature_not_enabled')
  })

  test('makes the file smaller while the server goes on', async () => {
    const server = await startTaskServer()
    await server.send('PATCH', '/experimental-features', { body: { taskQueueCompactionRoute: true } })
    for (let i = 0; i < 20; i++) await server.put({ type: 'indexSwap', swaps: [] })
    await server.settle()
    await server.send('DELETE', '/tasks?types=indexSwap')
    await server.settle()
    const before = server.context.systemEnvironment.sizes().fileBytes
    const { status, json } = await server.send('POST', '/tasks/compact')
    const size = expect.stringMatching(/^[\d.]+ [KM]iB$/)
    expect([status, json]).toEqual([200, { preSize: size, postSize: size, status: 'succeeded' }])
    expect(server.context.systemEnvironment.sizes().fileBytes).toBeLessThan(before)
    await server.put(createIndex('a'))
    await server.settle()
    expect((await server.send('GET', '/tasks?limit=1')).json).toMatchObject({
      results: [{ uid: 21, status: 'succeeded' }],
    })
  })

  test('tells when it failed', async () => {
    const server = await startTaskServer()
    await server.send('PATCH', '/experimental-features', { body: { taskQueueCompactionRoute: true } })
    server.context.systemEnvironment.compact = () => Promise.reject(new Error('no space'))
    const { status, json } = await server.send('POST', '/tasks/compact')
    expect([status, json]).toEqual([500, { status: 'failed', errorMessage: expect.any(String) }])
    expect(server.logged.join()).toContain('no space')
  })
})

describe('replication headers', () => {
  test('are ignored unless the server was started for them', async () => {
    const server = await startTaskServer()
    const headers = { TaskId: '50', DryRun: 'true' }
    expect((await server.send('DELETE', '/tasks?uids=0', { headers })).json.taskUid).toBe(0)
    expect((await server.send('GET', '/tasks/0')).status).toBe(200)
  })

  test('give a task its uid, or only try', async () => {
    const server = await startTaskServer({ args: ['--experimental-replication-parameters'] })
    const remove = (headers: Record<string, string>) => server.send('DELETE', '/tasks?uids=0', { headers })
    expect((await remove({ TaskId: '50' })).json.taskUid).toBe(50)
    expect((await remove({ DryRun: 'TRUE' })).json.taskUid).toBe(51)
    expect((await server.send('GET', '/tasks/51')).json.code).toBe('task_not_found')
    const low = await remove({ TaskId: '50' })
    expect([low.status, low.json.code]).toEqual([400, 'bad_request'])
    expect(low.json.message).toMatch(/51.*50/)
    expect((await remove({ TaskId: 'x' })).json.code).toBe('bad_request')
  })

  test('cannot use up the numbers of tasks', async () => {
    const server = await startTaskServer({ args: ['--experimental-replication-parameters'] })
    const remove = (headers: Record<string, string>) => server.send('DELETE', '/tasks?uids=0', { headers })
    for (const TaskId of ['4294967295', '4294967294', '4000000001']) {
      const { status, json } = await remove({ TaskId })
      expect([status, json.code]).toEqual([400, 'bad_request'])
      expect(json.message).toContain(TaskId)
    }
    expect((await remove({ TaskId: '4294967295', DryRun: 'true' })).status).toBe(400)
    expect((await remove({})).json.taskUid).toBe(0)
    expect((await remove({ TaskId: '4000000000' })).json.taskUid).toBe(4_000_000_000)
    expect((await remove({})).json.taskUid).toBe(4_000_000_001)
    expect((await server.send('GET', '/tasks?limit=1')).json.results[0].uid).toBe(4_000_000_001)
  })
})
