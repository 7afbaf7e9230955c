/**
 * A process that opens a log once: `open-once.fixture.ts SERVERS MONITORS NAME TIMEOUT_MS`. Prints how that ended and what is
 * still open then, and ends by itself unless something keeps it alive.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { openLog } from './open-log.js'

const [servers = '', monitors = '', name = '', timeoutMs = ''] = process.argv.slice(2)
const before = countByKind()
const outcome = await openLog({
  servers: servers.split(','),
  monitors: monitors.split(','),
  name,
  replicas: 3,
  timeoutMs: Number(timeoutMs),
}).then(
  () => 'opened',
  (error: Error) => error.name,
)
// A socket that was ended is gone a moment later.
await sleep(200)
const left = Object.entries(countByKind()).filter(([kind, count]) => count > (before[kind] ?? 0))
console.log(JSON.stringify({ outcome, left }))

function countByKind(): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}
