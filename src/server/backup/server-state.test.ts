import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { BadArchive, type ServerState } from '../../backup/index.js'
import { WorkspaceStore } from '../../chat/index.js'
import { fromPlain, type JsonObject, toPlain } from '../../json/index.js'
import { FeatureStore, KeyStore, NetworkStore, RuleStore } from '../../state/index.js'
import { Environment, LocalStateLog } from '../../store/index.js'
import { systemClock } from '../../time/index.js'
import { WebhookRegistry } from '../../webhooks/index.js'
import { temporaryFolder } from '../test-server.fixture.js'
import { dumpedKey } from './dumped-keys.js'
import { readState, type StateStores, writeState } from './server-state.js'

const OFF = { metrics: false, logsRoute: false, containsFilter: false, legacySearchDefault: false }
const launch = { features: OFF, clock: systemClock } as Parameters<typeof writeState>[2]

const cleanups: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const cleanup of cleanups) await cleanup()
})

async function openStores(): Promise<StateStores> {
  const environment = Environment.open(join(temporaryFolder(), 'tasks'), { maxDatabases: 32 })
  cleanups.push(() => environment.close())
  const log = new LocalStateLog(environment)
  const keys = { log, masterKey: 'MASTER', clock: systemClock, makesDefaults: false }
  return {
    keys: await KeyStore.open(keys),
    features: new FeatureStore(log, launch.features),
    webhooks: new WebhookRegistry({ log }),
    network: new NetworkStore(log),
    rules: new RuleStore(log),
    chats: new WorkspaceStore(log),
  }
}

const json = (plain: unknown): JsonObject => fromPlain(plain) as JsonObject

const KEY = json({
  description: 'reads movies',
  uid: '0f5b1c1e-3f1a-4a6b-9a55-1d2f7a0b9c11',
  actions: ['search', 'documents.get'],
  indexes: ['movies', 'cit*'],
  expires_at: null,
  created_at: '2026-11-15T03:01:13.970847286Z',
  updated_at: '2026-11-15T03:01:13.970847286Z',
})

/** The members of a dump that another server wrote. */
const DUMPED: ServerState = {
  instanceUid: null,
  keys: [KEY],
  features: json({ metrics: true, legacySearch: null, ofTheFuture: true }),
  network: json({ self: 'me', remotes: {}, shards: {}, leader: 'me' }),
  webhooks: json({
    webhooks: { '04574dab-7e4a-4023-add3-a45e2050e1da': { url: 'http://h/', headers: { authorization: 'Bearer x' } } },
  }),
  chats: new Map([['guide', json({ source: 'vLlm', baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'a-secret' })]]),
  rules: [
    json({
      uid: 'pin-one',
      priority: 3,
      conditions: [{ scope: 'query', contains: 'love' }],
      actions: [{ selector: { indexUid: 'movies', id: '73' }, action: { type: 'pin', position: 0 } }],
    }),
  ],
}

test('the state of a dump can be dumped again', async () => {
  const stores = await openStores()
  await writeState(stores, DUMPED, launch)
  const state = readState(stores)
  expect(state.webhooks).toEqual(DUMPED.webhooks)
  expect(state.chats.get('guide')?.get('apiKey')).toBe('a-secret')
  expect(state.rules.map((rule) => toPlain(rule))).toMatchObject([{ uid: 'pin-one', active: true, priority: 3 }])
  expect(toPlain(state.features!)).toMatchObject({ metrics: true, logsRoute: false, legacySearch: false })
  expect(stores.keys.list().map(({ key }) => dumpedKey(key))).toEqual([KEY])
})

test('a copy has no name in the network and follows nobody', async () => {
  const stores = await openStores()
  await writeState(stores, DUMPED, launch)
  expect(toPlain(readState(stores).network!)).toMatchObject({ self: null, leader: null })
})

test('features of the launch stay on', async () => {
  const stores = await openStores()
  await writeState(stores, { ...DUMPED, features: null }, { ...launch, features: { ...OFF, logsRoute: true } as never })
  expect(stores.features.current).toMatchObject({ logsRoute: true, metrics: false })
})

test('the newest key stays the newest, and its value follows from the master key', async () => {
  const stores = await openStores()
  const other = new Map([...KEY, ['uid', '6a1f0a44-8f7e-4d59-8a77-2f0b3c9d7e22'] as const])
  await writeState(stores, { ...DUMPED, keys: [other, KEY] }, launch)
  expect(stores.keys.list().map(({ key }) => key.uid)).toEqual([other.get('uid'), KEY.get('uid')])
  expect(stores.keys.list()[0]?.value).toMatch(/^[0-9a-f]{64}$/)
})

test('a dump without keys leaves none', async () => {
  const stores = await openStores()
  await writeState(stores, { ...DUMPED, keys: [] }, launch)
  expect(stores.keys.list()).toEqual([])
})

test.each<[string, Partial<ServerState>]>([
  ['keys', { keys: [json({ name: 'no uid' })] }],
  ['webhooks', { webhooks: json({ webhooks: { nonsense: {} } }) }],
  ['rules', { rules: [json({ uid: 'a', actions: 5 })] }],
  ['chats', { chats: new Map([['a', json({ source: 5 })]]) }],
])('%s that cannot be read are refused', async (_, change) => {
  await expect(writeState(await openStores(), { ...DUMPED, ...change }, launch)).rejects.toThrow(BadArchive)
})
