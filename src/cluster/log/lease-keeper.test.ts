import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { atEnd } from '../../store/at-end.fixture.js'
import { NatsCluster, natsServerForTests } from '../nats-server/cluster.fixture.js'
import { LeaseKeeper } from './lease-keeper.js'
import { report, seconds, temporaryLog } from './log.fixture.js'
import type { Lease } from './model.js'
import { closeSession, openSession } from './session.js'
import { ensureStreams, streamNames } from './streams.js'

// Servers that start or elect a leader may take long where tests run beside others.
vi.setConfig({ testTimeout: 90_000 })

const binary = await natsServerForTests()
const cluster = binary === undefined ? undefined : await NatsCluster.start(binary)
const clusterTest = test.skipIf(cluster === undefined)

afterEach(() => cluster?.heal(), 60_000)

clusterTest(
  'one of three members holds the lease and all know which; released, another one gets it at once',
  async () => {
    const leases = await competitors(['a', 'b', 'c'])
    const heldBy = () => leases.filter(({ isHeld }) => isHeld)
    const known = () => new Set(leases.map((lease) => lease.holder()))
    await until(() => heldBy().length === 1 && known().size === 1)
    const [held] = heldBy()
    const started = performance.now()
    await held!.release()
    expect(held!.isHeld).toBe(false)
    await until(() => leases.some(({ isHeld }) => isHeld))
    report(`released lease is held again after ${seconds(performance.now() - started)}`)
  },
)

clusterTest('changes are announced', async () => {
  const [lease] = await competitors(['a'])
  const seen: string[] = []
  const stop = lease!.onChange(() => seen.push(`${lease!.isHeld} ${lease!.holder()}`))
  await until(() => lease!.isHeld)
  await until(() => seen.length > 0)
  await lease!.release()
  stop()
  // A renewal that comes late on a busy machine is announced as well.
  expect([seen.at(0), seen.at(-1)]).toEqual(['true a', 'false undefined'])
})

clusterTest('a lease that ran out and was renewed before anybody noticed is announced again', async () => {
  const name = newName()
  const names = streamNames(name)
  const session = await openSession({ servers: cluster!.addresses, name, replicas: 3 }, new AbortController().signal)
  atEnd(() => closeSession(session))
  await ensureStreams(session, names, { replicas: 3, timeoutMs: 60_000 })
  const keeper = new LeaseKeeper({ ...session, publish }, names, 'a')
  let how: 'usual' | 'unanswered' | 'late' = 'usual'
  let sentAt = 0
  let wasHeld = true
  async function publish(...written: Parameters<typeof session.publish>) {
    if (how === 'unanswered') {
      how = 'late'
      await sleep(1_000)
      throw new Error('no answer')
    }
    if (how === 'usual') sentAt = performance.now()
    const sequence = await session.publish(...written)
    if (how === 'usual') return sequence
    // The thread is busy until the lease has run out, and this is what it does next.
    while (performance.now() < sentAt + 2_010) {}
    wasHeld = keeper.isHeld
    how = 'usual'
    return sequence
  }
  let announced = 0
  keeper.onChange(() => announced++)
  await until(() => keeper.isHeld && announced > 0)
  announced = 0
  how = 'unanswered'
  await until(() => how === 'usual' && keeper.isHeld)
  await until(() => announced > 0)
  expect(wasHeld).toBe(false)
  await keeper.release()
})

clusterTest(
  'the lease moves when its holder stands still, and the holder knows when it goes on',
  async () => {
    const name = newName()
    const holder = new HolderProcess(name, 'stopped')
    await until(() => holder.isHeld)
    const lease = (await temporaryLog(cluster!, { name })).lease('other')
    await until(() => lease.holder() === 'stopped')
    holder.signal('SIGSTOP')
    const started = performance.now()
    await until(() => lease.isHeld)
    report(`lease moved ${seconds(performance.now() - started)} after its holder was stopped`)
    const takenAt = Date.now()
    holder.signal('SIGCONT')
    let heldUntil = takenAt
    for (const end = takenAt + 2_000; lease.isHeld && heldUntil < end; await sleep(5)) heldUntil = Date.now()
    expect(holder.heldBetween(takenAt, heldUntil)).toEqual([])
  },
  60_000,
)

clusterTest(
  'two never hold it at once, whatever happens to the servers',
  async () => {
    const leases = await competitors(['a', 'b', 'c'])
    await until(() => leases.some(({ isHeld }) => isHeld))
    let isOver = false
    let most = 0
    const watching = (async () => {
      for (; !isOver; await sleep(2)) most = Math.max(most, leases.filter(({ isHeld }) => isHeld).length)
    })()
    const gaps: number[] = []
    for (const server of cluster!.servers) {
      await server.signal('SIGKILL')
      const started = performance.now()
      await sleep(2_500)
      await until(() => leases.some(({ isHeld }) => isHeld))
      gaps.push(performance.now() - started)
      await cluster!.heal()
    }
    isOver = true
    await watching
    expect(most).toBe(1)
    report(`lease held again at the latest ${gaps.map(seconds).join(', ')} after a server was killed`)
  },
  90_000,
)

const newName = () => `lease-${Math.random().toString(36).slice(2)}`

async function competitors(members: readonly string[]): Promise<Lease[]> {
  const name = newName()
  const leases: Lease[] = []
  for (const member of members) leases.push((await temporaryLog(cluster!, { name })).lease(member))
  return leases
}

async function until(isTrue: () => boolean, timeoutMs = 25_000): Promise<void> {
  const end = performance.now() + timeoutMs
  while (!isTrue()) {
    if (performance.now() > end) throw new Error(`not true after ${timeoutMs} ms: ${isTrue}`)
    await sleep(5)
  }
}

class HolderProcess {
  private readonly child: ChildProcess
  private readonly lines: { readonly at: number; readonly isHeld: boolean }[] = []

  constructor(name: string, member: string) {
    const script = join(import.meta.dirname, 'lease-holder.fixture.ts')
    const args = ['--import', 'tsx', script, cluster!.addresses.join(','), name, member]
    this.child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    atEnd(() => this.signal('SIGKILL'))
    createInterface({ input: this.child.stdout! }).on('line', (line) => {
      const [at, isHeld] = line.split(' ')
      this.lines.push({ at: Number(at), isHeld: isHeld === 'true' })
    })
  }

  get isHeld(): boolean {
    return this.lines.at(-1)?.isHeld ?? false
  }

  /** When it believed to hold the lease, within a span of time. */
  heldBetween(from: number, to: number): number[] {
    return this.lines.filter(({ at, isHeld }) => isHeld && at >= from && at <= to).map(({ at }) => at)
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal)
  }
}
