/** Section 5 of the interface document, line by line. */
import { SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { asks, inTurn, says, startFakeProvider } from '../../src/server/chats/provider.fake.js'
import { done } from '../filled-server.js'
import type { TestServer } from '../server.js'
import { ANONYMOUS, as, keyFor, startGuarded, startServer } from './walk.js'

let server: TestServer

beforeAll(async () => {
  server = await startGuarded()
  await server.request('PATCH', '/experimental-features', { chatCompletions: true })
  await done(server, 'POST', '/indexes/books/documents', [{ id: 1, title: 'Owls at dusk' }])
  await done(server, 'POST', '/indexes/diary/documents', [{ id: 1, title: 'Owls of mine' }])
})

interface Key {
  readonly name: string
  readonly key: string
  readonly uid: string
  readonly actions: string[]
  readonly indexes: string[]
}

async function defaultKey(name: RegExp): Promise<Key> {
  const { body } = await server.request<{ results: Key[] }>('GET', '/keys')
  const found = body.results.find((key) => name.test(key.name))
  if (found === undefined) throw new Error(`there is no key ${name}`)
  return found
}

async function tokenOf({ uid, key }: Key, searchRules: unknown): Promise<string> {
  const claims = { apiKeyUid: uid, searchRules }
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(key))
}

test('L189: the credential is a bearer: the master key, a key, or a JWT', async () => {
  expect(await server.request('GET', '/keys')).toMatchObject({ status: 200 })
  const key = await defaultKey(/Search/)
  expect(await server.request('GET', '/indexes/books/search', undefined, as(key.key))).toMatchObject({ status: 200 })
  const token = await tokenOf(key, ['books'])
  expect(await server.request('GET', '/indexes/books/search', undefined, as(token))).toMatchObject({ status: 200 })
})

test('L190: without the header a request is rejected, and told to use the bearer method', async () => {
  expect(await server.request('GET', '/indexes', undefined, ANONYMOUS)).toMatchObject({
    status: 401,
    body: { code: 'missing_authorization_header', type: 'auth', message: expect.stringMatching(/bearer/i) },
  })
})

test('L191: keys need the master key or the default admin key', async () => {
  const admin = await defaultKey(/Admin/)
  expect(await server.request('GET', '/keys', undefined, as(admin.key))).toMatchObject({ status: 200 })
  const search = await defaultKey(/Search/)
  expect(await server.request('GET', '/keys', undefined, as(search.key))).toMatchObject({ status: 403 })
})

test('L191: without a master key any access to keys is an error', async () => {
  const open = await startServer()
  for (const [method, path] of [
    ['GET', '/keys'],
    ['POST', '/keys'],
    ['GET', '/keys/x'],
    ['DELETE', '/keys/x'],
  ] as const) {
    const { status, body } = await open.request(method, path, method === 'POST' ? {} : undefined)
    expect([path, status, body.code]).toEqual([path, 401, 'missing_master_key'])
  }
})

test.each(['webhooks.get', 'webhooks.*', '*.get', '*'])('L192: %s lists webhooks', async (action) => {
  const key = await keyFor(server, [action])
  expect(await server.request('GET', '/webhooks', undefined, as(key))).toMatchObject({ status: 200 })
})

describe('L193: chat', () => {
  const search = (indexUid: string, id: string) => ({ id, arguments: JSON.stringify({ indexUid, q: 'owls' }) })

  /** What the model was told by its searches of both indexes, asked with this credential. */
  async function told(credential: string): Promise<{ status: number; told: string }> {
    const provider = await startFakeProvider(inTurn(asks(search('books', 'a'), search('diary', 'b')), says('Two.')))
    await server.request('PATCH', '/chats/w/settings', { source: 'vLlm', baseUrl: provider.url })
    const request = { model: 'm', messages: [{ role: 'user', content: 'Which owls?' }] }
    const { status } = await server.request('POST', '/chats/w/chat/completions', request, as(credential))
    return { status, told: provider.calls[1]?.text ?? '' }
  }

  test('the default chat key has both actions and covers all indexes', async () => {
    const key = await defaultKey(/Chat/)
    expect(key.actions).toEqual(expect.arrayContaining(['search', 'chatCompletions']))
    expect(key.indexes).toEqual(['*'])
    const answer = await told(key.key)
    expect(answer.told).toContain('Owls at dusk')
    expect(answer.told).toContain('Owls of mine')
  })

  test('a key without chatCompletions is refused, one without search finds nothing', async () => {
    expect((await told(await keyFor(server, ['search']))).status).toBe(403)
    const answer = await told(await keyFor(server, ['chatCompletions']))
    expect(answer.told).not.toMatch(/Owls at dusk|Owls of mine/)
  })

  test('a tenant token of such a key searches its own indexes', async () => {
    const answer = await told(await tokenOf(await defaultKey(/Chat/), ['books']))
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.told).toContain('Owls at dusk')
    expect(answer.told).not.toContain('Owls of mine')
  })

  test('a new key narrows access too', async () => {
    const answer = await told(await keyFor(server, ['search', 'chatCompletions'], ['diary']))
    expect(answer.told).toContain('Owls of mine')
    expect(answer.told).not.toContain('Owls at dusk')
  })
})

test('L194: credentials of providers and webhooks are never returned in clear', async () => {
  const secret = 'sk-a-secret-key-of-mine'
  const answers = [
    await server.request('PATCH', '/chats/hidden/settings', { source: 'openAi', apiKey: secret }),
    await server.request('GET', '/chats/hidden/settings'),
    await server.request('POST', '/webhooks', { url: 'http://127.0.0.1:9/', headers: { Authorization: secret } }),
    await server.request('GET', '/webhooks'),
  ]
  for (const { status, text } of answers) {
    expect(status).toBeLessThan(300)
    expect(text).not.toContain(secret)
  }
})
