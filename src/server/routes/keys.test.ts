import { beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.fixture.js'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const create = (fields: object = {}) =>
  server.send('POST', '/keys', { body: { actions: ['search'], indexes: ['*'], expiresAt: null, ...fields } })

test('a fresh server has four keys, newest first', async () => {
  const fresh = await startTestServer()
  const { status, json } = await fresh.send('GET', '/keys')
  expect(status).toBe(200)
  expect(json).toMatchObject({ offset: 0, limit: 20, total: 4 })
  expect(json.results.map(({ name, actions }: { name: string; actions: string[] }) => [name, actions])).toEqual([
    ['Default Search API Key', ['search']],
    ['Default Admin API Key', ['*']],
    ['Default Read-Only Admin API Key', ['*.get', 'keys.get']],
    ['Default Chat API Key', ['chatCompletions', 'search']],
  ])
  expect(Object.keys(json.results[0])).toEqual([
    'name',
    'description',
    'key',
    'uid',
    'actions',
    'indexes',
    'expiresAt',
    'createdAt',
    'updatedAt',
  ])
})

describe('creating', () => {
  test('gives the key that follows from master key and uid', async () => {
    const uid = '00000000-0000-0000-0000-000000000000'
    const { status, json } = await create({
      uid,
      name: 'nil',
      indexes: ['shop_*', 'shop_*'],
      actions: ['search', 'search'],
    })
    expect(status).toBe(201)
    expect(json).toEqual({
      name: 'nil',
      description: null,
      key: 'aeb94973e0b6e912d94165430bbe87dee91a7c4f891ce19050c3910ec96977e9',
      uid,
      actions: ['search', 'search'],
      indexes: ['shop_*', 'shop_*'],
      expiresAt: null,
      createdAt: json.createdAt,
      updatedAt: json.createdAt,
    })
    expect(json.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/)
  })

  test('a uid can be written in several ways and used once', async () => {
    const uid = '6f1c2d3e-0a1b-4c2d-8e3f-112233445566'
    expect((await create({ uid: `urn:uuid:${uid.toUpperCase()}` })).json.uid).toBe(uid)
    const again = await create({ uid: `{${uid}}` })
    expect([again.status, again.json.code]).toEqual([409, 'api_key_already_exists'])
    expect(again.json.message).toContain(uid)
  })

  test('two requests for the same uid at once make one key', async () => {
    const uid = '11111111-0a1b-4c2d-8e3f-112233445566'
    const answers = await Promise.all([create({ uid }), create({ uid }), create({ uid })])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  })

  test('an end can be given as a day', async () => {
    expect((await create({ expiresAt: '2050-11-13' })).json.expiresAt).toBe('2050-11-13T00:00:00Z')
    expect((await create({ expiresAt: '2050-11-13T00:00:00+02:00' })).json.expiresAt).toBe('2050-11-13T00:00:00+02:00')
  })

  test.each([
    [{ description: 1 }, 'invalid_api_key_description'],
    [{ name: [] }, 'invalid_api_key_name'],
    [{ uid: null }, 'invalid_api_key_uid'],
    [{ uid: 'x' }, 'invalid_api_key_uid'],
    [{ actions: 'search' }, 'invalid_api_key_actions'],
    [{ actions: ['keys.*'] }, 'invalid_api_key_actions'],
    [{ actions: ['search', 'doc.add'] }, 'invalid_api_key_actions'],
    [{ indexes: null }, 'invalid_api_key_indexes'],
    [{ indexes: ['a*b'] }, 'invalid_api_key_indexes'],
    [{ indexes: ['**'] }, 'invalid_api_key_indexes'],
    [{ indexes: [''] }, 'invalid_api_key_indexes'],
    [{ indexes: ['x'.repeat(401)] }, 'invalid_api_key_indexes'],
    [{ expiresAt: 'soon' }, 'invalid_api_key_expires_at'],
    [{ expiresAt: '2010-01-01' }, 'invalid_api_key_expires_at'],
    [{ bogus: 1 }, 'bad_request'],
    [{ key: 'x' }, 'bad_request'],
  ])('%j is refused as %s', async (fields, code) => {
    const { status, json } = await create(fields)
    expect([status, json.code]).toEqual([400, code])
  })

  test('a message names place, value and what is accepted', async () => {
    const { json } = await create({ actions: ['search', 'serch'] })
    expect(json.message).toMatch(/\.actions\[1\].*serch.*did you mean `search`.*`documents\.\*`/)
  })

  test.each(['actions', 'indexes', 'expiresAt'])('%s must be given', async (name) => {
    const body: Record<string, unknown> = { actions: [], indexes: [], expiresAt: null }
    delete body[name]
    const { json } = await server.send('POST', '/keys', { body })
    expect(json.code).toBe(`missing_api_key_${name === 'expiresAt' ? 'expires_at' : name}`)
  })

  test('the first member that is wrong decides', async () => {
    const post = async (body: string) =>
      (await server.send('POST', '/keys', { body, headers: { 'content-type': 'application/json' } })).json.code
    expect(await post('{"bogus":1,"name":3}')).toBe('bad_request')
    expect(await post('{"name":3,"bogus":1}')).toBe('invalid_api_key_name')
    expect(await post('{}')).toBe('missing_api_key_actions')
  })

  test('a key for some indexes gets no action on the whole server by name', async () => {
    const { status, json } = await create({ indexes: ['a'], actions: ['search', 'version', 'dumps.create'] })
    expect([status, json.code]).toEqual([400, 'index_scoped_api_key_with_global_action'])
    expect(json.message).toContain('version')
    expect((await create({ indexes: ['a', '*'], actions: ['version'] })).status).toBe(201)
    expect((await create({ indexes: [], actions: ['version'] })).status).toBe(201)
  })

  test('a key for some indexes with all actions opens no route of the whole server', async () => {
    const { status, json } = await create({ indexes: ['a'], actions: ['*'] })
    expect(status).toBe(201)
    expect((await server.send('GET', '/version', { key: json.key })).status).toBe(403)
    expect((await server.send('GET', '/stats', { key: json.key })).status).toBe(200)
  })
})

describe('listing', () => {
  test('goes page by page', async () => {
    const { json } = await server.send('GET', '/keys?limit=1&offset=1')
    expect(json).toMatchObject({ offset: 1, limit: 1 })
    expect(json.results).toHaveLength(1)
    expect((await server.send('GET', '/keys?limit=0')).json.results).toEqual([])
    expect((await server.send('GET', '/keys?offset=18446744073709551615')).json.results).toEqual([])
  })

  test.each(['limit=-1', 'limit=', 'limit=1.0', 'limit=18446744073709551616', 'limit'])(
    '%s is refused',
    async (query) => {
      expect((await server.send('GET', `/keys?${query}`)).json.code).toBe('invalid_api_key_limit')
    },
  )

  test('an unknown parameter is refused with a suggestion', async () => {
    const { status, json } = await server.send('GET', '/keys?ofset=1')
    expect([status, json.code]).toEqual([400, 'bad_request'])
    expect(json.message).toContain('`offset`')
    expect((await server.send('GET', '/keys?offset=x')).json.code).toBe('invalid_api_key_offset')
  })
})

describe('one key', () => {
  test('is found by uid and by value', async () => {
    const { json: key } = await create({ name: 'one' })
    expect((await server.send('GET', `/keys/${key.uid}`)).json).toEqual(key)
    expect((await server.send('GET', `/keys/${key.key}`)).json).toEqual(key)
    expect((await server.send('GET', `/keys/${key.uid.replaceAll('-', '').toUpperCase()}`)).json).toEqual(key)
  })

  test('that does not exist is not found', async () => {
    for (const method of ['GET', 'DELETE']) {
      const { status, json } = await server.send(method, '/keys/nobody')
      expect([status, json.code]).toEqual([404, 'api_key_not_found'])
      expect(json.message).toContain('nobody')
    }
  })

  test('can be renamed, described and cleared', async () => {
    const { json: key } = await create({ name: 'one', description: 'first' })
    const patch = async (body: object) => (await server.send('PATCH', `/keys/${key.key}`, { body })).json
    const renamed = await patch({ name: 'two' })
    expect(renamed).toEqual({ ...key, name: 'two', updatedAt: renamed.updatedAt })
    expect(Date.parse(renamed.updatedAt)).toBeGreaterThanOrEqual(Date.parse(key.updatedAt))
    expect(await patch({ description: null })).toMatchObject({ name: 'two', description: null })
    const touched = await patch({})
    expect(touched).toMatchObject({ name: 'two', description: null, createdAt: key.createdAt })
  })

  test.each([
    ['uid', 'immutable_api_key_uid'],
    ['actions', 'immutable_api_key_actions'],
    ['indexes', 'immutable_api_key_indexes'],
    ['expiresAt', 'immutable_api_key_expires_at'],
    ['createdAt', 'immutable_api_key_created_at'],
    ['updatedAt', 'immutable_api_key_updated_at'],
    ['key', 'bad_request'],
    ['constructor', 'bad_request'],
  ])('its %s cannot be set', async (name, code) => {
    const { json: key } = await create()
    const { status, json } = await server.send('PATCH', `/keys/${key.uid}`, { body: { [name]: [] } })
    expect([status, json.code]).toEqual([400, code])
  })

  test('a wrong body comes before an unknown key', async () => {
    expect((await server.send('PATCH', '/keys/unknown', { body: { name: 3 } })).json.code).toBe('invalid_api_key_name')
    expect((await server.send('PATCH', '/keys/unknown', { body: {} })).json.code).toBe('api_key_not_found')
  })

  test('is gone when deleted', async () => {
    const { json: key } = await create({ actions: ['version'] })
    expect((await server.send('GET', '/version', { key: key.key })).status).toBe(200)
    const deleted = await server.send('DELETE', `/keys/${key.key}`)
    expect([deleted.status, deleted.text, deleted.headers['content-type']]).toEqual([204, '', undefined])
    expect((await server.send('DELETE', `/keys/${key.uid}`)).status).toBe(404)
    expect((await server.send('GET', '/version', { key: key.key })).status).toBe(403)
  })
})

test('keys outlive the server, and their values follow the master key', async () => {
  const first = await startTestServer({ masterKey: 'first master key' })
  const before = (await first.send('GET', '/keys')).json.results
  await first.close()
  const second = await startTestServer({ folder: first.folder, masterKey: 'second master key' })
  const after = (await second.send('GET', '/keys')).json.results
  expect(after.map(({ uid }: { uid: string }) => uid)).toEqual(before.map(({ uid }: { uid: string }) => uid))
  expect(after[0].key).not.toBe(before[0].key)
  for (const { uid } of after) await second.send('DELETE', `/keys/${uid}`)
  expect((await second.send('GET', '/keys')).json.total).toBe(0)
  await second.close()
  const third = await startTestServer({ folder: first.folder, masterKey: 'second master key' })
  expect((await third.send('GET', '/keys')).json.total).toBe(4)
})

test('without a master key there are keys, but nobody can see them', async () => {
  const open = await startTestServer({ masterKey: null })
  for (const [method, path] of [
    ['GET', '/keys'],
    ['POST', '/keys'],
    ['GET', '/keys/x'],
    ['PATCH', '/keys/x'],
    ['DELETE', '/keys/x'],
  ] as const) {
    const { status, json } = await open.send(method, path, { key: 'any' })
    expect([status, json.code]).toEqual([401, 'missing_master_key'])
  }
  expect(open.context.keys.list()).toHaveLength(4)
})
