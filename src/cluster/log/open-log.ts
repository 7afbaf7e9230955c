import type { LogOptions, ReplicatedLog } from './model.js'

/**
 * Connects, checks that the servers sync every write, and creates what is not there yet. Rejects with `LazySync`, or with
 * `LogUnavailable` when there is no majority in time.
 */
export async function openLog(options: LogOptions): Promise<ReplicatedLog> {
  const { openJetStreamLog } = await import('./jetstream-log.js')
  return openJetStreamLog(options)
}
