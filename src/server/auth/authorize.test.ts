import { SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { ACTIONS, type Action, authorize, parseExpiry } from '../../state/index.js'
import type { Timestamp } from '../../time/index.js'
import { empty } from '../answers/answer.js'
import { type Method, type Route, route } from '../http/route.js'
import { SPEC_ROUTES, type SpecRoute } from '../spec-routes.fixture.js'
import { startTestServer, type TestServer } from '../test-server.fixture.js'

/** Every route of the interface, with handlers that only say that the request came through. */
const passing: Route[] = SPEC_ROUTES.map(([method, path, ...actions]) =>
  route({ method: method as Method, path, action: actions.length === 0 ? null : actions, handle: () => empty(204) }),
)

/** Who may pass, written down from spec 1 §4.3 as it stands there: the routes' permissions on the left. */
const GRANTED_BY: Record<string, readonly Action[]> = {
  search: ['search', '*.get'],
  'documents.add': ['documents.add', 'documents.*'],
  'documents.get': ['documents.get', 'documents.*', '*.get'],
  'documents.delete': ['documents.delete', 'documents.*'],
  'documents.*': [],
  'indexes.create': ['indexes.create', 'indexes.*'],
  'indexes.get': ['indexes.get', 'indexes.*', '*.get'],
  'indexes.update': ['indexes.update', 'indexes.*'],
  'indexes.delete': ['indexes.delete', 'indexes.*'],
  'indexes.swap': ['indexes.swap', 'indexes.*'],
  'indexes.compact': ['indexes.compact', 'indexes.*'],
  'tasks.cancel': ['tasks.cancel', 'tasks.*'],
  'tasks.delete': ['tasks.delete', 'tasks.*'],
  'tasks.get': ['tasks.get', 'tasks.*', '*.get'],
  'tasks.compact': ['tasks.compact', 'tasks.*'],
  'settings.get': ['settings.get', 'settings.*', '*.get'],
  'settings.update': ['settings.update', 'settings.*'],
  'stats.get': ['stats.get', 'stats.*', '*.get'],
  'metrics.get': ['metrics.get', 'metrics.*', '*.get'],
  'dumps.create': ['dumps.create', 'dumps.*'],
  'snapshots.create': ['snapshots.create', 'snapshots.*'],
  version: ['version', '*.get'],
  'keys.create': ['keys.create'],
  'keys.get': ['keys.get'],
  'keys.update': ['keys.update'],
  'keys.delete': ['keys.delete'],
  'experimental.get': ['experimental.get', '*.get'],
  'experimental.update': ['experimental.update'],
  export: ['export', '*.get'],
  'network.get': ['network.get', '*.get'],
  'network.update': ['network.update'],
  chatCompletions: ['chatCompletions'],
  'chats.get': ['chats.get', 'chats.*', '*.get'],
  'chats.delete': ['chats.delete', 'chats.*'],
  'chatsSettings.get': ['chatsSettings.get', 'chatsSettings.*', '*.get'],
  'chatsSettings.update': ['chatsSettings.update', 'chatsSettings.*'],
  'webhooks.get': ['webhooks.get', 'webhooks.*', '*.get'],
  'webhooks.create': ['webhooks.create', 'webhooks.*'],
  'webhooks.update': ['webhooks.update', 'webhooks.*'],
  'webhooks.delete': ['webhooks.delete', 'webhooks.*'],
  'fields.post': ['fields.post', '*.get'],
  'dynamicSearchRules.get': ['dynamicSearchRules.get', 'dynamicSearchRules.*', '*.get'],
  'dynamicSearchRules.update': ['dynamicSearchRules.update', 'dynamicSearchRules.*'],
  'dynamicSearchRules.delete': ['dynamicSearchRules.delete', 'dynamicSearchRules.*'],
  'cluster.get': ['cluster.get', '*.get'],
}

/** Routes without an index in the path that a key for some indexes may use (spec 1 §4.4). */
const FILTERING_ROUTES = [
  'GET /indexes',
  'POST /indexes',
  'GET /stats',
  'GET /tasks',
  'GET /batches',
  'GET /tasks/{task_id}',
  'GET /tasks/{task_id}/documents',
  'GET /batches/{batch_id}',
  'POST /tasks/cancel',
  'DELETE /tasks',
  'POST /swap-indexes',
  'POST /multi-search',
  'POST /render-template',
  'POST /chats/{workspace_uid}/chat/completions',
]

let server: TestServer
const keys = new Map<string, string>()

async function keyFor(actions: Action[], indexes: string[]): Promise<string> {
  const name = JSON.stringify([actions, indexes])
  const known = keys.get(name)
  if (known !== undefined) return known
  const fields = { name: null, description: null, expiresAt: null }
  const created = await server.context.keys.create({ ...fields, actions, indexes })
  if (!created.ok) throw new Error('a key was not created')
  keys.set(name, created.value.value)
  return created.value.value
}

beforeAll(async () => {
  server = await startTestServer({ routes: passing })
})

/** Asked directly: over HTTP thousands of requests would take a minute. The tests below go through HTTP. */
function passes([, path, ...actions]: SpecRoute, key: string, uid = 'books'): boolean {
  const indexUid = path.includes('{index_uid}') ? uid : undefined
  const decided = authorize(server.context, { actions, indexUid, header: `Bearer ${key}` })
  if (!decided.ok && decided.failure.code !== 'invalid_api_key') throw new Error(decided.failure.code)
  return decided.ok
}

describe('every route and every action', () => {
  const guarded = SPEC_ROUTES.filter(([, , ...needed]) => needed.length > 0)
  const grants = (needed: readonly Action[], held: Action) =>
    held === '*' || needed.every((action) => GRANTED_BY[action]?.includes(held))

  test.each(ACTIONS)('a key with %s for all indexes', async (action) => {
    const key = await keyFor([action], ['*'])
    const wrong = guarded.filter((spec) => passes(spec, key) !== grants(spec.slice(2) as Action[], action))
    expect(wrong).toEqual([])
  })

  test.each([
    '*',
    '*.get',
    'documents.*',
    'indexes.*',
    'tasks.*',
    'settings.*',
    'stats.*',
    'search',
    'chatCompletions',
    'fields.post',
  ] as const)('a key with %s for some indexes', async (action) => {
    const key = await keyFor([action], ['books', 'shop_*'])
    const wrong = guarded.filter((spec) => {
      const [method, path, ...needed] = spec
      const isGranted = grants(needed, action)
      if (!path.includes('{index_uid}')) {
        return passes(spec, key) !== (isGranted && FILTERING_ROUTES.includes(`${method} ${path}`))
      }
      const outcomes = ['books', 'shop_1', 'bookshop'].map((uid) => passes(spec, key, uid))
      return String(outcomes) !== String([isGranted, isGranted, false])
    })
    expect(wrong).toEqual([])
  })

  test('two permissions may come from two actions', async () => {
    const spec: SpecRoute = ['POST', '/render-template', 'settings.get', 'documents.get']
    expect(passes(spec, await keyFor(['settings.get', 'documents.get'], ['*']))).toBe(true)
    expect(passes(spec, await keyFor(['documents.*', 'settings.*'], ['books']))).toBe(true)
    expect(passes(spec, await keyFor(['settings.get', 'search'], ['*']))).toBe(false)
  })

  test('a key without indexes opens nothing', async () => {
    const key = await keyFor(['*'], [])
    for (const spec of guarded) expect([spec[1], passes(spec, key)]).toEqual([spec[1], false])
  })

  test('the master key opens everything', () => {
    for (const spec of SPEC_ROUTES) expect(passes(spec, 'MASTER_KEY')).toBe(true)
  })
})

describe('the Authorization header', () => {
  const ask = async (authorization: string | undefined, path = '/indexes', target = server) => {
    const headers = authorization === undefined ? {} : { authorization }
    const { status, json } = await target.send('GET', path, { key: null, headers })
    return json?.code ?? status
  }

  test('is needed where a master key is set', async () => {
    expect(await ask(undefined)).toBe('missing_authorization_header')
    expect(await ask('Bearer MASTER_KEY')).toBe(204)
    expect(await ask('Bearer master_key')).toBe('invalid_api_key')
  })

  test.each([
    'Basic x',
    'bearers MASTER_KEY',
    'MASTER_KEY',
    '',
    'Bearer\tMASTER_KEY',
    'BearerMASTER_KEY',
    'Bearer MASTER_KEY\u00e9',
  ])('%j counts as none', async (header) => {
    expect(await ask(header)).toBe('missing_authorization_header')
  })

  test('a scheme without a token is a wrong key', async () => {
    expect(await ask('Bearer')).toBe('invalid_api_key')
    expect(await ask('Bearer ')).toBe('invalid_api_key')
    expect(await ask('bearer   ')).toBe('invalid_api_key')
  })

  test.each(['bearer', 'BEARER', 'bEaReR', 'Bearer '])('21.16 L189: the scheme %j is accepted', async (scheme) => {
    expect(await ask(`${scheme} MASTER_KEY`)).toBe(204)
    expect(await ask(`${scheme} ${await keyFor(['indexes.get'], ['*'])}`)).toBe(204)
    expect(await ask(`${scheme} nobody`)).toBe('invalid_api_key')
  })

  test('is not looked at where no key is asked for', async () => {
    expect(await ask('Basic x', '/health')).toBe(204)
  })

  test('without a master key everything but the keys is open, if the header is well formed', async () => {
    const open = await startTestServer({ routes: passing, masterKey: null })
    expect(await ask(undefined, '/indexes', open)).toBe(204)
    expect(await ask('Bearer whatever', '/indexes', open)).toBe(204)
    expect(await ask('Bearer whatever', '/keys', open)).toBe('missing_master_key')
    expect(await ask(undefined, '/keys', open)).toBe('missing_master_key')
    expect(await ask('Basic KEY', '/indexes', open)).toBe('missing_authorization_header')
    expect(await ask('Bearer', '/indexes', open)).toBe('invalid_api_key')
  })

  test('an empty master key is the key of requests without a header', async () => {
    const folder = await startTestServer({ routes: passing, masterKey: '' })
    expect(await ask(undefined, '/keys', folder)).toBe(204)
    expect(await ask('Bearer x', '/keys', folder)).toBe('invalid_api_key')
  })

  test('the digits of a key may be in either case', async () => {
    const key = await keyFor(['indexes.get'], ['*'])
    expect(await ask(`Bearer ${key.toUpperCase()}`)).toBe(204)
  })

  test('a malformed index uid of a foreign index is a wrong key, not a wrong uid', async () => {
    const key = await keyFor(['search'], ['books'])
    const { json } = await server.send('GET', '/indexes/not%20valid/search', { key })
    expect(json.code).toBe('invalid_api_key')
    expect(json.message).toContain('`books`')
  })
})

describe('keys that end', () => {
  test('a key works until its last instant', async () => {
    const end = parseExpiry('2026-01-05T10:00:00.000002Z')!
    let now = (end.at - 1_000n) as Timestamp
    const clock = () => now
    const target = await startTestServer({ routes: passing, clock })
    const fields = { name: null, description: null, actions: ['search' as const], indexes: ['*'] }
    const created = await target.context.keys.create({ ...fields, expiresAt: end })
    const key = created.ok ? created.value.value : ''
    const status = async () => (await target.send('GET', '/indexes/a/search', { key })).status
    now = (end.at - 1n) as Timestamp
    expect(await status()).toBe(204)
    now = end.at
    expect(await status()).toBe(403)
  })
})

describe('tenant tokens', () => {
  const future = Math.floor(Date.now() / 1000) + 1000

  async function parent(actions: Action[] = ['*'], indexes: string[] = ['*']) {
    const value = await keyFor(actions, indexes)
    const known = server.context.keys.findByValue(value)
    return { value, uid: known?.key.uid ?? '' }
  }

  async function token(claims: object, { value, uid }: { value: string; uid: string }, alg = 'HS256'): Promise<string> {
    return new SignJWT({ apiKeyUid: uid, ...claims }).setProtectedHeader({ alg }).sign(Buffer.from(value))
  }

  const status = async (method: string, path: string, key: string) => (await server.send(method, path, { key })).status

  test('open the search of their indexes and nothing else', async () => {
    const key = await token({ searchRules: ['sales'], exp: future }, await parent())
    expect(await status('GET', '/indexes/sales/search', key)).toBe(204)
    expect(await status('POST', '/indexes/sales/facet-search', key)).toBe(204)
    expect(await status('POST', '/indexes/sales/similar', key)).toBe(204)
    expect(await status('POST', '/multi-search', key)).toBe(204)
    expect(await status('POST', '/chats/a/chat/completions', key)).toBe(204)
    expect(await status('GET', '/indexes/books/search', key)).toBe(403)
    expect(await status('GET', '/indexes', key)).toBe(403)
    expect(await status('GET', '/indexes/sales/documents', key)).toBe(403)
  })

  test('open no more than their parent', async () => {
    const limited = await parent(['search'], ['books'])
    const key = await token({ searchRules: ['*'] }, limited)
    expect(await status('GET', '/indexes/books/search', key)).toBe(204)
    expect(await status('GET', '/indexes/sales/search', key)).toBe(403)
    const other = await token({ searchRules: ['*'] }, await parent(['documents.*']))
    expect(await status('GET', '/indexes/books/search', other)).toBe(403)
  })

  test('never name the indexes of their parent', async () => {
    const key = await token({ searchRules: ['public_*'] }, await parent(['search'], ['secret', 'public_1']))
    const { json } = await server.send('GET', '/indexes/public_2/search', { key })
    expect(json.message).toContain('`public_*`')
    expect(json.message).not.toContain('secret')
  })

  test.each([
    ['over', { searchRules: ['*'], exp: 1 }, 'HS256'],
    ['without rules', {}, 'HS256'],
    ['for somebody', { searchRules: ['*'], aud: 'x' }, 'HS256'],
    ['of an unknown key', { searchRules: ['*'], apiKeyUid: '6f1c2d3e-0a1b-4c2d-8e3f-112233445566' }, 'HS256'],
    ['of the nil key', { searchRules: ['*'], apiKeyUid: '00000000-0000-0000-0000-000000000000' }, 'HS256'],
  ])('that are %s open nothing', async (_, claims, alg) => {
    expect(await status('GET', '/indexes/a/search', await token(claims, await parent(), alg))).toBe(403)
  })

  test('signed by another key or the master key open nothing', async () => {
    const { uid } = await parent()
    const other = await token({ searchRules: ['*'] }, { uid, value: 'f'.repeat(64) })
    const master = await token({ searchRules: ['*'] }, { uid, value: 'MASTER_KEY' })
    expect(await status('GET', '/indexes/a/search', other)).toBe(403)
    expect(await status('GET', '/indexes/a/search', master)).toBe(403)
  })

  test('stop working with their parent', async () => {
    const { value, uid } = await parent(['search', 'version'])
    const key = await token({ searchRules: ['*'] }, { value, uid })
    expect(await status('GET', '/indexes/a/search', key)).toBe(204)
    await server.context.keys.delete(uid)
    expect(await status('GET', '/indexes/a/search', key)).toBe(403)
  })

  test('are not looked at without a master key', async () => {
    const open = await startTestServer({ routes: passing, masterKey: null })
    const key = await token({ searchRules: [], exp: 1 }, await parent())
    expect((await open.send('GET', '/indexes/a/search', { key })).status).toBe(204)
  })
})
