/** Section 1 of the interface document, line by line. */
import { beforeAll, expect, test } from 'vitest'
import { done, send } from '../filled-server.js'
import type { TestServer } from '../server.js'
import { startGuarded } from './walk.js'

let server: TestServer

beforeAll(async () => {
  server = await startGuarded()
})

test('L9: documents are stored in indexes and searched, and bodies are JSON', async () => {
  await done(server, 'POST', '/indexes/films/documents', [{ id: 1, title: 'The Red Fox' }])
  const { headers, body } = await server.request('POST', '/indexes/films/search', { q: 'fox' })
  expect(headers['content-type']).toBe('application/json')
  expect(body).toMatchObject({ hits: [{ id: 1, title: 'The Red Fox' }] })
})

test('L10: a write returns a task that the tasks routes follow', async () => {
  const { status, body } = await server.request<{ taskUid: number }>('POST', '/indexes', { uid: 'later' })
  expect(status).toBe(202)
  expect(await server.waitTask(body.taskUid)).toMatchObject({ status: 'succeeded', type: 'indexCreation' })
})

test('L11: several document additions to one index are processed in one batch', async () => {
  const held = await startGuarded('--experimental-max-number-of-batched-tasks', '0')
  const uids: number[] = []
  for (let id = 1; id <= 3; id++) uids.push(await send(held, 'POST', '/indexes/films/documents', [{ id }]))
  await held.restart({ masterKey: 'a-master-key-of-good-length' })
  const batches = await Promise.all(uids.map(async (uid) => (await held.waitTask(uid)).batchUid))
  expect(new Set(batches).size).toBe(1)
})

test('L12: every group of routes that is named answers', async () => {
  const named: readonly [method: string, path: string][] = [
    ['GET', '/stats'],
    ['GET', '/health'],
    ['GET', '/version'],
    ['POST', '/snapshots'],
    ['POST', '/dumps'],
    ['POST', '/export'],
    ['GET', '/tasks'],
    ['GET', '/batches'],
    ['GET', '/chats'],
    ['GET', '/indexes'],
    ['GET', '/indexes/films/documents'],
    ['POST', '/indexes/films/facet-search'],
    ['POST', '/indexes/films/similar'],
    ['GET', '/indexes/films/settings'],
    ['GET', '/indexes/films/search'],
    ['GET', '/keys'],
    ['POST', '/logs/stderr'],
    ['POST', '/multi-search'],
    ['GET', '/experimental-features'],
    ['GET', '/network'],
    ['GET', '/webhooks'],
    ['POST', '/dynamic-search-rules'],
    ['POST', '/render-template'],
  ]
  for (const [method, path] of named) {
    const { status } = await server.request(method, path, method === 'POST' ? {} : undefined)
    expect([path, status]).not.toEqual([path, 404])
    expect([path, status]).not.toEqual([path, 405])
  }
})

test('L14: experimental features and the network change at once, without a task', async () => {
  const features = await server.request('PATCH', '/experimental-features', { network: true })
  expect(features).toMatchObject({ status: 200, body: { network: true } })
  expect((await server.request('GET', '/experimental-features')).body).toMatchObject({ network: true })
  const network = await server.request('PATCH', '/network', { self: 'here' })
  expect(network).toMatchObject({ status: 200, body: { self: 'here' } })
  expect(network.body).not.toHaveProperty('taskUid')
  expect((await server.request('GET', '/network')).body).toMatchObject({ self: 'here' })
})

test('L15: chats are refused until chatCompletions is activated', async () => {
  expect(await server.request('GET', '/chats')).toMatchObject({ status: 400, body: { code: 'feature_not_enabled' } })
  await server.request('PATCH', '/experimental-features/', { chatCompletions: true })
  expect(await server.request('GET', '/chats')).toMatchObject({ status: 200 })
})
