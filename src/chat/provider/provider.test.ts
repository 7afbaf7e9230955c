import { afterEach, describe, expect, test } from 'vitest'
import type { Outbound, OutboundRequest, OutboundStream, Outcome } from '../../outbound/index.js'
import { OutboundError } from '../../outbound/index.js'
import { ProviderError } from './problem.js'
import { openProvider } from './provider.js'

const LINE = 'data: {"id":"1","choices":[{"index":0,"delta":{"content":"a"}}]}\n\n'
const endpoint = { url: 'http://provider.test/v1/chat/completions', headers: { authorization: 'Bearer hidden-key' } }

/** A provider that sends what it is told, and then nothing until its request is given up. */
function silentAfter(...texts: string[]) {
  const requests: OutboundRequest[] = []
  const stream: Outbound['stream'] = (request) => {
    requests.push(request)
    const headers = new Map([['content-type', 'text/event-stream']])
    const value: OutboundStream = { status: 200, headers, body: speak(texts, request), discard: () => {} }
    return Promise.resolve({ ok: true, value } satisfies Outcome<OutboundStream>)
  }
  return { requests, stream }
}

async function* speak(texts: readonly string[], { signal }: OutboundRequest): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
  await new Promise((_resolve, reject) => {
    const giveUp = () => reject(new OutboundError({ kind: 'aborted', message: 'given up' }))
    if (signal?.aborted) giveUp()
    signal?.addEventListener('abort', giveUp)
  })
}

/** Timers that run out when the test says so. */
function manualTimers() {
  const pending = new Map<() => void, number>()
  return {
    limits: () => [...pending.values()],
    startTimer: (delayMs: number, onTime: () => void) => {
      pending.set(onTime, delayMs)
      return () => void pending.delete(onTime)
    },
    expire: () => {
      for (const onTime of [...pending.keys()]) onTime()
    },
  }
}

describe('a provider that falls silent', () => {
  test('is given up after minutes', async () => {
    const timers = manualTimers()
    const provider = openProvider({ endpoint, outbound: silentAfter(LINE), startTimer: timers.startTimer })
    const chunks = provider.answer('{}', new AbortController().signal)[Symbol.asyncIterator]()
    expect((await chunks.next()).value[0].choices[0].delta.content).toBe('a')
    expect(timers.limits()).toEqual([])
    const next = chunks.next()
    while (timers.limits().length === 0) await new Promise((resolve) => setImmediate(resolve))
    expect(timers.limits()).toEqual([600_000])
    timers.expire()
    await expect(next).rejects.toMatchObject({ failure: { code: 'remote_timeout' } })
    expect(timers.limits()).toEqual([])
  })

  test('after its last word is given up soon, and had its say', async () => {
    const timers = manualTimers()
    const provider = openProvider({
      endpoint,
      outbound: silentAfter('data: [DONE]\n\n'),
      startTimer: timers.startTimer,
    })
    const chunks = provider.answer('{}', new AbortController().signal)[Symbol.asyncIterator]()
    const next = chunks.next()
    while (timers.limits()[0] !== 100) await new Promise((resolve) => setImmediate(resolve))
    timers.expire()
    expect(await next).toMatchObject({ done: true })
  })

  test('is left at once when nobody listens any more', async () => {
    const conversation = new AbortController()
    const provider = openProvider({ endpoint, outbound: silentAfter(LINE) })
    const chunks = provider.answer('{}', conversation.signal)[Symbol.asyncIterator]()
    await chunks.next()
    const next = chunks.next()
    conversation.abort()
    expect(await next).toMatchObject({ done: true })
  })
})

describe('a request', () => {
  const before = { ...process.env }
  afterEach(() => {
    process.env = { ...before }
  })

  test('takes nothing from the environment', async () => {
    Object.assign(process.env, {
      OPENAI_BASE_URL: 'http://elsewhere.test',
      OPENAI_API_KEY: 'environment-key',
      OPENAI_ADMIN_KEY: 'environment-key',
      OPENAI_ORG_ID: 'environment-org',
      OPENAI_PROJECT_ID: 'environment-project',
      OPENAI_CUSTOM_HEADERS: 'x-environment: 1',
    })
    const outbound = silentAfter('data: [DONE]\n\n')
    const provider = openProvider({ endpoint, outbound })
    for await (const _chunk of provider.answer('{"a":1}', new AbortController().signal)) break
    const [request] = outbound.requests
    expect(request).toMatchObject({ method: 'POST', url: 'http://provider.test/v1/chat/completions', body: '{"a":1}' })
    expect([...request!.headers!]).toEqual([
      ['accept', 'text/event-stream'],
      ['content-type', 'application/json'],
      ['authorization', 'Bearer hidden-key'],
    ])
  })

  test('whose credentials cannot be sent does not tell them', async () => {
    const stream: Outbound['stream'] = () =>
      Promise.resolve({ ok: false, problem: { kind: 'protocol', message: 'the exchange is not valid HTTP' } })
    const odd = { ...endpoint, headers: { authorization: 'Bearer hidden\nkey' } }
    const answer = openProvider({ endpoint: odd, outbound: { stream } }).answer('{}', new AbortController().signal)
    const failure = await answer[Symbol.asyncIterator]()
      .next()
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ProviderError)
    expect(String(failure)).not.toContain('hidden')
  })
})
