import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { NatsCluster, natsServerForTests } from '../nats-server/cluster.fixture.js'
import { checkHistory, Follower, type WriterOptions, Writers } from './history.fixture.js'
import { entryOf, report, seconds, temporaryLog } from './log.fixture.js'

const binary = await natsServerForTests()
const cluster = binary === undefined ? undefined : await NatsCluster.start(binary)
const clusterTest = test.skipIf(cluster === undefined)

/** More for a long run: `FINDLING_LOG_KILLS=200 npx vitest run src/cluster/log/kills.test.ts`. */
const KILLS = Number(process.env.FINDLING_LOG_KILLS ?? 2)

clusterTest(
  'servers killed one after the other, at any instant, lose nothing',
  async () => {
    const [plain, setting] = [await history('plain', {}), await history('setting', { plain: 0, setting: 3 })]
    for (let i = 0; i < KILLS; i++) {
      await sleep(500 + Math.random() * 1_500)
      const victim = cluster!.servers[Math.floor(Math.random() * cluster!.servers.length)]!
      await victim.signal(Math.random() < 0.8 ? 'SIGKILL' : 'SIGTERM')
      await sleep(Math.random() * 3_000)
      await cluster!.heal()
    }
    for (const { log, writers, readers } of [plain, setting]) {
      await writers.stop()
      report(`${KILLS} kills: ${writers.summary()}`)
      await checkHistory(log, [writers], readers)
    }
  },
  60_000 + KILLS * 15_000,
)

clusterTest(
  'all servers killed at once lose nothing',
  async () => {
    const { log, writers, readers } = await history('all-at-once')
    await sleep(1_500)
    await cluster!.killAll()
    const started = performance.now()
    await cluster!.heal()
    await log.append(entryOf('again'))
    report(`all killed: appended again after ${seconds(performance.now() - started)}`)
    await sleep(500)
    await writers.stop()
    report(`all killed: ${writers.summary()}`)
    await checkHistory(log, [writers], readers)
  },
  60_000,
)

clusterTest(
  'a leader that stands still is replaced',
  async () => {
    const { log, writers, readers } = await history('stands-still')
    await sleep(1_000)
    const { leader } = await log.health()
    await cluster!.named(leader).signal('SIGSTOP')
    await writers.goOn()
    expect((await log.health()).leader).not.toBe(leader)
    await cluster!.heal()
    await writers.stop()
    report(`leader stands still: ${writers.summary()}`)
    await checkHistory(log, [writers], readers)
  },
  90_000,
)

clusterTest(
  'blobs that are put while servers are killed come back',
  async () => {
    const log = await temporaryLog(cluster!, { name: 'blobs' })
    for (const victim of cluster!.servers) {
      const bytes = randomBytes(30_000_000)
      const started = performance.now()
      const putting = log.putBlob(pieces(bytes))
      await sleep(200)
      await victim.signal('SIGKILL')
      const ref = await putting
      report(`blob of 30 MB while a server is killed: put in ${seconds(performance.now() - started)}`)
      const chunks: Uint8Array[] = []
      for await (const chunk of log.openBlob(ref)) chunks.push(chunk)
      expect(Buffer.concat(chunks).equals(bytes)).toBe(true)
      await cluster!.heal()
    }
  },
  90_000,
)

async function* pieces(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}

async function history(name: string, options: WriterOptions = {}) {
  const log = await temporaryLog(cluster!, { name })
  const readers = [new Follower(log), new Follower(await temporaryLog(cluster!, { name }))]
  return { log, readers, writers: new Writers(log, options) }
}
