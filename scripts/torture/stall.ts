import { TestServer } from '../../test/server.js'
import { HealthWatch, type Watched } from './health-watch.js'
import { failWith, type Part } from './part.js'
import { megabytes } from './process-facts.js'
import { type Attack, attacksOf, prepare } from './stalling-requests.js'

const HEALTH_LIMIT_MS = 100
/** On a machine that runs all tests at once. */
const LOADED_HEALTH_LIMIT_MS = 2000
const MEMORY_LIMIT_BYTES = 1e9

/** Requests that are made to hold the server thread, the search threads or all memory: `/health` answers meanwhile. */
export const stallingRequests: Part = async ({ isShort = false, progress }) => {
  const server = await TestServer.start()
  let watch: HealthWatch | undefined
  try {
    watch = new HealthWatch(server)
    await prepare(server)
    await watch.round()
    const problems: string[] = []
    const lines: string[] = []
    const limitMs = isShort ? LOADED_HEALTH_LIMIT_MS : HEALTH_LIMIT_MS
    for (const attack of attacksOf(isShort ? 0.1 : 1)) {
      const { problem, seen } = await suffer({ server, watch, limitMs }, attack)
      const line = `${attack.name}: /health within ${seen.worstMs.toFixed(0)} ms, ${megabytes(seen.peakBytes)} of memory`
      progress(line)
      lines.push(line)
      if (problem !== undefined) problems.push(`${attack.name}: ${problem}`)
    }
    const all = lines.join('\n  ')
    if (problems.length > 0) console.log(`  ${all}`)
    failWith(problems)
    return `${lines.length} attacks\n  ${all}`
  } finally {
    watch?.close()
    await server.close()
  }
}

interface Target {
  readonly server: TestServer
  readonly watch: HealthWatch
  readonly limitMs: number
}

async function suffer(
  { server, watch, limitMs }: Target,
  { name, run }: Attack,
): Promise<{ problem: string | undefined; seen: Watched }> {
  const problem = await run(server)
  if (!server.isRunning) throw new Error(`${name} ended the server: ${server.log}`)
  const seen = await watch.round()
  if (problem !== undefined) return { problem, seen }
  if (seen.worstMs > limitMs) return { problem: `/health took ${seen.worstMs.toFixed(0)} ms`, seen }
  const isLarge = seen.peakBytes > MEMORY_LIMIT_BYTES
  return { problem: isLarge ? `the server took ${megabytes(seen.peakBytes)}` : undefined, seen }
}
