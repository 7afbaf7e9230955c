import { setTimeout as pause } from 'node:timers/promises'
import { type ClusterServer, MASTER_KEY } from '../../scripts/cluster/local-cluster.js'
import type { LocalNetwork } from '../../scripts/cluster/local-network.js'
import { createIndex } from '../fill.js'
import { Connection } from '../http-client.js'
import { folderBytes, processorMs, watchMemory } from '../process-figures.js'
import type { Collection } from './collection.js'

/** Uploads that wait for the servers at a time: enough to keep them busy, and no more of the disk. */
const AHEAD = 20
/** Files that go have gone by then. */
const SETTLED_MS = 1_000

/** One server, or several that share an index. */
export interface Place {
  readonly servers: readonly ClusterServer[]
  /** Until a task is done on all of them. */
  finished(taskUid: number): Promise<void>
}

export const alone = (server: ClusterServer): Place => ({
  servers: [server],
  async finished(taskUid) {
    const { status, error } = await server.waitTask(taskUid, Number.POSITIVE_INFINITY)
    if (status !== 'succeeded') throw new Error(`task ${taskUid} ${status}: ${JSON.stringify(error)}`)
  },
})

export const together = (network: LocalNetwork): Place => ({
  servers: network.servers,
  finished: (taskUid) => network.finished(taskUid),
})

/** What it took to index a collection. */
export interface Filling {
  readonly ms: number
  /** By server. */
  readonly processorMs: readonly number[]
  readonly memoryBytes: number
  readonly diskBytes: readonly number[]
}

/** Sends the documents to the first server. */
export async function fill({ servers, finished }: Place, collection: Collection): Promise<Filling> {
  const connection = new Connection(servers[0]!.url, MASTER_KEY)
  await createIndex(connection, collection)
  const pids = servers.map(({ pid }) => pid!)
  const before = pids.map(processorMs)
  const memory = watchMemory(pids)
  const startedAt = performance.now()
  const waiting: number[] = []
  for (const body of collection.bodies()) {
    if (waiting.length === AHEAD) await finished(waiting.shift()!)
    const answer = await connection.send('POST', `/indexes/${collection.index}/documents`, body)
    waiting.push(JSON.parse(answer.toString()).taskUid)
  }
  for (const taskUid of waiting) await finished(taskUid)
  const ms = performance.now() - startedAt
  const used = pids.map((pid, i) => processorMs(pid) - before[i]!)
  connection.close()
  const memoryBytes = memory.stop()
  await pause(SETTLED_MS)
  return { ms, processorMs: used, memoryBytes, diskBytes: servers.map(({ folder }) => folderBytes(folder)) }
}
