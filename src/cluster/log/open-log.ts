import type { LogOptions, ReplicatedLog } from './model.js'

/** Loads what opening a log takes, so that it need not be loaded when there is something else to do. */
export async function loadLog(): Promise<void> {
  await import('./jetstream-log.js')
}

/**
 * Checks that the servers sync every write, connects, and creates what is not there yet, which takes a majority of them. Keeps
 * trying for `timeoutMs`, and one attempt longer, then rejects with `LogUnavailable` and leaves nothing open: neither a socket
 * nor a timer. So whoever wants to wait longer calls it again. Rejects with `LazySync` when a server acknowledges too early,
 * which no waiting cures.
 */
export async function openLog(options: LogOptions): Promise<ReplicatedLog> {
  const { openJetStreamLog } = await import('./jetstream-log.js')
  return openJetStreamLog(options)
}
