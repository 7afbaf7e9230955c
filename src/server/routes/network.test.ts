import { beforeEach, describe, expect, test } from 'vitest'
import { NetworkStore } from '../../state/index.js'
import { LocalStateLog } from '../../store/index.js'
import { type IndexServer, startIndexServer } from '../index-server.fixture.js'

let server: IndexServer

beforeEach(async () => {
  server = await startIndexServer()
  await server.context.features.change({ network: true })
})

const patch = (body: object | string) => server.send('PATCH', '/network', { body: body as object })
const control = (body: object) => server.send('POST', '/network/control', { body })
const network = async () => (await server.send('GET', '/network')).json
const NIL = '00000000-0000-0000-0000-000000000000'
const remote = (port: number, more: object = {}) => ({
  url: `http://localhost:${port}`,
  searchApiKey: null,
  writeApiKey: null,
  status: 'available',
  ...more,
})

describe('the network', () => {
  test('needs its feature, after the body was read', async () => {
    await server.context.features.change({ network: false })
    const codes = [await server.send('GET', '/network'), await patch({ self: 'a' }), await patch({ self: 42 })]
    expect(codes.map(({ status, json }) => [status, json.code])).toEqual([
      [400, 'feature_not_enabled'],
      [400, 'feature_not_enabled'],
      [400, 'invalid_network_self'],
    ])
  })

  test('is empty at first, and has a new version with every change', async () => {
    expect(await network()).toEqual({ self: null, remotes: {}, shards: {}, leader: null, version: NIL })
    const first = await patch({})
    expect([first.status, Object.keys(first.json)]).toEqual([200, ['self', 'remotes', 'shards', 'leader', 'version']])
    expect(first.json.version).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    const second = await patch({})
    expect(second.json.version > first.json.version).toBe(true)
    expect(await network()).toEqual(second.json)
  })

  test('is changed member by member, null resets', async () => {
    await patch({
      self: 'me',
      remotes: { me: { url: 'http://localhost:1' }, b: { url: 'http://localhost:2', searchApiKey: 's' } },
    })
    expect((await network()).remotes).toEqual({ b: remote(2, { searchApiKey: 's' }), me: remote(1) })
    const { json } = await patch({ remotes: { b: { writeApiKey: 'w' }, a: { url: 'http://localhost:3' } } })
    expect(Object.keys(json.remotes)).toEqual(['a', 'b', 'me'])
    expect(json.remotes.b).toEqual(remote(2, { searchApiKey: 's', writeApiKey: 'w' }))
    await patch({ remotes: { b: { searchApiKey: null }, me: null, unknown: null } })
    expect(await network()).toMatchObject({ self: 'me', remotes: { a: remote(3), b: remote(2, { writeApiKey: 'w' }) } })
    await patch({ self: null, remotes: null })
    expect(await network()).toMatchObject({ self: null, remotes: {} })
  })

  test('changes made at the same time are all kept', async () => {
    const names = ['a', 'b', 'c', 'd']
    await Promise.all(names.map((name) => patch({ remotes: { [name]: { url: 'http://localhost:1' } } })))
    expect(Object.keys((await network()).remotes)).toEqual(names)
  })

  test('is on disk when it was answered', async () => {
    const { json } = await patch({
      self: 'me',
      remotes: { a: { url: 'http://localhost:1' } },
      shards: { s: { remotes: ['a'] } },
    })
    const reopened = new NetworkStore(new LocalStateLog(server.environment)).current
    expect([reopened.version, reopened.self, [...reopened.shards]]).toEqual([json.version, 'me', [['s', ['a']]]])
  })
})

describe('shards', () => {
  const shards = async (body: object) => (await patch({ shards: body })).json.shards

  test('have sorted owners, which can be replaced, added and removed', async () => {
    expect(await shards({ s: { remotes: ['b', 'a', 'b'] } })).toEqual({ s: { remotes: ['a', 'b'] } })
    expect(await shards({ s: { addRemotes: ['c', 'd'], removeRemotes: ['a', 'd', 'x'] } })).toEqual({
      s: { remotes: ['b', 'c'] },
    })
    expect(await shards({ t: { remotes: ['z'], addRemotes: ['y'] } })).toEqual({
      s: { remotes: ['b', 'c'] },
      t: { remotes: ['y', 'z'] },
    })
  })

  test('vanish without owners, by null, and with all others', async () => {
    await shards({ r: { remotes: ['a'] }, s: { remotes: ['a', 'b'] }, t: { remotes: ['b'] } })
    expect((await patch({ remotes: { a: null } })).json.shards).toEqual({
      s: { remotes: ['b'] },
      t: { remotes: ['b'] },
    })
    expect(await shards({ s: null })).toEqual({ t: { remotes: ['b'] } })
    expect(await shards({ t: { removeRemotes: ['b'] }, u: { remotes: [] } })).toEqual({})
    await shards({ s: { remotes: ['a'] } })
    expect((await patch({ remotes: null })).json.shards).toEqual({ s: { remotes: ['a'] } })
    expect((await patch({ shards: null })).json.shards).toEqual({})
  })
})

describe('refusals', () => {
  test.each<[object | string, string]>([
    [{ selfie: 1 }, 'bad_request'],
    [{ self: 42 }, 'invalid_network_self'],
    [{ leader: [] }, 'invalid_network_leader'],
    [{ remotes: 42 }, 'invalid_network_remotes'],
    [{ remotes: { a: 1 } }, 'invalid_network_remotes'],
    [{ remotes: { a: { url: 'http://b', status: 'available' } } }, 'invalid_network_remotes'],
    [{ remotes: { a: {} } }, 'missing_network_url'],
    [{ remotes: { a: { url: null } } }, 'missing_network_url'],
    [{ remotes: { a: { url: 7700 } } }, 'invalid_network_url'],
    [{ remotes: { a: { url: 'no-scheme' } } }, 'invalid_network_url'],
    [{ remotes: { known: { url: null } } }, 'invalid_network_url'],
    [{ remotes: { known: { searchApiKey: 1 } } }, 'invalid_network_search_api_key'],
    [{ remotes: { known: { writeApiKey: [] } } }, 'invalid_network_write_api_key'],
    [{ shards: [] }, 'invalid_network_shards'],
    [{ shards: { s: { owner: 'a' } } }, 'invalid_network_shards'],
    [{ shards: { s: { remotes: 'a' } } }, 'invalid_network_remotes'],
    [{ previousRemotes: null }, 'unexpected_network_previous_remotes'],
    [{ previousShards: 1 }, 'invalid_network_shards'],
    [{ self: 'a', leader: 'b' }, 'not_leader'],
    [{ leader: 'b' }, 'not_leader'],
    [{ self: 'renamed', leader: 'renamed' }, 'invalid_network_self'],
  ])('%j is %s', async (body, code) => {
    await patch({ self: 'me', remotes: { known: { url: 'http://localhost' } } })
    const before = await network()
    const { status, json } = await patch(body)
    expect([status, json.code]).toEqual([400, code])
    expect(await network()).toEqual(before)
  })

  const url = 'http://localhost'

  test.each<[object, string]>([
    [{ self: 'me', leader: 'me' }, 'invalid_network_remotes'],
    [{ self: 'me', leader: 'me', remotes: { me: {} } }, 'missing_network_url'],
    [{ self: 'me', leader: 'me', remotes: { me: { url } } }, 'invalid_network_shards'],
    [{ self: 'me', leader: 'me', remotes: { me: { url } }, shards: { s: { remotes: [] } } }, 'invalid_network_shards'],
    [
      { self: 'me', leader: 'me', remotes: { me: { url } }, shards: { s: { remotes: ['me', 'else'] } } },
      'invalid_network_shards',
    ],
  ])('under a leader %j is %s', async (body, code) => {
    const { status, json } = await patch(body)
    expect([status, json.code]).toEqual([400, code])
    expect((await network()).version).toBe(NIL)
  })
})

describe('what servers tell each other', () => {
  const origin = { remoteName: 'b', taskUid: 1 }
  const says = (message: object) => control({ origin, message })

  test('a remote that is said to be away is shown so until it is back', async () => {
    await patch({ remotes: { a: { url: 'http://localhost:1' } } })
    const told = await says({ type: 'statusChangeForRemote', remote: 'a', status: 'unavailable' })
    expect([told.status, told.text]).toEqual([200, ''])
    expect((await network()).remotes.a.status).toBe('unavailable')
    await says({ type: 'statusChangeForRemote', remote: 'a', status: 'available' })
    expect((await network()).remotes.a.status).toBe('available')
  })

  test('nothing can be reported about a change of the network that nobody makes', async () => {
    for (const message of [
      { type: 'exportNoIndexForRemote', remote: 'a' },
      { type: 'importFinishedForRemote', remote: 'a', successful: true },
    ]) {
      const { status, json } = await says(message)
      expect([status, json.code]).toEqual([503, 'import_task_without_network_task'])
    }
  })

  test.each<object>([
    {},
    { origin },
    { origin: { remoteName: 'b' }, message: { type: 'exportNoIndexForRemote', remote: 'a' } },
    { origin: { ...origin, networkVersion: 'x' }, message: { type: 'exportNoIndexForRemote', remote: 'a' } },
    { origin, message: { type: 'else', remote: 'a' } },
    { origin, message: { type: 'importFinishedForRemote', remote: 'a' } },
    { origin, message: { type: 'statusChangeForRemote', remote: 'a' } },
    { origin, message: { type: 'statusChangeForRemote', remote: 'a', status: 'gone' } },
  ])('%j is no message', async (body) => {
    const { status, json } = await control(body)
    expect([status, json.code]).toEqual([400, 'bad_request'])
  })
})
