import { LazySync } from './problems.js'

const ANSWER_MS = 3_000

/** What the monitoring port of a nats-server says, as far as it matters here. */
interface Varz {
  readonly server_name?: string
  readonly jetstream?: { readonly config?: { readonly sync_always?: boolean } }
}

/**
 * Throws `LazySync` unless the servers sync every write before they acknowledge it. Only the monitoring port says so. A server
 * that does not answer is down or on its way up and stores nothing now; one at least has to answer.
 */
export async function requireSync(monitors: readonly string[]): Promise<void> {
  const answers = await Promise.all(monitors.map(askMonitor))
  const known = answers.filter((answer) => answer !== undefined)
  if (known.length === 0) {
    throw new LazySync(
      'No nats-server could be asked whether it syncs every write: give the address of their monitoring ports, or allow lazy sync.',
    )
  }
  const lazy = known.filter(({ jetstream }) => jetstream?.config?.sync_always !== true)
  if (lazy.length > 0) {
    const names = lazy.map(({ server_name }) => server_name ?? 'without a name').join(', ')
    throw new LazySync(
      `nats-server ${names} acknowledges writes before they are on disk: set "sync_interval: always" in its jetstream block, or allow lazy sync.`,
    )
  }
}

async function askMonitor(address: string): Promise<Varz | undefined> {
  try {
    const answer = await fetch(new URL('/varz', address), { signal: AbortSignal.timeout(ANSWER_MS) })
    return answer.ok ? ((await answer.json()) as Varz) : undefined
  } catch {
    return undefined
  }
}
