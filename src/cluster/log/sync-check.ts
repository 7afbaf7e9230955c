import { askMonitor } from '../monitor/ask-monitor.js'
import type { LogTls } from './model.js'
import { LazySync, LogUnavailable } from './problems.js'

const ANSWER_MS = 3_000

/** What the monitoring port of a nats-server says, as far as it matters here. */
interface Varz {
  readonly server_name?: string
  readonly jetstream?: { readonly config?: { readonly sync_always?: boolean } }
}

/**
 * Throws `LazySync` unless the servers sync every write before they acknowledge it. Only the monitoring port says so. A server
 * that does not answer is down or on its way up and stores nothing now; one at least has to answer, or it is `LogUnavailable`.
 */
export async function requireSync(monitors: readonly string[], tls: LogTls | undefined): Promise<void> {
  if (monitors.length === 0) {
    throw new LazySync(
      'Nobody can tell whether the nats-servers sync every write: give the addresses of their monitoring ports, or allow lazy sync.',
    )
  }
  const answers = await Promise.all(monitors.map((address) => askServer(address, tls)))
  const known = answers.filter((answer) => answer !== undefined)
  if (known.length === 0) throw new LogUnavailable('no monitoring port of its servers answers')
  const lazy = known.filter(({ jetstream }) => jetstream?.config?.sync_always !== true)
  if (lazy.length > 0) {
    const names = lazy.map(({ server_name }) => server_name ?? 'without a name').join(', ')
    throw new LazySync(
      `nats-server ${names} acknowledges writes before they are on disk: set "sync_interval: always" in its jetstream block, or allow lazy sync.`,
    )
  }
}

async function askServer(address: string, tls: LogTls | undefined): Promise<Varz | undefined> {
  const answer = await askMonitor(`${address}/varz`, { timeoutMs: ANSWER_MS, tls })
  return answer?.status === 200 ? (JSON.parse(answer.body) as Varz) : undefined
}
