import type { Connection } from './http-client.js'
import type { Document, SearchSet } from './workload.js'

const POST_SIZE = 10_000

interface Accepted {
  readonly taskUid: number
}

/** An empty index with the settings of a set. */
export async function createIndex(
  connection: Connection,
  { index, primaryKey, settings }: Pick<SearchSet, 'index' | 'primaryKey' | 'settings'>,
): Promise<void> {
  const created = await connection.json<Accepted>('POST', '/indexes', { uid: index, primaryKey })
  const changed = await connection.json<Accepted>('PATCH', `/indexes/${index}/settings`, settings)
  for (const { taskUid } of [created, changed]) await connection.finished(taskUid)
}

/** Bodies of ten thousand documents, made before the clock runs. As bytes: to encode them holds the client up. */
export function postBodies(documents: readonly Document[], size = POST_SIZE): readonly Buffer[] {
  return Array.from({ length: Math.ceil(documents.length / size) }, (_, i) =>
    Buffer.from(JSON.stringify(documents.slice(i * size, (i + 1) * size))),
  )
}

/** Sends all without waiting in between, then waits for all. */
export async function postAll(connection: Connection, index: string, bodies: readonly Buffer[]): Promise<void> {
  const tasks: number[] = []
  for (const body of bodies) {
    const answer = await connection.send('POST', `/indexes/${index}/documents`, body)
    tasks.push((JSON.parse(answer.toString()) as Accepted).taskUid)
  }
  for (const taskUid of tasks) await connection.finished(taskUid, 10)
}

/** From the request to succeeded. */
export async function timeTask(connection: Connection, start: () => Promise<Accepted>): Promise<number> {
  const started = performance.now()
  const { taskUid } = await start()
  await connection.finished(taskUid, 0)
  return performance.now() - started
}
