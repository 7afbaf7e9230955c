import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import {
  call,
  cleanUp,
  cleanups,
  client,
  gate,
  listen,
  manualTimer,
  problem,
  recorder,
  serve,
} from './loopback.fixture.js'
import { OutboundError } from './problem.js'

afterEach(cleanUp)

describe('an exchange', () => {
  test('gives status, headers and bytes of the answer', async () => {
    const port = await serve((_request, response) => {
      response.writeHead(418, { 'X-One': 'a', 'Set-Cookie': ['b', 'c'] }).end(Buffer.from([0, 255, 10]))
    })
    const outcome = await client().request(call(`http://127.0.0.1:${port}/`))
    if (!outcome.ok) throw new Error(outcome.problem.message)
    expect(outcome.value.status).toBe(418)
    expect(outcome.value.headers.get('x-one')).toBe('a')
    expect(outcome.value.headers.get('set-cookie')).toBe('b, c')
    expect([...outcome.value.body]).toEqual([0, 255, 10])
  })

  test('sends method, path, query, headers and a body with its length', async () => {
    const { seen, url } = await recorder()
    const headers = new Map([['X-Token', 'abc']])
    await client().request(call(`${url}/a%20b?q=1`, { method: 'PATCH', headers, body: 'héllo' }))
    expect(seen[0]).toMatchObject({ method: 'PATCH', path: '/a%20b?q=1', body: 'héllo' })
    expect(seen[0]?.headers).toMatchObject({
      'x-token': 'abc',
      'content-length': '6',
      'user-agent': 'findling-test',
    })
  })

  test('sends an iterable in chunks, and bytes too when asked', async () => {
    const { seen, url } = await recorder()
    async function* parts() {
      yield 'one '
      yield Buffer.from('two')
    }
    const outbound = client()
    await outbound.request(call(url, { method: 'POST', body: parts() }))
    await outbound.request(call(url, { method: 'POST', body: Buffer.from('three'), chunked: true }))
    expect(seen.map(({ body }) => body)).toEqual(['one two', 'three'])
    expect(seen.map(({ headers }) => headers['transfer-encoding'])).toEqual(['chunked', 'chunked'])
    expect(seen.map(({ headers }) => headers['content-length'])).toEqual([undefined, undefined])
  })

  test('lets no header of the caller contradict the framing', async () => {
    const { seen, url } = await recorder()
    const headers: [string, string][] = [
      ['Content-Length', '3'],
      ['Transfer-Encoding', 'gzip'],
      ['Upgrade', 'x'],
      ['Expect', '100-continue'],
    ]
    await client().request(call(url, { method: 'POST', headers, body: 'hello' }))
    expect(seen[0]?.body).toBe('hello')
    expect(seen[0]?.headers).toMatchObject({ 'content-length': '5' })
    expect(Object.keys(seen[0]?.headers ?? {})).not.toContain('expect')
  })

  test('sends header text beyond ASCII as UTF-8', async () => {
    const { seen, url } = await recorder()
    await client().request(call(url, { headers: [['x-name', 'Zoë 東']] }))
    expect(Buffer.from(seen[0]?.headers['x-name'] as string, 'latin1').toString('utf8')).toBe('Zoë 東')
  })

  test('turns credentials of the URL into an Authorization header unless there is one', async () => {
    const { seen, port } = await recorder()
    const url = `http://us%40er:pa%3Ass@127.0.0.1:${port}/`
    await client().request(call(url))
    await client().request(call(url, { headers: [['Authorization', 'Bearer x']] }))
    const basic = `Basic ${Buffer.from('us@er:pa:ss').toString('base64')}`
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([basic, 'Bearer x'])
  })

  test('throws on an error of the caller in its own body', async () => {
    const { url } = await recorder()
    async function* broken() {
      yield 'start'
      throw new RangeError('mine')
    }
    await expect(client().request(call(url, { method: 'POST', body: broken() }))).rejects.toThrow(RangeError)
  })
})

describe('the address policy', () => {
  test('refuses a literal private address before anything is sent', async () => {
    const { seen, port } = await recorder()
    const outbound = client({ networks: [] })
    for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '[::1]', '127.0.0.1.']) {
      expect(await outbound.request(call(`http://${host}:${port}/`))).toEqual(problem('refused-address'))
    }
    expect(seen).toEqual([])
  })

  test('accepts a private address inside an allowed network, or with any', async () => {
    const { seen, url } = await recorder()
    expect(await client().request(call(url))).toMatchObject({ ok: true })
    expect(await client({ networks: 'any' }).request(call(url))).toMatchObject({ ok: true })
    expect(seen).toHaveLength(2)
  })

  test('connects to the very address that was checked, resolving once', async () => {
    const { seen, port } = await recorder()
    const asked: string[] = []
    // The second answer would be forbidden: it must never be asked for.
    const resolve = async (hostname: string) => {
      asked.push(hostname)
      return [{ address: asked.length === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }]
    }
    const outcome = await client({ resolve }).request(call(`http://receiver.test:${port}/`))
    expect(outcome).toMatchObject({ ok: true, value: { status: 200 } })
    expect(asked).toEqual(['receiver.test'])
    expect(seen[0]?.headers.host).toBe(`receiver.test:${port}`)
  })

  test('refuses a name when one of its addresses is forbidden, wherever it stands', async () => {
    const { seen, port } = await recorder()
    const good = { address: '127.0.0.1', family: 4 }
    for (const bad of [
      { address: '10.0.0.1', family: 4 },
      { address: '::1', family: 6 },
      { address: '::ffff:10.0.0.1', family: 6 },
    ]) {
      for (const addresses of [
        [good, bad],
        [bad, good],
      ]) {
        const outbound = client({ resolve: async () => addresses })
        const outcome = await outbound.request(call(`http://receiver.test:${port}/`))
        expect(outcome).toEqual(problem('refused-address'))
      }
    }
    expect(seen).toEqual([])
  })

  test('judges the addresses that the system knows for a name', async () => {
    const { seen, port } = await recorder()
    const url = `http://localhost:${port}/`
    expect(await client({ networks: [] }).request(call(url))).toEqual(problem('refused-address'))
    expect(seen).toEqual([])
    expect(await client({ networks: 'any' }).request(call(url))).toMatchObject({ ok: true, value: { status: 200 } })
  })

  test('guards TLS connections too', async () => {
    const resolve = async () => [{ address: '10.0.0.1', family: 4 }]
    expect(await client({ resolve }).request(call('https://receiver.test/'))).toEqual(problem('refused-address'))
    expect(await client({ networks: [] }).request(call('https://127.0.0.1/'))).toEqual(problem('refused-address'))
  })

  test('checks the target of a redirect', async () => {
    const { seen, url } = await recorder({ '/away': { status: 302, location: 'http://10.0.0.1/inner' } })
    expect(await client().request(call(`${url}/away`))).toEqual(problem('refused-address'))
    expect(seen).toHaveLength(1)
  })

  test('checks the name of a redirect target', async () => {
    const { url } = await recorder({ '/away': { status: 307, location: 'http://inner.test/' } })
    const resolve = async () => [{ address: '192.168.0.1', family: 4 }]
    expect(await client({ resolve }).request(call(`${url}/away`))).toEqual(problem('refused-address'))
  })
})

describe('limits', () => {
  test('a server that never answers is left at the time-out, wherever it hangs', async () => {
    const [reached, onRequest] = gate()
    const port = await serve(() => onRequest())
    const timer = manualTimer()
    const outcome = client(timer).request(call(`http://127.0.0.1:${port}/`))
    await reached
    timer.expire()
    expect(await outcome).toEqual(problem('timeout'))
    expect(timer.pending.size).toBe(0)
  })

  test('a name that never resolves is left at the time-out', async () => {
    const [reached, onLookup] = gate()
    const resolve = () => {
      onLookup()
      return new Promise<never>(() => {})
    }
    const timer = manualTimer()
    const outcome = client({ ...timer, resolve }).request(call('http://receiver.test/'))
    await reached
    timer.expire()
    expect(await outcome).toEqual(problem('timeout'))
  })

  test('the time to connect has its own limit', async () => {
    const resolve = () => new Promise<never>(() => {})
    const outcome = await client({ resolve }).request(call('http://receiver.test/', { connectTimeoutMs: 5 }))
    expect(outcome).toEqual(problem('timeout'))
  })

  test('a body that stalls is left at the time-out', async () => {
    const port = await serve((_request, response) => void response.writeHead(200).write('begin'))
    const timer = manualTimer()
    const opened = await client(timer).stream(call(`http://127.0.0.1:${port}/`))
    if (!opened.ok) throw new Error(opened.problem.message)
    const chunks = opened.value.body[Symbol.asyncIterator]()
    expect(String((await chunks.next()).value)).toBe('begin')
    timer.expire()
    const failure = await Promise.resolve(chunks.next()).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(OutboundError)
    expect((failure as OutboundError).problem.kind).toBe('timeout')
  })

  test('an answer may be as large as the limit and not a byte larger', async () => {
    const port = await serve((_request, response) => void response.end('x'.repeat(1_001)))
    const url = `http://127.0.0.1:${port}/`
    expect(await client().request(call(url))).toEqual(problem('too-large'))
    expect(await client().request(call(url, { maxAnswerBytes: 1_001 }))).toMatchObject({ ok: true })
  })

  test('an endless answer is cut at the limit', async () => {
    const port = await serve((_request, response) => {
      const pour = () => {
        while (response.write('x'.repeat(1_000))) {}
      }
      response.on('drain', pour)
      pour()
    })
    expect(await client().request(call(`http://127.0.0.1:${port}/`))).toEqual(problem('too-large'))
  })
})

describe('giving up', () => {
  test('the signal of the caller ends a running request', async () => {
    const [reached, onRequest] = gate()
    const port = await serve(() => onRequest())
    const stop = new AbortController()
    const timer = manualTimer()
    const outcome = client(timer).request(call(`http://127.0.0.1:${port}/`, { signal: stop.signal }))
    await reached
    stop.abort()
    expect(await outcome).toEqual(problem('aborted'))
    expect(timer.pending.size).toBe(0)
  })

  test('a signal aborted before sends nothing', async () => {
    const { seen, url } = await recorder()
    expect(await client().request(call(url, { signal: AbortSignal.abort() }))).toEqual(problem('aborted'))
    expect(seen).toEqual([])
  })

  test('close ends running requests, and later ones at once', async () => {
    const [reached, onRequest] = gate()
    const port = await serve(() => onRequest())
    const outbound = client()
    const outcome = outbound.request(call(`http://127.0.0.1:${port}/`))
    await reached
    await outbound.close()
    expect(await outcome).toEqual(problem('aborted'))
    expect(await outbound.request(call(`http://127.0.0.1:${port}/`))).toEqual(problem('aborted'))
  })
})

describe('failures', () => {
  test('a closed port is a connect problem', async () => {
    const server = createServer()
    const port = await listen(server)
    await new Promise((resolve) => server.close(resolve))
    expect(await client().request(call(`http://127.0.0.1:${port}/`))).toEqual(problem('connect'))
  })

  test('a name without addresses is a connect problem', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }))
    expect(await client({ resolve }).request(call('http://receiver.test/'))).toEqual(problem('connect'))
  })

  test('a connection that breaks is a connect problem', async () => {
    const port = await serve((request) => void request.socket.destroy())
    expect(await client().request(call(`http://127.0.0.1:${port}/`))).toEqual(problem('connect'))
  })

  test('an answer that is not HTTP is a protocol problem', async () => {
    const server = createTcpServer((socket) => void socket.end('SSH-2.0-none\r\n\r\n'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    cleanups.push(() => void server.close())
    const { port } = server.address() as AddressInfo
    expect(await client().request(call(`http://127.0.0.1:${port}/`))).toEqual(problem('protocol'))
  })

  test('a header that cannot be sent is a protocol problem', async () => {
    const { seen, url } = await recorder()
    expect(await client().request(call(url, { headers: [['a b', 'c']] }))).toEqual(problem('protocol'))
    expect(await client().request(call(url, { headers: [['a', 'c\nd: e']] }))).toEqual(problem('protocol'))
    expect(seen).toEqual([])
  })

  test.each(['not-a-url', 'ftp://h/', 'mailto:a@b.c'])('%s is a protocol problem', async (url) => {
    expect(await client().request(call(url))).toEqual(problem('protocol'))
  })

  test('messages name the origin and none of the secrets', async () => {
    const secret = 'hunter2'
    const { url } = await recorder({ [`/${secret}`]: { status: 302, location: `http://10.0.0.1/${secret}` } })
    const headers: [string, string][] = [['Authorization', `${secret}\n`]]
    const outcomes = [
      await client().request(call(`http://${secret}:${secret}@127.0.0.1:1/${secret}?${secret}`)),
      await client().request(call(`http://${secret}@10.0.0.1/${secret}`)),
      await client().request(call(`${url}/${secret}`)),
      await client().request(call(`${url}/`, { headers })),
      await client().request(call(`ftp://${secret}@h/`)),
    ]
    expect(outcomes.map(({ ok }) => ok)).toEqual([false, false, false, false, false])
    expect(JSON.stringify(outcomes)).not.toContain(secret)
  })
})

describe('a streamed answer', () => {
  test('is read at the pace of the caller', async () => {
    let sentBytes = 0
    const [isFull, onFull] = gate()
    const port = await serve((_request, response) => {
      const pour = () => {
        do sentBytes += 65_536
        while (sentBytes < 64 * 1024 * 1024 && response.write(Buffer.alloc(65_536)))
        if (sentBytes < 64 * 1024 * 1024) onFull()
        else response.end()
      }
      response.on('drain', pour)
      pour()
    })
    const opened = await client().stream(call(`http://127.0.0.1:${port}/`, { maxAnswerBytes: 2 ** 30 }))
    if (!opened.ok) throw new Error(opened.problem.message)
    await isFull
    expect(sentBytes).toBeLessThan(64 * 1024 * 1024)
    let readBytes = 0
    for await (const chunk of opened.value.body) readBytes += chunk.length
    expect(readBytes).toBeGreaterThan(60 * 1024 * 1024)
  })

  test('that is discarded frees the timer and the connection', async () => {
    const [isClosed, onClose] = gate()
    const port = await serve((request, response) => {
      request.socket.on('close', () => onClose())
      response.writeHead(200, { 'content-length': '1000000' }).write('begin')
    })
    const timer = manualTimer()
    const opened = await client(timer).stream(call(`http://127.0.0.1:${port}/`))
    if (!opened.ok) throw new Error(opened.problem.message)
    opened.value.discard()
    await isClosed
    expect(timer.pending.size).toBe(0)
  })

  test('that the caller leaves halfway closes the connection', async () => {
    const [isClosed, onClose] = gate()
    const port = await serve((request, response) => {
      request.socket.on('close', () => onClose())
      response.writeHead(200).write('begin')
    })
    const opened = await client().stream(call(`http://127.0.0.1:${port}/`))
    if (!opened.ok) throw new Error(opened.problem.message)
    for await (const _chunk of opened.value.body) break
    await isClosed
  })
})
