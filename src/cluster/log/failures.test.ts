import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { NatsCluster, natsServerForTests } from '../nats-server/cluster.fixture.js'
import { entryOf, idsOf, report, seconds, take, temporaryLog } from './log.fixture.js'
import type { LogEntry, ReplicatedLog } from './model.js'
import { LogUnavailable } from './problems.js'

const binary = await natsServerForTests()
const cluster = binary === undefined ? undefined : await NatsCluster.start(binary)
const clusterTest = test.skipIf(cluster === undefined)

afterEach(() => cluster?.heal(), 60_000)

const WRITERS = 8

clusterTest(
  'a leader that is killed loses nothing, doubles nothing and changes no order',
  async () => {
    const { log, name } = await namedLog()
    const readers = [new Follower(log), new Follower(await temporaryLog(cluster!, { name }))]
    const writers = new Writers(log)
    await sleep(1_000)
    await cluster!.named((await log.health()).leader).signal('SIGKILL')
    await sleep(10_000)
    await writers.stop()
    report(`leader killed: ${writers.summary()}`)
    await checkHistory(log, writers, readers)
  },
  60_000,
)

clusterTest(
  'a follower that is killed, one that stands still, and a leader that is stopped gracefully are hardly noticed',
  async () => {
    const { log, name } = await namedLog()
    const readers = [new Follower(log), new Follower(await temporaryLog(cluster!, { name }))]
    const harm = async (what: string, isLeader: boolean, signal: 'SIGKILL' | 'SIGSTOP' | 'SIGTERM') => {
      const writers = new Writers(log, what)
      await sleep(1_000)
      const { leader } = await log.health()
      const victim = isLeader ? cluster!.named(leader) : cluster!.others(leader)[0]!
      await victim.signal(signal)
      await sleep(6_000)
      await writers.stop()
      report(`${what}: ${writers.summary()}`)
      await cluster!.heal()
      return writers
    }
    const all = [
      await harm('follower-killed', false, 'SIGKILL'),
      await harm('follower-stands-still', false, 'SIGSTOP'),
      await harm('leader-stopped', true, 'SIGTERM'),
    ]
    await checkHistory(log, { acknowledged: new Map(all.flatMap(({ acknowledged }) => [...acknowledged])) }, readers)
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
    expect(refusedMs).toBeLessThan(6_000)
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

/** Append as fast as they can and keep what was acknowledged. */
class Writers {
  /** Sequence by id. */
  readonly acknowledged = new Map<string, number>()
  private readonly running: Promise<unknown>
  private isStopping = false
  private lastAt = performance.now()
  private longestGapMs = 0

  constructor(
    private readonly log: ReplicatedLog,
    prefix = 'e',
  ) {
    this.running = Promise.all(Array.from({ length: WRITERS }, (_, writer) => this.write(`${prefix}-${writer}`)))
  }

  async stop(): Promise<void> {
    this.isStopping = true
    await this.running
  }

  summary(): string {
    return `${this.acknowledged.size} acknowledged, longest gap ${seconds(this.longestGapMs)}`
  }

  private async write(prefix: string): Promise<void> {
    for (let i = 0; !this.isStopping; i++) {
      const id = `${prefix}-${i}`
      this.acknowledged.set(id, await this.log.append(entryOf(id)))
      const now = performance.now()
      this.longestGapMs = Math.max(this.longestGapMs, now - this.lastAt)
      this.lastAt = now
    }
  }
}

/** Reads along from the first entry. */
class Follower {
  readonly entries: LogEntry[] = []
  private readonly stopping = new AbortController()
  private readonly running: Promise<void>

  constructor(log: ReplicatedLog) {
    this.running = this.read(log)
  }

  async stopAt(sequence: number): Promise<void> {
    const end = performance.now() + 20_000
    while (this.entries.length < sequence && performance.now() < end) await sleep(20)
    this.stopping.abort()
    await this.running
  }

  private async read(log: ReplicatedLog): Promise<void> {
    for await (const entry of log.read(1, { signal: this.stopping.signal })) this.entries.push(entry)
  }
}

async function checkHistory(
  log: ReplicatedLog,
  { acknowledged }: Pick<Writers, 'acknowledged'>,
  readers: readonly Follower[],
): Promise<void> {
  const last = await log.last()
  const started = performance.now()
  for (const reader of readers) await reader.stopAt(last)
  report(`readers were at the end after another ${seconds(performance.now() - started)}`)
  const [one, two] = readers.map(({ entries }) => entries)
  expect(one!.map(({ sequence }) => sequence)).toEqual(Array.from({ length: last }, (_, i) => i + 1))
  expect(idsOf(one!)).toEqual(idsOf(two!))
  expect(new Set(idsOf(one!)).size).toBe(last)
  const lost = [...acknowledged].filter(([id, sequence]) => one![sequence - 1]?.id !== id)
  expect(lost).toEqual([])
}
