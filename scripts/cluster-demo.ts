/**
 * Three nats-servers and three Findlings on this machine, with the example films, to see what happens when one of them dies.
 *
 *   npm run cluster-demo
 *   npm run cluster-demo -- --seconds 60
 *
 * Ends with Ctrl-C, or after so many seconds, and leaves nothing behind.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { NatsServerMissing } from '../src/cluster/index.js'
import { clusterText } from '../src/commands/index.js'
import type { ClusterView } from '../src/server/index.js'
import { Guard } from './cluster/guard.js'
import { LocalCluster, MASTER_KEY } from './cluster/local-cluster.js'

const LOOK_EVERY_MS = 500
/** Long enough to see that the others go on without it. */
const START_AGAIN_MS = 15_000

const { values: flags } = parseArgs({ options: { seconds: { type: 'string' } } })
const seconds = Number(flags.seconds ?? Number.POSITIVE_INFINITY)

const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ending.abort())

const folder = mkdtempSync(join(tmpdir(), 'findling-cluster-'))
try {
  await show()
} catch (error) {
  if (!(error instanceof NatsServerMissing)) throw error
  console.error(error.message)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function show(): Promise<void> {
  const cluster = await LocalCluster.prepare({ folder })
  try {
    // Ctrl-C reaches all of them at once, also while they start.
    await start(cluster).catch(ignoreEnding)
    await Promise.all([watch(cluster), loadFilms(cluster)])
  } finally {
    console.log('\nEnding all of them')
    await cluster.stop()
  }
}

async function start(cluster: LocalCluster): Promise<void> {
  console.log('Starting three nats-servers and three Findlings')
  await cluster.start()
  console.log(`\n${addresses(cluster)}\n`)
}

function addresses({ servers, nats }: LocalCluster): string {
  const [first] = servers
  return [
    ...servers.map(({ name, url, pid }) => `${name}  ${url}  kill -9 ${pid}`),
    ...nats.map(({ name, address, pid }) => `${name}      nats://${address}   kill -9 ${pid}`),
    '',
    `The master key is "${MASTER_KEY}". All of them take reads and writes.`,
    `Kill one and look: searches and writes go on, and it is started again after ${START_AGAIN_MS / 1000} seconds. Ctrl-C ends the demo.`,
    `Also: npx findling cluster status --url ${first!.url} --api-key '${MASTER_KEY}'`,
  ].join('\n')
}

/** As `npm run example` does, with one of the servers. */
async function loadFilms({ servers }: LocalCluster): Promise<void> {
  const script = join(import.meta.dirname, 'example.ts')
  const argv = ['--import', 'tsx', script, '--url', servers[0]!.url, '--key', MASTER_KEY]
  const loading = spawn(process.execPath, argv, { stdio: ['ignore', 'inherit', 'inherit'], signal: ending.signal })
  await once(loading, 'exit').catch(ignoreEnding)
}

/** Prints the members whenever something about them has changed. */
async function watch(cluster: LocalCluster): Promise<void> {
  const end = performance.now() + seconds * 1000
  const guard = new Guard(cluster, START_AGAIN_MS)
  let shown = ''
  while (!ending.signal.aborted && performance.now() < end) {
    const view = await viewOf(cluster)
    const text = view === undefined ? 'No Findling answers\n' : clusterText(view)
    const facts = view === undefined ? text : clusterText(withoutSilence(view))
    if (facts !== shown) console.log(`${new Date().toLocaleTimeString('en-GB')}  ${text}`)
    shown = facts
    await guard.startAgain()
    await sleep(LOOK_EVERY_MS, undefined, { signal: ending.signal }).catch(ignoreEnding)
  }
}

/** How long a member is silent changes all the time, and is no news. */
function withoutSilence(view: ClusterView): ClusterView {
  return { ...view, members: view.members.map((member) => ({ ...member, silentMs: 0 })) }
}

/** As the first that answers sees it. */
async function viewOf({ servers }: LocalCluster): Promise<ClusterView | undefined> {
  for (const server of servers) {
    const answer = await server.request('GET', '/cluster', undefined, 2_000).catch(() => undefined)
    if (answer?.status === 200) return answer.body
  }
  return undefined
}

function ignoreEnding(error: unknown): void {
  if (!ending.signal.aborted) throw error
}
