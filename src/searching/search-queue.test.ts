import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Result } from '../errors/index.js'
import { askerWith, type Permit, SearchQueue } from './search-queue.js'

/** What became of a request for a permit. */
interface Watched {
  outcome: Result<Permit> | undefined
  release(): void
}

function watch(asked: ReturnType<SearchQueue['acquire']>): Watched {
  const watched: Watched = {
    outcome: undefined,
    release() {
      if (this.outcome?.ok) this.outcome.value.release()
    },
  }
  void Promise.resolve(asked).then((outcome) => (watched.outcome = outcome))
  return watched
}

const settle = () => new Promise((resolve) => setImmediate(resolve))
const stateOf = ({ outcome }: Watched) => (outcome === undefined ? 'waits' : outcome.ok ? 'runs' : outcome.failure.code)

test('a free place is given at once', async () => {
  const queue = new SearchQueue({ permits: 2, queueSize: 1, dropAfterMs: 1000 })
  const [a, b] = [watch(queue.acquire()), watch(queue.acquire())]
  await settle()
  expect([stateOf(a), stateOf(b), queue.running, queue.waiting]).toEqual(['runs', 'runs', 2, 0])
})

test('it is known beforehand whether there is a free place', () => {
  const queue = new SearchQueue({ permits: 1, queueSize: 1, dropAfterMs: 1000 })
  expect(queue.hasPlace).toBe(true)
  const held = queue.acquire()
  expect([queue.hasPlace, held instanceof Promise]).toEqual([false, false])
  if (!(held instanceof Promise) && held.ok) held.value.release()
  expect(queue.hasPlace).toBe(true)
})

test('with one place and room for one, the third sends the second away', async () => {
  const queue = new SearchQueue({ permits: 1, queueSize: 1, dropAfterMs: 1000 })
  const [a, b, c] = [watch(queue.acquire()), watch(queue.acquire()), watch(queue.acquire())]
  await settle()
  expect([stateOf(a), stateOf(b), stateOf(c)]).toEqual(['runs', 'too_many_search_requests', 'waits'])
  a.release()
  await settle()
  expect(stateOf(c)).toBe('runs')
})

test('without a queue the newcomer is refused', async () => {
  const queue = new SearchQueue({ permits: 1, queueSize: 0, dropAfterMs: 1000 })
  const [a, b] = [watch(queue.acquire()), watch(queue.acquire())]
  await settle()
  expect([stateOf(a), stateOf(b)]).toEqual(['runs', 'too_many_search_requests'])
  expect(b.outcome?.ok === false && b.outcome.failure.message).toContain('0')
})

test('who leaves a full queue and who is started is decided by chance', async () => {
  const draws = [0.5, 0.99]
  const options = { permits: 1, queueSize: 3, dropAfterMs: 1000, random: () => draws.shift() ?? 0 }
  const queue = new SearchQueue(options)
  const all = Array.from({ length: 5 }, () => watch(queue.acquire()))
  await settle()
  expect(all.map(stateOf)).toEqual(['runs', 'waits', 'too_many_search_requests', 'waits', 'waits'])
  all[0]!.release()
  await settle()
  expect(all.map(stateOf).filter((state) => state === 'runs')).toHaveLength(2)
})

test('a turn that comes too late is refused and given to somebody else', async () => {
  let now = 0
  const queue = new SearchQueue({ permits: 1, queueSize: 9, dropAfterMs: 1000, now: () => now, random: () => 0 })
  const running = watch(queue.acquire())
  const late = watch(queue.acquire())
  now = 600
  const inTime = watch(queue.acquire())
  now = 1001
  await settle()
  running.release()
  await settle()
  expect([stateOf(late), stateOf(inTime), queue.running]).toEqual(['too_many_search_requests', 'runs', 1])
})

test('waiting for exactly the limit is not too long', async () => {
  let now = 0
  const queue = new SearchQueue({ permits: 1, queueSize: 9, dropAfterMs: 1000, now: () => now })
  const running = watch(queue.acquire())
  const patient = watch(queue.acquire())
  await settle()
  now = 1000
  running.release()
  await settle()
  expect(stateOf(patient)).toBe('runs')
})

test('a client that goes away gives up its place in the queue at once, and the right to run with its work', async () => {
  const queue = new SearchQueue({ permits: 1, queueSize: 9, dropAfterMs: 1000 })
  const [first, second] = [new AbortController(), new AbortController()]
  const running = watch(queue.acquire(askerWith(first.signal)))
  watch(queue.acquire(askerWith(second.signal)))
  const third = watch(queue.acquire())
  await settle()
  second.abort()
  expect([queue.running, queue.waiting]).toEqual([1, 1])
  first.abort()
  await settle()
  expect([stateOf(third), queue.running, queue.waiting]).toEqual(['waits', 1, 1])
  running.release()
  await settle()
  expect([stateOf(third), queue.running, queue.waiting]).toEqual(['runs', 1, 0])
  expect(stateOf(watch(queue.acquire(askerWith(AbortSignal.abort()))))).toBe('waits')
  await settle()
  expect(queue.waiting).toBe(0)
})

test('giving a permit back twice frees one place', async () => {
  const queue = new SearchQueue({ permits: 2, queueSize: 9, dropAfterMs: 1000 })
  const [a] = [watch(queue.acquire()), watch(queue.acquire())]
  await settle()
  a.release()
  a.release()
  expect(queue.running).toBe(1)
})

interface Client {
  readonly watched: Watched
  readonly controller: AbortController
}

test('whatever happens, no more run than may and nobody is forgotten', async () => {
  const commands = fc.array(fc.constantFrom('ask', 'finish', 'leave'), { maxLength: 60 })
  const sizes = fc.record({ permits: fc.integer({ min: 1, max: 3 }), queueSize: fc.integer({ min: 0, max: 3 }) })
  await fc.assert(
    fc.asyncProperty(
      commands,
      sizes,
      fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
      async (list, size, draws) => {
        const queue = new SearchQueue({ ...size, dropAfterMs: 1000, random: () => draws.next().value ?? 0 })
        const clients: Client[] = []
        const leave = (client: Client | undefined) => {
          client?.controller.abort()
          client?.watched.release()
        }
        for (const command of list) {
          if (command === 'ask') {
            const controller = new AbortController()
            clients.push({ watched: watch(queue.acquire(askerWith(controller.signal))), controller })
          } else if (command === 'finish') clients.find(({ watched }) => watched.outcome?.ok)?.watched.release()
          else leave(clients.shift())
          await settle()
          expect(queue.running).toBeLessThanOrEqual(size.permits)
          expect(queue.waiting).toBeLessThanOrEqual(size.queueSize)
          if (queue.running < size.permits) expect(queue.waiting).toBe(0)
        }
        // Whoever leaves may let others run, who leave too.
        for (const client of clients) {
          leave(client)
          await settle()
        }
        expect([queue.running, queue.waiting]).toEqual([0, 0])
        for (const { watched } of clients) expect(watched.outcome).toBeDefined()
      },
    ),
    { numRuns: 60 },
  )
})
