import { setTimeout as sleep } from 'node:timers/promises'
import type { ClusterServer } from '../../cluster/local-cluster.js'
import { Choice } from './choice.js'
import { INDEXES } from './operations.js'
import type { ClientOptions } from './writers.js'

/** A client gives up on a server that stands still after this. */
const SEARCH_TIMEOUT_MS = 1_000
const PAUSE_MS = 20

/** When searches were answered, at the first server or at the second. */
export class SearchTimes {
  readonly answeredAt: number[] = []
  /** Neither server answered. */
  readonly failedAt: number[] = []
  retried = 0
}

/** A client that searches, each time at another server, and asks one more if that fails. */
export async function searchAlong(
  searcher: number,
  { servers, history, signal }: Omit<ClientOptions, 'gate' | 'seed'>,
  times: SearchTimes,
): Promise<void> {
  const choice = new Choice(servers, searcher)
  while (!signal.aborted) {
    const first = await failureOf(choice.server)
    choice.next()
    const second = first && (await failureOf(choice.server))
    if (first !== undefined) times.retried++
    if (second === undefined) times.answeredAt.push(performance.now())
    else {
      times.failedAt.push(performance.now())
      history.note({ searchFailed: [first, second] })
    }
    await sleep(PAUSE_MS)
  }
}

/** Undefined when it was answered. */
async function failureOf(server: ClusterServer): Promise<string | undefined> {
  const body = { q: 'written', limit: 1 }
  try {
    const path = `/indexes/${INDEXES[0]}/search`
    const { status } = await server.request('POST', path, body, SEARCH_TIMEOUT_MS)
    return status === 200 ? undefined : `${server.name}: ${status}`
  } catch (error) {
    return `${server.name}: ${error}`
  }
}
