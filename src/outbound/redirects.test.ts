import { afterEach, describe, expect, test } from 'vitest'
import { call, cleanUp, client, problem, recorder } from './loopback.fixture.js'

afterEach(cleanUp)

describe('redirects', () => {
  const SECRETS: [string, string][] = [
    ['Authorization', 'Bearer secret'],
    ['Cookie', 'secret'],
    ['X-Api-Key', 'secret'],
    ['Content-Type', 'text/plain'],
  ]

  test('keep method, body and headers within the origin (307, 308)', async () => {
    const { seen, url } = await recorder({
      '/a': { status: 307, location: '/b' },
      '/b': { status: 308, location: '/c' },
    })
    await client().request(call(`${url}/a`, { method: 'POST', body: 'text', headers: SECRETS, chunked: true }))
    expect(seen.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', '/a', 'text'],
      ['POST', '/b', 'text'],
      ['POST', '/c', 'text'],
    ])
    expect(seen[2]?.headers).toMatchObject({ authorization: 'Bearer secret', 'x-api-key': 'secret' })
  })

  test('give no credentials to another origin', async () => {
    const other = await recorder()
    const { url } = await recorder({ '/a': { status: 307, location: `${other.url}/b` } })
    await client().request(call(`${url}/a`, { method: 'POST', body: 'text', headers: SECRETS }))
    expect(other.seen[0]).toMatchObject({ method: 'POST', body: 'text' })
    expect(other.seen[0]?.headers['content-type']).toBe('text/plain')
    expect(JSON.stringify(other.seen[0]?.headers)).not.toContain('secret')
  })

  test('turn a POST into a GET without body (301, 302, 303)', async () => {
    const { seen, url } = await recorder({
      '/301': { status: 301, location: '/end' },
      '/302': { status: 302, location: '/end' },
      '/303': { status: 303, location: '/end' },
    })
    const outbound = client()
    for (const path of ['/301', '/302', '/303']) {
      await outbound.request(call(url + path, { method: 'POST', body: 'text', headers: SECRETS }))
    }
    const ends = seen.filter(({ path }) => path === '/end')
    expect(ends.map(({ method, body }) => [method, body])).toEqual(new Array(3).fill(['GET', '']))
    expect(ends[0]?.headers['content-type']).toBeUndefined()
  })

  test('end with the redirect itself when a streamed body would be needed again', async () => {
    const { seen, url } = await recorder({ '/a': { status: 307, location: '/b' } })
    async function* parts() {
      yield 'once'
    }
    const outcome = await client().request(call(`${url}/a`, { method: 'POST', body: parts() }))
    expect(outcome).toMatchObject({ ok: true, value: { status: 307 } })
    expect(seen).toHaveLength(1)
  })

  test('are not followed when the caller says so', async () => {
    const { seen, url } = await recorder({ '/a': { status: 302, location: '/b' } })
    const outcome = await client().request(call(`${url}/a`, { followRedirects: false }))
    expect(outcome).toMatchObject({ ok: true, value: { status: 302 } })
    expect(seen).toHaveLength(1)
  })

  test('stop after ten', async () => {
    const { seen, url } = await recorder({ '/loop': { status: 302, location: '/loop' } })
    expect(await client().request(call(`${url}/loop`))).toEqual(problem('protocol'))
    expect(seen).toHaveLength(11)
  })

  test('lead to http and https only', async () => {
    const { url } = await recorder({
      '/file': { status: 302, location: 'file:///etc/passwd' },
      '/bad': { status: 302, location: 'http://[' },
    })
    expect(await client().request(call(`${url}/file`))).toEqual(problem('protocol'))
    expect(await client().request(call(`${url}/bad`))).toEqual(problem('protocol'))
  })
})
