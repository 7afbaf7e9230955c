import { beforeAll, expect, test } from 'vitest'
import { startTaskServer, type TaskServer } from './task-server.fixture.js'

let server: TaskServer

beforeAll(async () => {
  server = await startTaskServer()
})

const swap = (body: unknown, key?: string) =>
  server.send('POST', '/swap-indexes', {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
    ...(key && { key }),
  })

test.each([
  ['x', 'bad_request'],
  [{ indexes: ['a', 'b'] }, 'bad_request'],
  [['doggo'], 'bad_request'],
  [[{ indexes: ['a', 'b'], bogus: 1 }], 'bad_request'],
  [[{}], 'missing_swap_indexes'],
  [[{ indexes: 'a' }], 'invalid_swap_indexes'],
  [[{ indexes: ['a', 1] }], 'invalid_swap_indexes'],
  [[{ indexes: ['a', 'not legal'] }], 'invalid_swap_indexes'],
  [[{ indexes: [] }], 'invalid_swap_indexes'],
  [[{ indexes: ['a'] }], 'invalid_swap_indexes'],
  [[{ indexes: ['a', 'b', 'c'] }], 'invalid_swap_indexes'],
  [[{ indexes: ['a', 'b'], rename: 'yes' }], 'invalid_swap_rename'],
  [[{ indexes: ['a', 'b'], rename: null }], 'invalid_swap_rename'],
  [[{ indexes: ['a', 'a'] }], 'invalid_swap_duplicate_index_found'],
])('%j is refused with %s', async (body, code) => {
  const { status, json } = await swap(body)
  expect([status, json.code]).toEqual([400, code])
})

test('a list of the wrong length is named with its place and length', async () => {
  const { json } = await swap([{ indexes: ['a', 'b'] }, { indexes: ['c', 'd', 'e'] }])
  expect(json.message).toMatch(/`\[1\]\.indexes`.*3.*\["c","d","e"\]/)
})

test('all indexes named twice are listed, sorted', async () => {
  const { json } = await swap([{ indexes: ['d', 'b'] }, { indexes: ['b', 'a'] }, { indexes: ['c', 'd'] }])
  expect(json.code).toBe('invalid_swap_duplicate_index_found')
  expect(json.message).toMatch(/"b".*"d"|`b`.*`d`/)
})

test('a swap is enqueued with a summary of 202, whether the indexes exist or not', async () => {
  const { status, json } = await swap([{ indexes: ['a', 'b'] }, { indexes: ['c', 'd'], rename: true }])
  expect([status, Object.keys(json)]).toEqual([202, ['taskUid', 'indexUid', 'status', 'type', 'enqueuedAt']])
  expect(json).toMatchObject({ indexUid: null, status: 'enqueued', type: 'indexSwap' })
  await server.settle()
  const task = (await server.send('GET', `/tasks/${json.taskUid}`)).json
  expect(task).toMatchObject({
    status: 'failed',
    error: { code: 'index_not_found' },
    details: {
      swaps: [
        { indexes: ['a', 'b'], rename: false },
        { indexes: ['c', 'd'], rename: true },
      ],
    },
  })
})

test('an empty list succeeds', async () => {
  const { status, json } = await swap([])
  await server.settle()
  const task = (await server.send('GET', `/tasks/${json.taskUid}`)).json
  expect([status, task.status, task.details]).toEqual([202, 'succeeded', { swaps: [] }])
})

test('a key must open every index that is named', async () => {
  const body = { actions: ['indexes.swap'], indexes: ['a', 'b*'], expiresAt: null }
  const { key } = (await server.send('POST', '/keys', { body })).json
  const refused = await swap([{ indexes: ['a', 'b'] }, { indexes: ['b2', 'c'] }], key)
  expect([refused.status, refused.json.code]).toEqual([403, 'invalid_api_key'])
  expect(refused.json.message).toContain('`c`')
  expect((await swap([{ indexes: ['a', 'b'] }], key)).status).toBe(202)
})
