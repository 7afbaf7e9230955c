import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { NatsCluster, natsServerForTests } from '../nats-server/cluster.fixture.js'
import { temporaryLog } from './log.fixture.js'
import type { ReplicatedLog } from './model.js'

// Servers that start or elect a leader may take long where tests run beside others.
vi.setConfig({ testTimeout: 90_000 })

const binary = await natsServerForTests()
const cluster = binary === undefined ? undefined : await NatsCluster.start(binary)
const clusterTest = test.skipIf(cluster === undefined)

afterEach(() => cluster?.heal(), 60_000)

clusterTest('what a member tells is heard by all others that listen, in its order', async () => {
  const [one, two, three] = await members('order', 3)
  const heard = [one!, two!, three!].map((log) => listenTo(log))
  await untilHeard(one!, [heard[1]!, heard[2]!])
  for (let i = 0; i < 100; i++) one!.tell(Buffer.from(`news ${i}`))
  const news = Array.from({ length: 100 }, (_, i) => `news ${i}`)
  for (const { said } of heard.slice(1)) await vi.waitFor(() => expect(newsOf(said)).toEqual(news), 10_000)
  expect(heard[0]!.said).toEqual([])
})

clusterTest('a listener that has left hears nothing, another one goes on', async () => {
  const [one, two] = await members('leaving', 2)
  const [first, second] = [listenTo(two!), listenTo(two!)]
  await untilHeard(one!, [first, second])
  first.stop()
  one!.tell(Buffer.from('news of the second'))
  await vi.waitFor(() => expect(newsOf(second.said)).toEqual(['news of the second']), 10_000)
  expect(newsOf(first.said)).toEqual([])
  second.stop()
  const third = listenTo(two!)
  await untilHeard(one!, [third])
  expect(newsOf(second.said)).toEqual(['news of the second'])
})

clusterTest(
  'nothing is told twice or late: what finds no server is lost, and telling never throws',
  async () => {
    const [one, two] = await members('lost', 2)
    const heard = listenTo(two!)
    await untilHeard(one!, [heard])
    await cluster!.killAll()
    // The connection is found broken within milliseconds; what was sent just before is lost as well.
    await sleep(500)
    one!.tell(Buffer.from('news that is lost'))
    await cluster!.heal()
    await untilHeard(one!, [heard])
    expect(newsOf(heard.said)).toEqual([])
    one!.tell(Buffer.alloc(20_000_000))
    await one!.close()
    one!.tell(Buffer.from('news after the end'))
    expect(one!.onTold(() => {})).toBeTypeOf('function')
  },
  60_000,
)

async function members(name: string, count: number): Promise<ReplicatedLog[]> {
  const logs: ReplicatedLog[] = []
  while (logs.length < count) logs.push(await temporaryLog(cluster!, { name }))
  return logs
}

interface Listener {
  readonly said: string[]
  readonly stop: () => void
}

function listenTo(log: ReplicatedLog): Listener {
  const said: string[] = []
  return { said, stop: log.onTold((bytes) => said.push(Buffer.from(bytes).toString())) }
}

const newsOf = (said: readonly string[]) => said.filter((text) => text.startsWith('news'))

/** Servers tell each other who listens, which takes a moment. */
async function untilHeard(from: ReplicatedLog, listeners: readonly Listener[]): Promise<void> {
  const mark = `mark ${Math.random()}`
  const isHeard = () => {
    from.tell(Buffer.from(mark))
    expect(listeners.every(({ said }) => said.includes(mark))).toBe(true)
  }
  await vi.waitFor(isHeard, { timeout: 30_000, interval: 20 })
}
