import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { createOutbound, type OutboundOptions, parseNetworks } from '../outbound/index.js'
import { timestampFromMs } from '../time/index.js'
import { WebhookSender, type WebhookSenderOptions } from './sender.js'
import { COMMAND_LINE_UUID, type Webhook } from './webhook.js'

const cleanups: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface Call {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly bytes: Buffer
  readonly text: string
}

type Answer = number | 'hang' | { readonly location: string }

/** A receiver on loopback that answers call after call as told, the last answer again and again. */
async function receiver(...answers: Answer[]) {
  const calls: Call[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    const { method, url: path, headers, rawHeaders } = request
    const text = bytes.length > 0 ? gunzipSync(bytes).toString() : ''
    calls.push({ method, path, headers, rawHeaders, bytes, text })
    const answer = answers[Math.min(calls.length, answers.length) - 1] ?? 200
    if (typeof answer === 'number') response.writeHead(answer).end('some words')
    else if (answer !== 'hang') response.writeHead(307, { location: answer.location }).end()
    wakeAll()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { calls, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

const wakers = new Set<() => void>()
function wakeAll(): void {
  for (const wake of wakers) wake()
}

/** Resolves once `condition` holds; looked at after everything that happens in a test. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await new Promise<void>((resolve) => {
      const wake = () => {
        wakers.delete(wake)
        resolve()
      }
      wakers.add(wake)
    })
  }
}

function manualTimer() {
  const pending: { readonly delayMs: number; readonly onTime: () => void }[] = []
  return {
    delays: () => pending.map(({ delayMs }) => delayMs),
    startTimer: (delayMs: number, onTime: () => void) => {
      const entry = { delayMs, onTime }
      pending.push(entry)
      wakeAll()
      return () => void (pending.includes(entry) && pending.splice(pending.indexOf(entry), 1))
    },
    /** The oldest `count` timers run out. */
    expire: (count = pending.length) => {
      for (const { onTime } of pending.splice(0, count)) onTime()
    },
  }
}

const uuid = (digit: number) => `${digit}0000000-d9eb-453f-b569-c9bfb674cb9d`
const webhook = (digit: number, url: string, headers: Record<string, string> = {}): Webhook => ({
  uuid: uuid(digit),
  url,
  headers: new Map(Object.entries(headers)),
})

function loopback() {
  const parsed = parseNetworks(['127.0.0.0/8'])
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.networks
}

interface Setup {
  readonly webhooks: Webhook[]
  readonly sender?: Partial<WebhookSenderOptions>
  readonly outbound?: Partial<OutboundOptions>
}

function start({ webhooks, sender: senderOptions, outbound: outboundOptions }: Setup) {
  const outbound = createOutbound({ networks: loopback(), userAgent: 'findling-test', ...outboundOptions })
  const logged: { facts: Readonly<Record<string, unknown>>; message: string }[] = []
  const log = {
    warn: (facts: Readonly<Record<string, unknown>>, message: string) => {
      logged.push({ facts, message })
      wakeAll()
    },
  }
  const sender = new WebhookSender({ registry: { list: () => [...webhooks] }, outbound, log, ...senderOptions })
  cleanups.push(() => outbound.close())
  return { sender, logged }
}

const LINES = ['{"uid":3}', '{"uid":4,"indexUid":"é"}', '{"uid":5}']

describe('a notification', () => {
  test('is one gzip ndjson POST with a line for each task and the headers of the webhook', async () => {
    const { calls, url } = await receiver()
    const headers = { authorization: 'TOKEN', 'x-name': 'Zoë' }
    const { sender, logged } = start({ webhooks: [webhook(1, `${url}hook?a=b`, headers)] })
    sender.notify(LINES)
    // The first call loads the client, which may take longer than closing waits.
    await until(() => calls.length >= 1)
    await sender.close()
    expect(calls).toHaveLength(1)
    const { method, path, text } = calls[0]!
    expect({ method, path, text }).toEqual({
      method: 'POST',
      path: '/hook?a=b',
      text: '{"uid":3}\n{"uid":4,"indexUid":"é"}\n{"uid":5}\n',
    })
    expect(calls[0]!.headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'content-encoding': 'gzip',
      'accept-encoding': 'gzip',
      'transfer-encoding': 'chunked',
      authorization: 'TOKEN',
      'x-name': Buffer.from('Zoë').toString('latin1'),
    })
    expect(Object.keys(calls[0]!.headers).filter((name) => name.startsWith('webhook-'))).toEqual([])
    expect(logged).toEqual([])
  })

  test('uses the own header of a webhook instead of the usual one', async () => {
    const { calls, url } = await receiver()
    const { sender } = start({ webhooks: [webhook(1, url, { 'CONTENT-TYPE': 'text/x-mine' })] })
    sender.notify(LINES)
    await sender.close()
    const types = calls[0]!.rawHeaders.filter((_, i, raw) => raw[i - 1]?.toLowerCase() === 'content-type')
    expect(types).toEqual(['text/x-mine'])
  })

  test('of many long lines arrives whole', async () => {
    const { calls, url } = await receiver()
    const lines = Array.from({ length: 5_000 }, (_, uid) => JSON.stringify({ uid, text: 'x'.repeat(uid % 300) }))
    const { sender } = start({ webhooks: [webhook(1, url)] })
    sender.notify(lines)
    await sender.close()
    expect(calls[0]!.text).toBe(lines.map((line) => `${line}\n`).join(''))
  })

  test('goes to all webhooks', async () => {
    const { calls, url } = await receiver()
    const commandLine = { uuid: COMMAND_LINE_UUID, url: `${url}0`, headers: new Map() }
    const { sender } = start({ webhooks: [commandLine, webhook(1, `${url}1`), webhook(2, `${url}2`)] })
    sender.notify(LINES)
    await sender.close()
    expect(calls.map(({ path }) => path).sort()).toEqual(['/0', '/1', '/2'])
  })

  test('goes to the webhooks that existed when the batch ended', async () => {
    const { calls, url } = await receiver()
    const webhooks = [webhook(1, `${url}old`)]
    const { sender } = start({ webhooks })
    sender.notify(LINES)
    webhooks.push(webhook(2, `${url}new`))
    await sender.close()
    expect(calls.map(({ path }) => path)).toEqual(['/old'])
  })

  test('without tasks or without webhooks calls nobody', async () => {
    const { calls, url } = await receiver()
    const { sender } = start({ webhooks: [webhook(1, url)] })
    sender.notify([])
    await sender.close()
    const alone = start({ webhooks: [] })
    alone.sender.notify(LINES)
    await alone.sender.close()
    expect(calls).toEqual([])
  })
})

describe('a failing receiver', () => {
  test.each([400, 404, 500, 503])('that answers %d is logged and not called again', async (status) => {
    const { calls, url } = await receiver(status)
    const { sender, logged } = start({ webhooks: [webhook(1, `${url}secret-path`, { authorization: 'TOKEN' })] })
    sender.notify(LINES)
    await sender.close()
    expect(calls).toHaveLength(1)
    expect(logged).toEqual([
      { facts: { webhook: uuid(1), attempt: 1, status, origin: url.slice(0, -1) }, message: 'webhooks: a call failed' },
    ])
  })

  test('does not keep the next one from being called', async () => {
    const { calls, url } = await receiver()
    const { sender, logged } = start({
      webhooks: [
        webhook(1, 'http://10.0.0.1/'),
        webhook(2, 'http://127.0.0.1:1/'),
        webhook(3, 'mailto:a@b.c'),
        webhook(4, url),
      ],
    })
    sender.notify(LINES)
    await sender.close()
    expect(calls).toHaveLength(1)
    expect(logged.map(({ facts }) => [facts.webhook, facts.problem]).sort()).toEqual([
      [uuid(1), 'refused-address'],
      [uuid(2), 'connect'],
      [uuid(3), 'protocol'],
    ])
  })

  test('on a private address is not called unless its network is allowed', async () => {
    const { calls, url } = await receiver()
    const refused = start({ webhooks: [webhook(1, url)], outbound: { networks: [] } })
    refused.sender.notify(LINES)
    await refused.sender.close()
    expect(calls).toEqual([])
    expect(refused.logged.map(({ facts }) => facts.problem)).toEqual(['refused-address'])
    const open = start({ webhooks: [webhook(1, url)], outbound: { networks: 'any' } })
    open.sender.notify(LINES)
    await open.sender.close()
    expect(calls).toHaveLength(1)
  })

  test('that redirects to a private address does not get the tasks there', async () => {
    const { calls, url } = await receiver({ location: 'http://192.168.0.1/' })
    const { sender, logged } = start({ webhooks: [webhook(1, url)] })
    sender.notify(LINES)
    await sender.close()
    expect(calls).toHaveLength(1)
    expect(logged.map(({ facts }) => facts.problem)).toEqual(['refused-address'])
  })

  test('that redirects to an allowed place gets the same body there', async () => {
    const target = await receiver()
    const { url } = await receiver({ location: `${target.url}moved` })
    const { sender } = start({ webhooks: [webhook(1, url, { authorization: 'TOKEN' })] })
    sender.notify(LINES)
    await sender.close()
    expect(target.calls[0]).toMatchObject({ method: 'POST', path: '/moved', text: `${LINES.join('\n')}\n` })
    expect(target.calls[0]!.headers.authorization).toBeUndefined()
  })

  test('that hangs delays no other, however many batches come, and loses what it cannot take', async () => {
    const slow = await receiver('hang')
    const quick = await receiver()
    const timer = manualTimer()
    const { sender, logged } = start({
      webhooks: [webhook(1, slow.url), webhook(2, quick.url)],
      sender: { limits: { maxParcels: 12, maxBytes: 10_000 } },
      // No time passes: whoever waits for the receiver that hangs waits for ever.
      outbound: { startTimer: timer.startTimer },
    })
    for (let uid = 0; uid < 30; uid++) {
      sender.notify([`{"uid":${uid}}`])
      await until(() => quick.calls.length > uid)
    }
    expect(quick.calls.map(({ text }) => JSON.parse(text).uid)).toEqual(Array.from({ length: 30 }, (_, uid) => uid))
    await until(() => slow.calls.length >= 8)
    expect(slow.calls).toHaveLength(8)
    const dropped = { facts: { taskCount: 1, webhooks: [uuid(1)] }, message: expect.stringContaining('dropped') }
    expect(logged).toEqual(new Array(18).fill(dropped))
    timer.expire()
    await until(() => slow.calls.length >= 12)
    timer.expire()
    await sender.close()
    const heard = slow.calls.map(({ text }) => JSON.parse(text).uid).sort((a, b) => a - b)
    expect(heard).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 26, 27, 28, 29])
  })

  test('that hangs is left after 30 seconds, and other batches pass it by', async () => {
    const slow = await receiver('hang')
    const quick = await receiver()
    const timer = manualTimer()
    const webhooks = [webhook(1, slow.url)]
    const { sender, logged } = start({ webhooks, outbound: { startTimer: timer.startTimer } })
    sender.notify(LINES)
    await until(() => slow.calls.length >= 1)
    expect(timer.delays()).toEqual([30_000])
    webhooks.splice(0, 1, webhook(2, quick.url))
    sender.notify(['{"uid":6}'])
    await until(() => quick.calls.length >= 1)
    timer.expire(1)
    await until(() => logged.length >= 1)
    expect(logged[0]!.facts).toMatchObject({ webhook: uuid(1), problem: 'timeout' })
    await sender.close()
    expect(slow.calls).toHaveLength(1)
  })
})

describe('the queue', () => {
  test('is bounded: the oldest waiting batch is dropped with a line in the log', async () => {
    const { calls, url } = await receiver('hang')
    const timer = manualTimer()
    const limits = { maxParcels: 10, maxBytes: 1_000 }
    const { sender, logged } = start({
      webhooks: [webhook(1, url)],
      sender: { limits },
      outbound: { startTimer: timer.startTimer },
    })
    // Eight are on their way, two wait, then three more come.
    for (let uid = 0; uid < 13; uid++) sender.notify([`{"uid":${uid}}`])
    expect(logged.map(({ message }) => message)).toEqual(new Array(3).fill(expect.stringContaining('dropped')))
    await until(() => calls.length >= 8)
    timer.expire()
    await until(() => calls.length >= 10)
    const uids = calls.map(({ text }) => JSON.parse(text).uid).sort((a, b) => a - b)
    expect(uids).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 11, 12])
    timer.expire()
    await sender.close()
  })

  test('is bounded in bytes too, but always holds the newest batch', async () => {
    const { calls, url } = await receiver('hang')
    const timer = manualTimer()
    const { sender, logged } = start({
      webhooks: [webhook(1, url)],
      sender: { limits: { maxParcels: 100, maxBytes: 100 } },
      outbound: { startTimer: timer.startTimer },
    })
    for (let uid = 0; uid < 8; uid++) sender.notify([`{"uid":${uid}}`])
    sender.notify(['{"uid":8}', '{"uid":9}'])
    sender.notify([JSON.stringify({ uid: 10, text: 'x'.repeat(200) })])
    expect(logged.map(({ facts }) => facts)).toEqual([{ taskCount: 2, webhooks: [uuid(1)] }])
    await until(() => calls.length >= 8)
    timer.expire()
    await until(() => calls.length >= 9)
    expect(JSON.parse(calls[8]!.text).uid).toBe(10)
    timer.expire()
    await sender.close()
  })
})

describe('repeated calls', () => {
  test('come after pauses that double, with jitter, as often as allowed', async () => {
    const { calls, url } = await receiver(500)
    const timer = manualTimer()
    const { sender, logged } = start({
      webhooks: [webhook(1, url)],
      sender: { maxRetries: 3, startTimer: timer.startTimer, random: () => 0.5 },
    })
    sender.notify(LINES)
    for (const pauseMs of [750, 1_500, 3_000]) {
      await until(() => timer.delays().length >= 1)
      expect(timer.delays()).toEqual([pauseMs])
      timer.expire()
    }
    await until(() => logged.length >= 4)
    await sender.close()
    expect(logged.map(({ facts }) => facts.attempt)).toEqual([1, 2, 3, 4])
    expect(new Set(calls.map(({ text }) => text))).toEqual(new Set([`${LINES.join('\n')}\n`]))
  })

  test('wait at least half and less than the whole pause, and never longer than a minute', async () => {
    for (const [random, first, eighth] of [
      [0, 500, 30_000],
      [0.999, 999.5, 59_970],
    ] as const) {
      const { url } = await receiver(503)
      const timer = manualTimer()
      const { sender } = start({
        webhooks: [webhook(1, url)],
        sender: { maxRetries: 8, startTimer: timer.startTimer, random: () => random },
      })
      sender.notify(LINES)
      const delays: number[] = []
      while (delays.length < 8) {
        await until(() => timer.delays().length >= 1)
        delays.push(...timer.delays())
        timer.expire()
      }
      expect([delays[0], delays[7]]).toEqual([first, eighth])
      await sender.close()
    }
  })

  test('go only to those that were not reached, and end with the first success', async () => {
    const shaky = await receiver(429, 200)
    const good = await receiver()
    const timer = manualTimer()
    const { sender, logged } = start({
      webhooks: [webhook(1, shaky.url), webhook(2, good.url)],
      sender: { maxRetries: 5, startTimer: timer.startTimer },
    })
    sender.notify(LINES)
    await until(() => timer.delays().length >= 1)
    timer.expire()
    await until(() => shaky.calls.length >= 2)
    await sender.close()
    expect([shaky.calls.length, good.calls.length, logged.length]).toEqual([2, 1, 1])
  })

  test('are not made where they would fail again', async () => {
    const { calls, url } = await receiver(404)
    const timer = manualTimer()
    const { sender, logged } = start({
      webhooks: [webhook(1, url), webhook(2, 'http://10.0.0.1/'), webhook(3, 'mailto:a@b.c')],
      sender: { maxRetries: 5, startTimer: timer.startTimer },
    })
    sender.notify(LINES)
    await until(() => logged.length >= 3)
    await sender.close()
    expect(calls).toHaveLength(1)
    expect(logged).toHaveLength(3)
  })
})

describe('a notification is over', () => {
  test('when nobody wants it, when it arrived, and when it is not tried again', async () => {
    const alone = start({ webhooks: [] })
    await alone.sender.notify(LINES)
    const good = await receiver()
    const bad = await receiver(404)
    const { sender } = start({ webhooks: [webhook(1, good.url), webhook(2, bad.url)] })
    await sender.notify(LINES)
    expect([good.calls.length, bad.calls.length]).toEqual([1, 1])
    await sender.close()
  })

  test('not when the server stops first', async () => {
    const { calls, url } = await receiver('hang')
    const timer = manualTimer()
    const { sender } = start({ webhooks: [webhook(1, url)], sender: { startTimer: timer.startTimer } })
    let isOver = false
    void sender.notify(LINES).then(() => (isOver = true))
    await until(() => calls.length >= 1)
    const closed = sender.close()
    timer.expire()
    await closed
    expect(isOver).toBe(false)
  })
})

describe('a signature', () => {
  test('covers the bytes that were sent, with one id and the time of each try', async () => {
    const { calls, url } = await receiver(500, 200)
    const signingKey = Buffer.from('C2FVsBQIhrscChlQIMV+b5sSYspob7oD', 'base64')
    const timer = manualTimer()
    let nowMs = 1_700_000_000_900
    const { sender } = start({
      webhooks: [webhook(1, url, { 'Webhook-Id': 'forged' })],
      sender: {
        signingKey,
        maxRetries: 1,
        startTimer: timer.startTimer,
        clock: () => timestampFromMs(nowMs),
        newId: () => 'abc',
      },
    })
    sender.notify(LINES)
    await until(() => timer.delays().length >= 1)
    nowMs += 5_000
    timer.expire()
    await until(() => calls.length >= 2)
    await sender.close()
    expect(calls.map(({ headers }) => headers['webhook-id'])).toEqual(['msg_abc', 'msg_abc'])
    expect(calls.map(({ headers }) => headers['webhook-timestamp'])).toEqual(['1700000000', '1700000005'])
    for (const { headers, bytes } of calls) {
      const hmac = createHmac('sha256', signingKey).update(`msg_abc.${headers['webhook-timestamp']}.`)
      expect(headers['webhook-signature']).toBe(`v1,${hmac.update(bytes).digest('base64')}`)
    }
  })
})

describe('closing', () => {
  test('waits for calls that end soon', async () => {
    const { calls, url } = await receiver()
    const { sender } = start({ webhooks: [webhook(1, url), webhook(2, url)] })
    for (let uid = 0; uid < 20; uid++) sender.notify([`{"uid":${uid}}`])
    await sender.close()
    expect(calls).toHaveLength(40)
  })

  test('ends a call that hangs after two seconds and says what was not sent', async () => {
    const { calls, url } = await receiver('hang')
    const timer = manualTimer()
    const { sender, logged } = start({ webhooks: [webhook(1, url)], sender: { startTimer: timer.startTimer } })
    for (let uid = 0; uid < 9; uid++) sender.notify([`{"uid":${uid}}`])
    await until(() => calls.length >= 8)
    const closed = sender.close()
    expect(timer.delays()).toEqual([2_000])
    timer.expire()
    await closed
    expect(logged.at(-1)).toEqual({ facts: { batches: 1 }, message: expect.stringContaining('stops') })
    expect(calls).toHaveLength(8)
  })

  test('does not wait for pauses, and takes no more batches', async () => {
    const { calls, url } = await receiver(500)
    const timer = manualTimer()
    const { sender, logged } = start({
      webhooks: [webhook(1, url)],
      sender: { maxRetries: 5, startTimer: timer.startTimer },
    })
    sender.notify(LINES)
    await until(() => timer.delays().length >= 1)
    await sender.close()
    expect(timer.delays()).toEqual([])
    expect(logged.at(-1)?.facts).toEqual({ batches: 1 })
    sender.notify(LINES)
    await sender.close()
    expect(calls).toHaveLength(1)
  })
})
