import { type Key, Meilisearch, MeilisearchApiError } from 'meilisearch'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestServer } from './server.js'

const masterKey = 'a-master-key-of-enough-bytes'
let server: TestServer
let client: Meilisearch

beforeAll(async () => {
  server = await TestServer.start({ masterKey })
  client = new Meilisearch({ host: server.url, apiKey: masterKey })
})

afterAll(() => server.close())

/** The code of the error that the client reports. */
async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  const error = await call.catch((reason: unknown) => reason)
  return error instanceof MeilisearchApiError ? error.cause?.code : undefined
}

test('a fresh server lists its default keys', async () => {
  const { results, total } = await client.getKeys()
  expect(total).toBe(4)
  expect(results.map(({ actions }) => actions.length > 0)).toEqual([true, true, true, true])
})

test('a key is created, found by uid and by value, renamed and deleted', async () => {
  const expiresAt = new Date('2099-01-01T00:00:00Z')
  const created = await client.createKey({ name: 'shop', actions: ['search'], indexes: ['shop_*'], expiresAt })
  expect(created).toMatchObject({ name: 'shop', description: null, actions: ['search'], indexes: ['shop_*'] })
  expect(new Date(created.expiresAt)).toEqual(expiresAt)
  expect(await client.getKey(created.uid)).toEqual(created)
  expect(await client.getKey(created.key)).toEqual(created)
  expect((await client.getKeys({ limit: 1 })).results.map(({ uid }) => uid)).toEqual([created.uid])

  const updated = await client.updateKey(created.uid, { description: 'for the shop' })
  expect(updated).toEqual({ ...created, description: 'for the shop', updatedAt: updated.updatedAt })

  await client.deleteKey(created.key)
  expect(await codeOf(client.getKey(created.uid))).toBe('api_key_not_found')
})

test('a key gives access to what its actions name, and to nothing else', async () => {
  const { key } = await client.createKey({ actions: ['version'], indexes: ['*'], expiresAt: null })
  const limited = new Meilisearch({ host: server.url, apiKey: key })
  expect(await limited.getVersion()).toHaveProperty('pkgVersion')
  expect(await codeOf(limited.getKeys())).toBe('invalid_api_key')
  expect(await codeOf(new Meilisearch({ host: server.url }).getVersion())).toBe('missing_authorization_header')
})

test('keys outlive the server, with the same values', async () => {
  const options = { uid: '6f1c2d3e-0a1b-4c2d-8e3f-112233445566', actions: ['search'], indexes: ['*'], expiresAt: null }
  const created: Key = await client.createKey(options)
  expect(await codeOf(client.createKey(options))).toBe('api_key_already_exists')
  await server.restart()
  client = new Meilisearch({ host: server.url, apiKey: masterKey })
  expect(await client.getKey(created.uid)).toEqual(created)
})

test('a feature is off until it is turned on, and stays on', async () => {
  const before = await client.getExperimentalFeatures()
  expect(before.metrics).toBe(false)
  const after = await client.updateExperimentalFeatures({ metrics: true })
  expect(after).toEqual({ ...before, metrics: true })
  await server.restart()
  client = new Meilisearch({ host: server.url, apiKey: masterKey })
  expect(await client.getExperimentalFeatures()).toEqual(after)
})
