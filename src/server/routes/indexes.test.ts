import { beforeAll, describe, expect, test } from 'vitest'
import { type IndexServer, startIndexServer } from '../index-server.fixture.js'

let server: IndexServer
beforeAll(async () => {
  server = await startIndexServer()
})

const create = (uid: string, primaryKey?: string) => server.done('POST', '/indexes', { body: { uid, primaryKey } })
const index = async (uid: string) => (await server.send('GET', `/indexes/${uid}`)).json

describe('creating', () => {
  test.each([
    [{ uid: 'a b' }, 'invalid_index_uid'],
    [{ uid: 'x'.repeat(401) }, 'invalid_index_uid'],
    [{ uid: '' }, 'invalid_index_uid'],
    [{ uid: 'ä' }, 'invalid_index_uid'],
    [{ uid: true }, 'invalid_index_uid'],
    [{ primaryKey: 'id' }, 'missing_index_uid'],
    [{ uid: 'x', foo: 1 }, 'bad_request'],
    [{ uid: 'x', primaryKey: 1 }, 'invalid_index_primary_key'],
    [[], 'bad_request'],
  ])('%j is refused with %s', async (body, code) => {
    expect(await server.codeOf('POST', '/indexes', { body })).toBe(code)
  })

  test('an index has four members, and a key only if one is given', async () => {
    const task = await create('x'.repeat(400))
    expect(task).toMatchObject({ status: 'succeeded', type: 'indexCreation', details: { primaryKey: null } })
    const { text, json } = await server.send('GET', `/indexes/${'x'.repeat(400)}`)
    const { createdAt } = json
    expect(text).toBe(JSON.stringify({ uid: 'x'.repeat(400), createdAt, updatedAt: createdAt, primaryKey: null }))
    await create('with-key', 'not.plausible !')
    expect(await index('with-key')).toMatchObject({ primaryKey: 'not.plausible !' })
  })

  test('the second of two indexes of one name fails', async () => {
    await create('twice')
    const task = await create('twice', 'id')
    expect(task).toMatchObject({ status: 'failed', details: { primaryKey: 'id' } })
    expect(task.error).toMatchObject({ code: 'index_already_exists', message: expect.stringContaining('twice') })
    expect(await index('twice')).toMatchObject({ primaryKey: null })
  })
})

test('the list is sorted by uid and paged', async () => {
  const own = await startIndexServer()
  const uids = Array.from({ length: 50 }, (_, i) => `test_${String(i).padStart(2, '0')}`)
  const tasks = await Promise.all([...uids].reverse().map((uid) => own.send('POST', '/indexes', { body: { uid } })))
  await own.ended(Math.max(...tasks.map(({ json }) => json.taskUid)))
  const page = async (query: string) => {
    const { json } = await own.send('GET', `/indexes${query}`)
    return { ...json, results: json.results.map(({ uid }: { uid: string }) => uid) }
  }
  expect(await page('')).toEqual({ results: uids.slice(0, 20), offset: 0, limit: 20, total: 50 })
  expect(await page('?offset=45')).toEqual({ results: uids.slice(45), offset: 45, limit: 20, total: 50 })
  expect(await page('?limit=0')).toEqual({ results: [], offset: 0, limit: 0, total: 50 })
  expect(await page('?limit=2&offset=1&limit=3')).toMatchObject({ results: uids.slice(1, 4) })
  expect(await own.codeOf('GET', '/indexes?limit=-1')).toBe('invalid_index_limit')
  expect(await own.codeOf('GET', '/indexes?offset=1.0')).toBe('invalid_index_offset')
  expect(await own.codeOf('GET', '/indexes?doggo=1')).toBe('bad_request')

  const key = await own.send('POST', '/keys', { body: { actions: ['*'], indexes: ['test_1*'], expiresAt: null } })
  const visible = await own.send('GET', '/indexes?limit=3', { key: key.json.key })
  expect(visible.json).toMatchObject({
    total: 10,
    results: [{ uid: 'test_10' }, { uid: 'test_11' }, { uid: 'test_12' }],
  })
})

test('an index that does not exist is not found', async () => {
  expect(await server.codeOf('GET', '/indexes/missing')).toBe('index_not_found')
  expect(await server.codeOf('GET', '/indexes/mis%20sing')).toBe('invalid_index_uid')
  for (const [method, path, sent] of [
    ['DELETE', '/indexes/missing', {}],
    ['PATCH', '/indexes/missing', { body: {} }],
    ['POST', '/indexes/missing/compact', {}],
    ['DELETE', '/indexes/missing/documents', {}],
  ] as const) {
    const task = await server.done(method, path, sent)
    expect([method, task.status, task.error?.code]).toEqual([method, 'failed', 'index_not_found'])
  }
  expect(await server.codeOf('GET', '/indexes/missing')).toBe('index_not_found')
})

describe('updating', () => {
  test.each([
    [{ createdAt: 'x' }, 'immutable_index_created_at'],
    [{ updatedAt: 'x' }, 'immutable_index_updated_at'],
    [{ uid: 'Bad!' }, 'invalid_index_uid'],
    [{ uid: 1 }, 'invalid_index_uid'],
    [{ primaryKey: 1 }, 'invalid_index_primary_key'],
    [{ name: 'x' }, 'bad_request'],
  ])('%j is refused with %s', async (body, code) => {
    expect(await server.codeOf('PATCH', '/indexes/some', { body })).toBe(code)
  })

  test('nothing given is a success without effect', async () => {
    await create('untouched')
    const before = await index('untouched')
    const task = await server.done('PATCH', '/indexes/untouched', { body: {} })
    expect(task).toMatchObject({ status: 'succeeded', type: 'indexUpdate', details: { primaryKey: null } })
    expect(Object.keys(task.details)).toEqual(['primaryKey'])
    expect(await index('untouched')).toEqual(before)
  })

  test('the key can be changed while there are no documents', async () => {
    await server.add('keyed', [{ id: 1, other: 2 }])
    const patch = (primaryKey: string) => server.done('PATCH', '/indexes/keyed', { body: { primaryKey } })
    const refused = await patch('other')
    expect(refused.error).toMatchObject({
      code: 'index_primary_key_already_exists',
      message: expect.stringMatching(/keyed.*id/),
    })
    expect(await patch('id')).toMatchObject({ status: 'succeeded' })
    await server.done('DELETE', '/indexes/keyed/documents')
    expect(await patch('other')).toMatchObject({ status: 'succeeded' })
    expect(await index('keyed')).toMatchObject({ primaryKey: 'other' })
  })

  test('a rename moves documents and tasks, but not over another index', async () => {
    const added = await server.add('old', [{ id: 1 }])
    await create('occupied')
    const refused = await server.done('PATCH', '/indexes/old', { body: { uid: 'occupied' } })
    expect(refused).toMatchObject({
      status: 'failed',
      error: { code: 'index_already_exists', message: expect.stringContaining('occupied') },
      details: { primaryKey: null, oldIndexUid: 'old', newIndexUid: 'occupied' },
    })
    const renamed = await server.done('PATCH', '/indexes/old', { body: { uid: 'new' } })
    expect(renamed).toMatchObject({ status: 'succeeded', indexUid: 'old', details: { newIndexUid: 'new' } })
    expect(await server.codeOf('GET', '/indexes/old')).toBe('index_not_found')
    expect(await server.list('new')).toEqual([{ id: 1 }])
    expect(await server.ended(added.uid)).toMatchObject({ indexUid: 'new' })
  })

  test('a rename needs a key that covers the new name too', async () => {
    await create('tb')
    const body = { actions: ['indexes.*', 'tasks.*'], indexes: ['tb', 'tb-*'], expiresAt: null }
    const { key } = (await server.send('POST', '/keys', { body })).json
    const rename = (uid: string, from = 'tb') => server.send('PATCH', `/indexes/${from}`, { key, body: { uid } })
    const refused = await rename('others')
    expect([refused.status, refused.json.code]).toEqual([403, 'invalid_api_key'])
    expect(refused.json.message).toContain('`others`')
    expect((await index('tb')).uid).toBe('tb')
    const swap = { key, body: [{ indexes: ['tb', 'others'], rename: true }] }
    expect((await server.send('POST', '/swap-indexes', swap)).json.code).toBe('invalid_api_key')
    expect((await rename('tb-2')).status).toBe(202)
    expect((await rename('tb-2', 'tb-2')).status).toBe(202)
  })

  test('a rename to the same name changes nothing', async () => {
    await create('itself')
    const before = await index('itself')
    const task = await server.done('PATCH', '/indexes/itself', { body: { uid: 'itself' } })
    expect(task).toMatchObject({ status: 'succeeded', details: { oldIndexUid: 'itself', newIndexUid: 'itself' } })
    expect(await index('itself')).toEqual(before)
  })
})

test('deleting tells how many documents went, and keeps the tasks', async () => {
  const added = await server.add('doomed', [{ id: 1 }, { id: 2 }])
  const task = await server.done('DELETE', '/indexes/doomed')
  expect(task).toMatchObject({ status: 'succeeded', type: 'indexDeletion', details: { deletedDocuments: 2 } })
  expect(await server.codeOf('GET', '/indexes/doomed')).toBe('index_not_found')
  expect(await server.ended(added.uid)).toMatchObject({ indexUid: 'doomed', status: 'succeeded' })
})

test('compacting keeps everything and tells both sizes', async () => {
  await server.add('roomy', [{ id: 1, a: 'x' }])
  const task = await server.done('POST', '/indexes/roomy/compact')
  expect(task).toMatchObject({
    status: 'succeeded',
    details: { preCompactionSize: expect.stringMatching(/ [KM]iB$/), postCompactionSize: expect.any(String) },
  })
  expect(await server.list('roomy')).toEqual([{ id: 1, a: 'x' }])
})

test('stats count documents and their top-level attributes', async () => {
  await server.add('counted', [
    { id: 1, age: null, _vectors: { e: null } },
    { id: 2, name: { x: 1 }, _geo: null },
  ])
  const { json } = await server.send('GET', '/indexes/counted/stats')
  expect(json).toMatchObject({ numberOfDocuments: 2, isIndexing: false })
  expect(Object.entries(json.fieldDistribution)).toEqual([
    ['_geo', 1],
    ['age', 1],
    ['id', 2],
    ['name', 1],
  ])
  await server.done('DELETE', '/indexes/counted/documents/1')
  const after = await server.send('GET', '/indexes/counted/stats')
  expect(after.json.fieldDistribution).toEqual({ _geo: 1, id: 1, name: 1 })
})
