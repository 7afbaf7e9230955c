import { beforeAll, expect, test } from 'vitest'
import { startIndexServer } from '../index-server.fixture.js'
import { startTaskServer, type TaskServer } from './task-server.fixture.js'

let server: TaskServer

beforeAll(async () => {
  server = await startTaskServer()
  await server.put({ type: 'indexCreation', indexUid: 'a', primaryKey: null })
  await server.settle()
  await server.put({ type: 'indexCreation', indexUid: 'b', primaryKey: 'id' })
  await server.settle()
  await server.put({ type: 'indexSwap', swaps: [] })
  await server.settle()
})

test('a finished batch has exactly eight members', async () => {
  const { status, json } = await server.send('GET', '/batches/0')
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  const spent = expect.stringMatching(/^\d+\.\d\d(ns|µs|ms|s)$/)
  expect(status).toBe(200)
  expect(Object.entries(json)).toEqual([
    ['uid', 0],
    ['progress', null],
    ['details', {}],
    [
      'stats',
      {
        totalNbTasks: 1,
        status: { succeeded: 1 },
        types: { indexCreation: 1 },
        indexUids: { a: 1 },
        progressTrace: { 'processing tasks': spent, 'writing tasks to disk': spent },
        internalDatabaseSizes: { main: '4 KiB (+4 KiB)' },
      },
    ],
    ['duration', expect.stringMatching(/^PT/)],
    ['startedAt', time],
    ['finishedAt', time],
    ['batchStrategy', expect.stringContaining('indexCreation')],
  ])
})

test('22.4.12: a batch of documents tells its times, its hand-overs and what grew', async () => {
  const documents = await startIndexServer()
  const { batchUid } = await documents.add('a', [{ id: 1, title: 'x' }])
  const { stats } = (await documents.send('GET', `/batches/${batchUid}`)).json
  const spent = expect.stringMatching(/^\d+\.\d\d(ns|µs|ms|s)$/)
  expect(stats.progressTrace).toMatchObject({ 'processing tasks': spent, 'writing tasks to disk': spent })
  expect(Object.keys(stats.progressTrace).some((path) => path.startsWith('processing tasks > '))).toBe(true)
  expect(stats.writeChannelCongestion).toEqual({ attempts: 0, blocking_attempts: 0, blocking_ratio: 0 })
  expect(stats.internalDatabaseSizes).toMatchObject({ documents: '4 KiB (+4 KiB)', externalIds: '4 KiB (+4 KiB)' })
  const { batchUid: next } = await documents.add('a', [{ id: 2, title: 'y'.repeat(20_000) }])
  const later = (await documents.send('GET', `/batches/${next}`)).json.stats.internalDatabaseSizes
  expect(later.documents).toMatch(/^\d+ KiB \(\+\d+ KiB\)$/)
})

test.each([
  ['', { uids: [2, 1, 0], total: 3, limit: 20, from: 2, next: null }],
  ['limit=1', { uids: [2], total: 3, limit: 1, from: 2, next: 1 }],
  ['limit=2&reverse=true&from=1', { uids: [1, 2], total: 3, limit: 2, from: 1, next: null }],
  ['uids=1', { uids: [1], total: 1, limit: 20, from: 1, next: null }],
  ['batchUids=0,9', { uids: [0], total: 1, limit: 20, from: 0, next: null }],
  ['statuses=failed', { uids: [], total: 0, limit: 20, from: null, next: null }],
  ['types=indexSwap', { uids: [2], total: 1, limit: 20, from: 2, next: null }],
  ['indexUids=b', { uids: [1], total: 1, limit: 20, from: 1, next: null }],
  ['afterEnqueuedAt=9999-01-01', { uids: [], total: 0, limit: 20, from: null, next: null }],
])('lists %s', async (query, { uids, ...rest }) => {
  const { json } = await server.send('GET', `/batches?${query}`)
  expect(json.results.map((batch: { uid: number }) => batch.uid)).toEqual(uids)
  expect({ ...json, results: undefined }).toEqual(rest)
})

test.each([
  ['abc', 400, 'invalid_batch_uids'],
  ['stream', 400, 'invalid_batch_uids'],
  ['4294967295', 404, 'batch_not_found'],
])('there is no batch %s', async (uid, status, code) => {
  const found = await server.send('GET', `/batches/${uid}`)
  expect([found.status, found.json.code]).toEqual([status, code])
})

test.each([
  ['batchUids=x', 'invalid_batch_uids'],
  ['uids=x', 'invalid_task_uids'],
  ['limit=x', 'invalid_task_limit'],
  ['lol=1', 'bad_request'],
])('a list with %s is refused', async (query, code) => {
  expect((await server.send('GET', `/batches?${query}`)).json.code).toBe(code)
})

test('a key for one index sees the batches with tasks of that index', async () => {
  const body = { actions: ['tasks.get'], indexes: ['b'], expiresAt: null }
  const { key } = (await server.send('POST', '/keys', { body })).json
  expect((await server.send('GET', '/batches', { key })).json).toMatchObject({ results: [{ uid: 1 }], total: 3 })
  expect((await server.send('GET', '/batches/0', { key })).json.code).toBe('batch_not_found')
  expect((await server.send('GET', '/batches/2', { key })).json.code).toBe('batch_not_found')
})
