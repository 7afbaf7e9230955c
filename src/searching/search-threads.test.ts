import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, test } from 'vitest'
import { ClientGoneError } from './client-gone.js'
import { PLAIN_ORDER } from './search-order.fixture.js'
import type { SearchOrder } from './search-order.js'
import { askerWith } from './search-queue.js'
import { SearchThread, type ThreadCare } from './search-thread.js'
import { SearchThreads, type SearchThreadsOptions } from './search-threads.js'
import type { ThreadSignals } from './thread-signals.js'

/**
 * Keeps the protocol of a search thread. Orders hold what is to be done: `crash`, `throw`, `hang`, `hang later` (after
 * the next messages), `stop` (answer nothing until `go on` comes), `work 300 200` (for 200 ms, with a cutoff of 300),
 * `search` (until nobody waits for it), or any text, which is answered with the thread's number and what was released so
 * far.
 */
const SCRIPT = `
const { parentPort, threadId, workerData } = require('node:worker_threads')
const cells = new Int32Array(workerData)
const released = []
let held = []
parentPort.on('message', ({ id, question: { ask, order, path, kind } }) => {
  const reply = (outcome) => parentPort.postMessage({ id, is: 'outcome', outcome })
  if (ask === 'release') { released.push(path); return reply(undefined) }
  if (ask === 'start' || ask === 'close') return reply(undefined)
  if (ask === 'inspect') return reply({ ok: true, value: [kind] })
  const text = Buffer.from(order.bytes).toString()
  if (text === 'crash') process.exit(3)
  if (text === 'hang') for (;;);
  if (text === 'hang later') return setTimeout(() => { for (;;); }, 20)
  if (text === 'search') {
    while (Atomics.load(cells, 1 + (id % 1024)) !== id);
    return reply('dropped')
  }
  if (text.startsWith('work')) {
    const [, cutoffMs, ms] = text.split(' ').map(Number)
    parentPort.postMessage({ cutoffMs })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
  }
  if (text === 'throw') {
    return parentPort.postMessage({ id, is: 'problem', problem: { is: 'surprise', message: 'no', code: 28 } })
  }
  const answer = () => reply({ ok: true, value: { body: Buffer.from(threadId + ' ' + released), degraded: 0 } })
  if (text === 'stop') return held.push(answer)
  if (text === 'go on') { for (const each of held) each(); held = [] }
  answer()
})`

let threads: SearchThreads | undefined
afterEach(async () => {
  await threads?.close()
})

let logged: unknown[] = []
const created: Worker[] = []

interface Given extends Pick<SearchThreadsOptions, 'now'>, Pick<ThreadCare, 'endAfterMs'> {}

function start(count: number, lostAfterMs = 10_000, { now, endAfterMs }: Given = {}): SearchThreads {
  logged = []
  const care = { log: { error: (...told: unknown[]) => void logged.push(told) }, lostAfterMs, endAfterMs }
  const create = ({ memory }: ThreadSignals) => {
    const worker = new Worker(SCRIPT, { eval: true, workerData: memory })
    created.push(worker)
    return worker
  }
  threads = new SearchThreads({ count, createThread: () => new SearchThread(create, care), ...(now && { now }) })
  return threads
}

function order(text: string): SearchOrder {
  return { ...PLAIN_ORDER, bytes: new Uint8Array(Buffer.from(text)), uid: 'a', folders: [] }
}

async function answer(pool: SearchThreads, text: string): Promise<string[]> {
  const answered = await pool.run(order(text))
  if (!answered.ok) throw new Error(answered.failure.message)
  return Buffer.from(answered.value.body as Uint8Array)
    .toString()
    .split(' ')
}

/** Another thread, which starts when this one is busy. */
async function otherThan(pool: SearchThreads, first: string): Promise<string> {
  for (;;) {
    const [thread] = await answer(pool, 'c')
    if (thread !== first) return thread!
  }
}

test('a search alone always meets the same thread, others go where less is to do', async () => {
  const pool = start(2)
  const [first] = await answer(pool, 'a')
  expect((await answer(pool, 'b'))[0]).toBe(first)
  const waiting = answer(pool, 'stop')
  const second = await otherThan(pool, first!)
  const [more] = await Promise.all([answer(pool, 'd'), answer(pool, 'go on')])
  expect(more[0]).toBe(second)
  expect((await waiting)[0]).toBe(first)
})

test('a thread that is busy learns that nobody waits for its work any more', async () => {
  const pool = start(1)
  await answer(pool, 'a')
  const clients = [new AbortController(), new AbortController()]
  const searches = clients.map(({ signal }) => pool.run(order('search'), askerWith(signal)))
  const outcomes = Promise.allSettled(searches)
  const after = answer(pool, 'b')
  for (const client of clients) client.abort()
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { name: 'ClientGoneError' } })
  await expect(after).resolves.toBeDefined()
  await expect(pool.run(order('search'), askerWith(AbortSignal.abort()))).rejects.toThrow(ClientGoneError)
})

test('a crash fails the searches of its thread, and the next one gets a new thread', async () => {
  const pool = start(1)
  const [first] = await answer(pool, 'a')
  const outcomes = await Promise.allSettled([pool.run(order('stop')), pool.run(order('crash'))])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const [second] = await answer(pool, 'b')
  expect(second).not.toBe(first)
  expect(logged).toEqual([[{ error: expect.any(Error), requests: 2 }, 'a search thread was lost']])
})

describe('a thread that gives no sign of life', () => {
  test.each(['hang', 'hang later'])('is ended and replaced, and whoever waits for it is told: %s', async (text) => {
    const pool = start(1, 1500)
    const [first] = await answer(pool, 'a')
    const outcomes = await Promise.allSettled([pool.run(order(text)), pool.run(order('stop'))])
    const failure = { code: 'internal', message: expect.stringContaining('no sign of life') }
    expect(outcomes).toEqual([
      { status: 'rejected', reason: expect.objectContaining({ failure }) },
      { status: 'rejected', reason: expect.objectContaining({ failure }) },
    ])
    expect(logged).toEqual([[{ error: expect.objectContaining({ failure }), requests: 2 }, 'a search thread was lost']])
    const [second] = await answer(pool, 'b')
    expect(second).not.toBe(first)
  })

  test('keeps no folder open', async () => {
    const pool = start(1, 1500)
    await answer(pool, 'a')
    const searching = pool.run(order('hang'))
    searching.catch(() => {})
    await expect(pool.release('/folder')).resolves.toBeUndefined()
    await expect(searching).rejects.toThrow('no sign of life')
  })

  test('may take as long as the cutoff of its searches allows', async () => {
    const pool = start(1, 1500)
    const [first] = await answer(pool, 'a')
    expect((await answer(pool, 'work 60000 2000'))[0]).toBe(first)
    expect(logged).toEqual([])
  })
})

test('a thread that is closed is not lost', async () => {
  const pool = start(1)
  await answer(pool, 'a')
  await pool.close()
  threads = undefined
  expect(logged).toEqual([])
})

test('what a thread throws is thrown, with its code, and the thread goes on', async () => {
  const pool = start(1)
  const [first] = await answer(pool, 'a')
  await expect(pool.run(order('throw'))).rejects.toMatchObject({ message: 'no', code: 28 })
  expect((await answer(pool, 'b'))[0]).toBe(first)
})

test('a folder is released by all threads that run', async () => {
  const pool = start(2)
  await pool.release('/before')
  const [first] = await answer(pool, 'a')
  const held = answer(pool, 'stop')
  await otherThan(pool, first!)
  await pool.release('/folder')
  expect((await answer(pool, 'b'))[1]).toBe('/folder')
  await Promise.all([answer(pool, 'c'), answer(pool, 'go on')])
  expect((await held)[1]).toBe('/folder')
})

test('a second thread is not started before the first is busy', async () => {
  const pool = start(2)
  await pool.start()
  const [first] = await answer(pool, 'a')
  for (let i = 0; i < 5; i++) expect((await answer(pool, 'b'))[0]).toBe(first)
})

describe('when there is more to do', () => {
  test('for a short time, no other thread starts', async () => {
    const pool = start(2, 10_000, { now: () => 0 })
    const [first] = await answer(pool, 'a')
    const held = answer(pool, 'stop')
    for (let i = 0; i < 50; i++) expect((await answer(pool, 'b'))[0]).toBe(first)
    await answer(pool, 'go on')
    await held
  })

  test('and all threads are held up by what takes long, a spare one answers', async () => {
    const late = { ms: 0 }
    const pool = start(1, 10_000, { now: () => performance.now() + late.ms })
    const [first] = await answer(pool, 'a')
    const held = answer(pool, 'stop')
    expect((await answer(pool, 'b'))[0]).toBe(first)
    late.ms = 600
    await otherThan(pool, first!)
    late.ms = 0
    expect((await answer(pool, 'go on'))[0]).toBe(first)
    expect((await held)[0]).toBe(first)
  })

  test('and that is over, the other thread ends', async () => {
    const pool = start(1, 10_000, { endAfterMs: 1 })
    const large = `a${' '.repeat(2 << 20)}`
    const [first] = await answer(pool, large)
    await once(created.at(-1)!, 'exit')
    expect((await answer(pool, large))[0]).not.toBe(first)
    expect(logged).toEqual([])
  })
})

test('large requests take turns on one thread, and leave the others to the rest', async () => {
  const pool = start(2)
  const [first] = await answer(pool, 'a')
  const large = () => answer(pool, `b${' '.repeat(2 << 20)}`)
  const [one, other] = await Promise.all([large(), large()])
  expect([one[0], other[0]]).toEqual([other[0], one[0]])
  expect(one[0]).not.toBe(first)
})

test('large requests are looked at by a thread', async () => {
  const bytes = new Uint8Array(3)
  expect(await start(1).inspect('multiSearch', bytes)).toEqual({ ok: true, value: ['multiSearch'] })
  expect(bytes.length).toBe(0)
})

test('threads that never ran are closed at once', async () => {
  await expect(start(2).close()).resolves.toBeUndefined()
})
