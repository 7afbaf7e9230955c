/**
 * Three Findlings on this machine with the example films, to see what happens when one of them dies.
 *
 *   npm run cluster-demo                    three nats-servers too; every Findling has all films
 *   npm run cluster-demo -- --shards 3      three shards, each on two of the Findlings
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
import { type Demo, replicated, sharded } from './cluster/demos.js'
import { Guard } from './cluster/guard.js'
import { MASTER_KEY } from './cluster/local-cluster.js'

const LOOK_EVERY_MS = 500
/** Long enough to see that the others go on without it. */
const START_AGAIN_MS = 15_000

const { values: flags } = parseArgs({ options: { seconds: { type: 'string' }, shards: { type: 'string' } } })
const seconds = Number(flags.seconds ?? Number.POSITIVE_INFINITY)

const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ending.abort())

const folder = mkdtempSync(join(tmpdir(), 'findling-cluster-'))
try {
  await show(await (flags.shards === undefined ? replicated(folder) : sharded(folder, Number(flags.shards))))
} catch (error) {
  if (!(error instanceof NatsServerMissing)) throw error
  console.error(error.message)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function show(demo: Demo): Promise<void> {
  try {
    // Ctrl-C reaches all of them at once, also while they start.
    await start(demo).catch(ignoreEnding)
    await Promise.all([watch(demo), loadFilms(demo)])
  } finally {
    console.log('\nEnding all of them')
    await demo.site.stop()
  }
}

async function start(demo: Demo): Promise<void> {
  console.log(`Starting ${demo.what}`)
  await demo.site.start()
  console.log(`\n${addresses(demo)}\n`)
}

function addresses({ site: { servers, nats }, advice }: Demo): string {
  return [
    ...servers.map(({ name, url, pid }) => `${name}  ${url}  kill -9 ${pid}`),
    ...nats.map(({ name, address, pid }) => `${name}      nats://${address}   kill -9 ${pid}`),
    '',
    `The master key is "${MASTER_KEY}". ${advice.writes}`,
    `Kill one and look: ${advice.kill}, and it is started again after ${START_AGAIN_MS / 1000} seconds. Ctrl-C ends the demo.`,
    `Also: ${advice.also}`,
  ].join('\n')
}

/** As `npm run example` does, with one of the servers. */
async function loadFilms({ site: { servers } }: Demo): Promise<void> {
  const script = join(import.meta.dirname, 'example.ts')
  const argv = ['--import', 'tsx', script, '--url', servers[0]!.url, '--key', MASTER_KEY]
  const loading = spawn(process.execPath, argv, { stdio: ['ignore', 'inherit', 'inherit'], signal: ending.signal })
  await once(loading, 'exit').catch(ignoreEnding)
}

/** Prints the servers whenever something about them has changed. */
async function watch({ site, look }: Demo): Promise<void> {
  const end = performance.now() + seconds * 1000
  const guard = new Guard(site, START_AGAIN_MS)
  let shown = ''
  while (!ending.signal.aborted && performance.now() < end) {
    const { text, news = text } = await look()
    if (news !== shown) console.log(`${new Date().toLocaleTimeString('en-GB')}  ${text}`)
    shown = news
    await guard.startAgain()
    await sleep(LOOK_EVERY_MS, undefined, { signal: ending.signal }).catch(ignoreEnding)
  }
}

function ignoreEnding(error: unknown): void {
  if (!ending.signal.aborted) throw error
}
