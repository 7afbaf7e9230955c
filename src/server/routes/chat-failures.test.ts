import { request as send } from 'node:http'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createOutbound } from '../../outbound/index.js'
import { type ChatServer, errorsIn, MESSAGES, SECRET, saidIn, startChatServer } from '../chats/chat-server.fixture.js'
import {
  asks,
  chunk,
  DONE,
  inTurn,
  line,
  type Script,
  STREAM_HEADERS,
  says,
  searchFor,
  stream,
} from '../chats/provider.fake.js'

let server: ChatServer

beforeAll(async () => {
  server = await startChatServer()
  await server.add('books', [{ id: 1, title: 'Owls' }])
})

beforeEach(() => {
  server.provider.calls.length = 0
})

const answers =
  (status: number, body: string, type = 'application/json'): Script =>
  (response) => {
    response.writeHead(status, { 'content-type': type }).end(body)
  }

/** The one error of a conversation that must end with it. */
async function failureOf(script: Script) {
  server.provider.script = script
  const { status, events } = await server.ask()
  expect(status).toBe(200)
  expect(events.at(-1)).toBe('[DONE]')
  expect(events.at(-2)).toMatchObject({ type: 'error', event_id: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  expect(errorsIn(events)).toHaveLength(1)
  expect(server.provider.calls).toHaveLength(1)
  expect(Object.keys(events.at(-2).error)).toEqual(['message', 'code', 'type', 'link'])
  return { ...events.at(-2).error, said: saidIn(events) }
}

const told = (error: object) => JSON.stringify({ error })

describe('a provider that', () => {
  test.each([
    [
      'refuses the key',
      401,
      told({ message: 'bad key', code: 'bad' }),
      'remote_invalid_api_key',
      'bad key (code: bad)',
    ],
    ['forbids the model', 403, told({ message: 'not yours' }), 'remote_invalid_api_key', 'not yours'],
    [
      'is asked too often',
      429,
      told({ type: 'rate', message: 'slow', code: 1 }),
      'remote_remote_error',
      'slow (type: rate',
    ],
    [
      'breaks',
      500,
      told({ type: 'server_error', message: 'oops' }),
      'remote_remote_error',
      'oops (type: server_error)',
    ],
    ['speaks like mistral', 422, '{"type":"invalid","message":"no","code":"1"}', 'remote_bad_request', 'no (type: inv'],
    ['says little', 400, '{"error":"no such model"}', 'remote_bad_request', '400: no such model'],
    ['answers with HTML', 502, '<html>', 'remote_remote_error', '502 and no readable error'],
    ['answers with nothing', 500, '', 'remote_remote_error', '500 and no readable error'],
    ['answers with JSON of another kind', 404, '{"detail":"x"}', 'remote_bad_request', '404 and no readable error'],
    ['does not stream', 200, '{"choices":[]}', 'remote_bad_response', '200 and no readable error'],
    ['is asked for too much', 204, '', 'remote_bad_response', '204 and no readable error'],
  ] as const)('%s is quoted in an event', async (_what, status, body, code, quoted) => {
    const failure = await failureOf(answers(status, body))
    expect(failure).toMatchObject({ code, said: '' })
    expect(failure.message).toContain(quoted)
  })

  test('sends garbage inside its stream ends the conversation with it', async () => {
    const start = chunk({ content: 'Well, ' })
    for (const garbage of [
      'data: {"a":\n\n',
      'data: 1\n\n',
      line({ choices: {} }),
      line({ choices: [{ delta: 1 }] }),
    ]) {
      server.provider.calls.length = 0
      expect(await failureOf(stream(start, garbage, DONE))).toMatchObject({
        code: 'remote_bad_response',
        said: 'Well, ',
      })
    }
  })

  test('tells of an error inside its stream is quoted', async () => {
    const script = stream(chunk({ content: 'a' }), line({ error: { type: 'overloaded', message: 'later', code: 503 } }))
    const failure = await failureOf(script)
    expect(failure).toMatchObject({ code: 'remote_remote_error', said: 'a' })
    expect(failure.message).toContain('later (type: overloaded, code: 503)')
  })

  test('stops in the middle is noticed', async () => {
    expect(await failureOf(stream(chunk({ content: 'a' })))).toMatchObject({ code: 'remote_bad_response' })
    server.provider.calls.length = 0
    const broken: Script = (response) => {
      response.writeHead(200, STREAM_HEADERS)
      response.write(chunk({ content: 'a' }), () => response.destroy())
    }
    expect(await failureOf(broken)).toMatchObject({ code: 'remote_bad_response' })
  })

  test('sends bytes that are no text is noticed', async () => {
    const script: Script = (response) => {
      response.writeHead(200, STREAM_HEADERS)
      response.end(Buffer.concat([Buffer.from(chunk({ content: 'a' })), Buffer.of(0x64, 0xff, 0xfe)]))
    }
    expect(await failureOf(script)).toMatchObject({ code: 'remote_bad_response' })
  })

  test('sends an event without end is not listened to for ever', async () => {
    const script: Script = (response) => {
      response.writeHead(200, STREAM_HEADERS)
      const part = `data: ${'a'.repeat(1 << 20)}`
      for (let i = 0; i < 6; i++) response.write(i === 0 ? part : part.slice(6))
    }
    expect(await failureOf(script)).toMatchObject({ code: 'remote_bad_response' })
  })

  test('asks for too many searches at once is not obeyed', async () => {
    const calls = Array.from({ length: 200 }, (_, i) => ({ id: `c${i}`, arguments: searchFor('books') }))
    expect(await failureOf(asks(...calls))).toMatchObject({ code: 'remote_bad_response' })
  })

  test('quotes the key that it refuses does not give it away', async () => {
    const error = { type: `t ${SECRET}`, message: `Incorrect key: ${SECRET}.`, code: SECRET, param: SECRET }
    const failure = await failureOf(answers(401, told(error)))
    expect(JSON.stringify(failure)).not.toContain(SECRET)
    expect(failure.message).toContain('Incorrect key: sk-XXXXX....')
    server.provider.calls.length = 0
    expect(JSON.stringify(await failureOf(stream(line({ error }))))).not.toContain(SECRET)
    expect(server.logged.join('')).not.toContain(SECRET)
  })

  test('cannot be reached is told apart', async () => {
    const settings = (baseUrl: string) => server.context.chats.patch('lost', { source: 'vLlm', baseUrl })
    const ask = async () => {
      const body = { model: 'm', messages: MESSAGES }
      const { text } = await server.send('POST', '/chats/lost/chat/completions', { body })
      return text
    }
    for (const baseUrl of ['http://user:hush@127.0.0.1:1/path', 'http://nowhere.invalid']) {
      await settings(baseUrl)
      const text = await ask()
      expect(text).toContain('"code":"remote_could_not_send_request","type":"system"')
      expect(text).toMatch(/\n\ndata: \[DONE\]\n\n$/)
      expect(text).not.toMatch(/hush|path/)
    }
  })

  test('never ends its answer after the last word is not waited for', async () => {
    server.provider.script = (response) => {
      response.writeHead(200, STREAM_HEADERS)
      response.write(chunk({ content: 'a' }, 'stop') + DONE)
    }
    const { events } = await server.ask()
    expect([saidIn(events), errorsIn(events), events.at(-1)]).toEqual(['a', [], '[DONE]'])
  })
})

test('a provider on a private address is refused unless its network is allowed', async () => {
  const { context } = server
  const outbound = createOutbound({ networks: [], userAgent: 'findling' })
  const guarded = vi.spyOn(context.outbound, 'stream').mockImplementation((request) => outbound.stream(request))
  try {
    const { events } = await server.ask()
    expect(errorsIn(events)[0]).toMatchObject({ code: 'remote_could_not_send_request' })
    expect(errorsIn(events)[0].message).toContain('allowed-ip-networks')
    expect(server.provider.calls).toEqual([])
  } finally {
    guarded.mockRestore()
    await outbound.close()
  }
})

describe('a client that', () => {
  const open = () =>
    new Promise<{ leave: () => void; heard: (text: string) => Promise<void> }>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', authorization: 'Bearer MASTER_KEY' }
      const path = '/chats/w/chat/completions'
      const outgoing = send({ port: server.port, method: 'POST', path, headers, agent: false }, (incoming) => {
        const heard = (text: string) =>
          new Promise<void>((done) => incoming.on('data', (data: Buffer) => String(data).includes(text) && done()))
        incoming.on('error', () => {})
        resolve({ leave: () => outgoing.destroy(), heard })
      })
      outgoing.on('error', reject)
      outgoing.end(JSON.stringify({ model: 'm', messages: MESSAGES }))
    })

  test('leaves while the model thinks takes the request to the provider along', async () => {
    let asked = () => {}
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    const closed = new Promise<void>((resolve) => {
      server.provider.script = (response) => {
        response.writeHead(200, STREAM_HEADERS).flushHeaders()
        response.on('close', resolve)
        asked()
      }
    })
    const client = await open()
    await isAsked
    client.leave()
    await closed
  })

  test('leaves in the middle of an answer without end stops it', async () => {
    const closed = new Promise<void>((resolve) => {
      server.provider.script = (response) => {
        response.writeHead(200, STREAM_HEADERS)
        const say = () => response.destroyed || response.write(chunk({ content: 'la' }), () => setImmediate(say))
        response.on('close', resolve)
        say()
      }
    })
    const client = await open()
    await client.heard('data: ')
    client.leave()
    await closed
  })

  test('does not read holds the provider back', async () => {
    const words = chunk({ content: 'la'.repeat(32 * 1024) })
    let written = 0
    let isFull = () => {}
    const full = new Promise<void>((resolve) => {
      isFull = resolve
    })
    const closed = new Promise<void>((resolve) => {
      server.provider.script = (response) => {
        response.writeHead(200, STREAM_HEADERS)
        response.on('close', resolve)
        const say = () => {
          while (!response.destroyed && response.write(words)) written += words.length
          const stuck = setTimeout(isFull, 500)
          response.once('drain', () => {
            clearTimeout(stuck)
            say()
          })
        }
        say()
      }
    })
    const client = await open()
    await full
    // Buffers of the kernel and of streams on both ways, not the memory of the server.
    expect(written).toBeLessThan(32 << 20)
    client.leave()
    await closed
  })
})

test('a server that closes ends its conversations', async () => {
  const closing = await startChatServer()
  const isAsked = new Promise<void>((resolve) => {
    closing.provider.script = (response) => {
      response.writeHead(200, STREAM_HEADERS)
      response.write(chunk({ content: 'One moment' }), () => resolve())
    }
  })
  const asked = closing.ask()
  await isAsked
  await closing.close()
  const { events } = await asked
  expect(events.at(-1)).toBe('[DONE]')
})

test('a mistake of ours ends the stream as it should, and is logged', async () => {
  const { searching } = server.context
  const broken = vi.spyOn(searching, 'run').mockImplementation((order) => {
    if (order.kind === 'chatSearch') throw new Error('the thread is gone')
    return Promise.resolve({
      ok: true,
      value: { body: Buffer.from('{"facets":[],"description":""}'), degraded: 0, personalized: 0, failedRemotes: [] },
    })
  })
  try {
    server.provider.script = inTurn(asks({ id: 'a', arguments: searchFor('books') }), says('.'))
    const { events } = await server.ask()
    expect(errorsIn(events)).toMatchObject([{ type: 'internal', code: 'internal' }])
    expect(JSON.stringify(events)).not.toContain('thread is gone')
    expect(events.at(-1)).toBe('[DONE]')
    expect(server.logged.join('')).toContain('the thread is gone')
  } finally {
    broken.mockRestore()
  }
})
