import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { NatsCluster, natsServerForTests } from '../nats-server/cluster.fixture.js'
import { entryOf, report, seconds, temporaryLog } from './log.fixture.js'
import type { ReplicatedLog } from './model.js'
import { LogUnavailable } from './problems.js'

const binary = await natsServerForTests()
const TIMEOUT_MS = 1_500

test.skipIf(binary === undefined)(
  'without a majority opening fails and leaves nothing open; tried again, it works as soon as there is one',
  async () => {
    const cluster = await NatsCluster.start(binary!)
    const [first, ...others] = cluster.servers
    for (const server of others) await server.signal('SIGKILL')
    expect(await openOnce(cluster)).toEqual({ outcome: 'LogUnavailable', left: [] })
    await first!.signal('SIGKILL')
    expect(await openOnce(cluster)).toEqual({ outcome: 'LogUnavailable', left: [] })
    const opening = openAgainAndAgain(cluster)
    await cluster.heal()
    const { log, refusals } = await opening
    expect(await log.append(entryOf('a'))).toBe(1)
    report(`opened after ${refusals} refusals`)
  },
  120_000,
)

/** In a process of its own, which has to end by itself. */
async function openOnce(cluster: NatsCluster): Promise<unknown> {
  const script = join(import.meta.dirname, 'open-once.fixture.ts')
  const { addresses, monitors } = cluster
  const args = ['--import', 'tsx', script, addresses.join(','), monitors.join(','), 'majority', `${TIMEOUT_MS}`]
  const started = performance.now()
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 })
  report(`refused, and its process ended, after ${seconds(performance.now() - started)}`)
  return JSON.parse(stdout)
}

async function openAgainAndAgain(cluster: NatsCluster): Promise<{ log: ReplicatedLog; refusals: number }> {
  for (let refusals = 0; ; refusals++) {
    try {
      return { log: await temporaryLog(cluster, { name: 'majority', timeoutMs: TIMEOUT_MS }), refusals }
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error
    }
  }
}
