import type { ClusterServer } from '../../cluster/local-cluster.js'
import { Gate } from './gate.js'
import type { History } from './history.js'
import { Observations, readBackAlong } from './observers.js'
import { COUNTERS, INDEXES } from './operations.js'
import { SearchTimes, searchAlong } from './searchers.js'
import { changeKeys, writeAlong } from './writers.js'

const WRITERS = 6
const SEARCHERS = 3
const OBSERVERS = 2

export interface LoadOptions {
  readonly servers: readonly ClusterServer[]
  readonly history: History
  readonly seed: number
}

/** Everything that clients do while the cluster is tormented. */
export class Load {
  readonly searches = new SearchTimes()
  readonly observations = new Observations()
  private readonly gate = new Gate()
  private readonly stopping = new AbortController()
  private readonly running: Promise<unknown>

  constructor({ servers, history, seed }: LoadOptions) {
    const options = { servers, history, seed, gate: this.gate, signal: this.stopping.signal }
    this.running = Promise.all([
      ...Array.from({ length: WRITERS }, (_, writer) => writeAlong(writer, options)),
      ...Array.from({ length: SEARCHERS }, (_, searcher) => searchAlong(searcher, options, this.searches)),
      ...Array.from({ length: OBSERVERS }, (_, observer) => readBackAlong(observer, options, this.observations)),
      changeKeys(options),
    ])
    // Whoever ends the load hears of it.
    this.running.catch(() => {})
  }

  /** Does something while nobody writes. Searches go on. */
  async whileQuiet<T>(work: () => Promise<T>): Promise<T> {
    await this.gate.close()
    try {
      return await work()
    } finally {
      this.gate.open()
    }
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    this.gate.open()
    await this.running
  }
}

/** Makes the indexes that writers expect. Answers the uid of the first task that comes after. */
export async function prepareIndexes(server: ClusterServer): Promise<number> {
  await server.request('PATCH', '/experimental-features', { editDocumentsByFunction: true })
  let last = -1
  for (const index of INDEXES) {
    const counters = COUNTERS.map((id) => ({ id, count: 0 }))
    await server.request('PATCH', `/indexes/${index}/settings`, {
      filterableAttributes: ['id'],
      sortableAttributes: ['id'],
    })
    const { body } = await server.request('POST', `/indexes/${index}/documents?primaryKey=id`, counters)
    last = body.taskUid
  }
  const { status } = await server.waitTask(last)
  if (status !== 'succeeded') throw new Error(`the indexes could not be made: task ${last} is ${status}`)
  return last + 1
}
