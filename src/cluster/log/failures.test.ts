import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { NatsCluster, natsServerForTests } from '../nats-server/cluster.fixture.js'
import { checkHistory, Follower, Writers } from './history.fixture.js'
import { entryOf, idsOf, report, seconds, take, temporaryLog } from './log.fixture.js'
import type { ReplicatedLog } from './model.js'
import { LogUnavailable } from './problems.js'

const binary = await natsServerForTests()
const cluster = binary === undefined ? undefined : await NatsCluster.start(binary)
const clusterTest = test.skipIf(cluster === undefined)

afterEach(() => cluster?.heal(), 60_000)

clusterTest(
  'a leader that is killed loses nothing, doubles nothing and changes no order',
  async () => {
    const { log, name } = await namedLog()
    const readers = [new Follower(log), new Follower(await temporaryLog(cluster!, { name }))]
    const writers = new Writers(log)
    await sleep(1_000)
    await cluster!.named((await log.health()).leader).signal('SIGKILL')
    await writers.goOn()
    await writers.stop()
    report(`leader killed: ${writers.summary()}`)
    await checkHistory(log, [writers], readers)
  },
  60_000,
)

clusterTest(
  'a follower that is killed, one that stands still, and a leader that is stopped gracefully are hardly noticed',
  async () => {
    const { log, name } = await namedLog()
    const harm = async (what: string, isLeader: boolean, signal: 'SIGKILL' | 'SIGSTOP' | 'SIGTERM') => {
      const writers = new Writers(log, { prefix: what })
      const other = await temporaryLog(cluster!, { name })
      const along = [new Follower(log), new Follower(other)]
      await sleep(1_000)
      const { leader } = await log.health()
      const victim = isLeader ? cluster!.named(leader) : cluster!.others(leader)[0]!
      await victim.signal(signal)
      await writers.goOn()
      await writers.stop()
      report(`${what}: ${writers.summary()}`)
      await cluster!.heal()
      await checkHistory(log, [writers], along)
    }
    await harm('follower-killed', false, 'SIGKILL')
    await harm('follower-stands-still', false, 'SIGSTOP')
    await harm('leader-stopped', true, 'SIGTERM')
  },
  120_000,
)

clusterTest(
  'without a majority appending fails in time, what is there is read, and it goes on when a server comes back',
  async () => {
    const { log, name } = await namedLog()
    const ids = Array.from({ length: 200 }, (_, i) => `e${i}`)
    for (const id of ids) await log.append(entryOf(id))
    const other = await temporaryLog(cluster!, { name })
    const [survivor, ...victims] = cluster!.servers
    await Promise.all(victims.map((server) => server.signal('SIGKILL')))
    expect(survivor!.isRunning).toBe(true)
    const started = performance.now()
    await expect(log.append(entryOf('late'), { timeoutMs: 3_000 })).rejects.toThrow(LogUnavailable)
    const refusedMs = performance.now() - started
    expect(idsOf(await take(other, 1, 200))).toEqual(ids)
    report(`no majority: refused after ${seconds(refusedMs)}, read after ${seconds(performance.now() - started)}`)
    const waiting = log.append(entryOf('waited'))
    await victims[0]!.start()
    await waiting
    report(`no majority: appended ${seconds(performance.now() - started)} after it was lost`)
    const last = await log.last()
    const all = idsOf(await take(other, 1, last))
    expect(all.slice(0, 200)).toEqual(ids)
    expect(all.filter((id) => id === 'waited')).toEqual(['waited'])
  },
  90_000,
)

async function namedLog(): Promise<{ log: ReplicatedLog; name: string }> {
  const name = `failures-${Math.random().toString(36).slice(2)}`
  return { log: await temporaryLog(cluster!, { name }), name }
}
