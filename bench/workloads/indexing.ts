import type { BenchServer } from './bench-server.js'
import { megabytes, ms, quantile, seconds } from './figures.js'
import type { Connection } from './http-client.js'
import type { SearchSet } from './searching.js'

const POST_SIZE = 10_000

type Document = Record<string, unknown>

/** From the first POST to the last task succeeded: posts of ten thousand, without waiting in between. */
export async function indexMovies(server: BenchServer, set: SearchSet, documents: readonly object[]): Promise<void> {
  const connection = server.connect()
  const { index, primaryKey, settings } = set
  const created = await connection.json<{ taskUid: number }>('POST', '/indexes', { uid: index, primaryKey })
  const changed = await connection.json<{ taskUid: number }>('PATCH', `/indexes/${index}/settings`, settings)
  for (const { taskUid } of [created, changed]) await connection.finished(taskUid)
  const bodies = Array.from({ length: Math.ceil(documents.length / POST_SIZE) }, (_, i) =>
    JSON.stringify(documents.slice(i * POST_SIZE, (i + 1) * POST_SIZE)),
  )
  const watch = watchMemory(server)
  const started = performance.now()
  const tasks: number[] = []
  for (const body of bodies) {
    const answer = await connection.send('POST', `/indexes/${index}/documents`, body)
    tasks.push((JSON.parse(answer.toString()) as { taskUid: number }).taskUid)
  }
  const answered = performance.now() - started
  for (const taskUid of tasks) await connection.finished(taskUid, 10)
  const took = performance.now() - started
  const peak = watch.stop()
  connection.close()
  console.log(
    `indexing: ${documents.length} documents in ${seconds(took)} (answered after ${seconds(answered)}), ${Math.round(documents.length / (took / 1000))} a second`,
  )
  if (peak !== undefined) console.log(`memory: at most ${megabytes(peak)} of its own while indexing`)
  const disk = server.diskBytes()
  if (disk !== undefined) console.log(`disk: ${megabytes(disk)}`)
}

/** The largest memory that was seen, looked at every few milliseconds. */
function watchMemory(server: BenchServer): { stop(): number | undefined } {
  let peak = server.anonymousBytes()?.now
  const timer = setInterval(() => {
    const now = server.anonymousBytes()?.now
    if (now !== undefined) peak = Math.max(peak ?? 0, now)
  }, 20)
  return {
    stop() {
      clearInterval(timer)
      return peak
    },
  }
}

/** One document added, changed and removed at a time, in the full index: from the request to succeeded. */
export async function smallChanges(server: BenchServer, set: SearchSet, documents: readonly object[]): Promise<void> {
  const connection = server.connect()
  const path = `/indexes/${set.index}/documents`
  const sample = documents.filter((_, i) => i % 700 === 0).slice(0, 40) as Document[]
  const newId = (i: number) => 90_000_000 + i
  const kinds: Record<string, (document: Document, i: number) => Promise<{ taskUid: number }>> = {
    added: (document, i) => connection.json('POST', path, [{ ...document, [set.primaryKey]: newId(i) }]),
    changed: (document) => connection.json('PUT', path, [{ [set.primaryKey]: document[set.primaryKey], year: 1999 }]),
    removed: (_, i) => connection.json('DELETE', `${path}/${newId(i)}`),
  }
  for (const [name, change] of Object.entries(kinds)) {
    const times: number[] = []
    for (const [i, document] of sample.entries()) times.push(await timeTask(connection, () => change(document, i)))
    console.log(`one document ${name}: median ${ms(quantile(times, 0.5))}, p90 ${ms(quantile(times, 0.9))}`)
  }
  connection.close()
}

async function timeTask(connection: Connection, start: () => Promise<{ taskUid: number }>): Promise<number> {
  const started = performance.now()
  const { taskUid } = await start()
  await connection.finished(taskUid, 0)
  return performance.now() - started
}
