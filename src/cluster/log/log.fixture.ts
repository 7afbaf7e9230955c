import { atEnd } from '../../store/at-end.fixture.js'
import type { NatsCluster } from '../nats-server/cluster.fixture.js'
import type { LogEntry, LogOptions, ReadOptions, ReplicatedLog } from './model.js'
import { openLog } from './open-log.js'

let opened = 0

/** A log with a name of its own on the cluster, closed with the tests of the file. */
export async function temporaryLog(cluster: NatsCluster, options: Partial<LogOptions> = {}): Promise<ReplicatedLog> {
  const log = await openLog({
    servers: cluster.addresses,
    monitors: cluster.monitors,
    name: `test-${++opened}`,
    replicas: cluster.servers.length,
    // Elections take long where tests run beside others.
    timeoutMs: 60_000,
    ...options,
  })
  atEnd(() => log.close())
  return log
}

export const entryOf = (id: string, body = `body of ${id}`) => ({ id, kind: 'task', body: Buffer.from(body) })

/** So many entries from a sequence on. */
export async function take(
  log: ReplicatedLog,
  from: number,
  count: number,
  options: Partial<ReadOptions> = {},
): Promise<LogEntry[]> {
  const entries: LogEntry[] = []
  const stop = new AbortController()
  for await (const entry of log.read(from, { signal: stop.signal, ...options })) {
    entries.push(entry)
    if (entries.length >= count) break
  }
  stop.abort()
  return entries
}

export const idsOf = (entries: readonly LogEntry[]): string[] => entries.map(({ id }) => id)

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`

/** Figures of a run, for whoever reads the output. */
export function report(text: string): void {
  process.stderr.write(`  ${text}\n`)
}
