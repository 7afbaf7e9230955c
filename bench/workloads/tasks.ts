import { setTimeout } from 'node:timers/promises'
import { withBareServer } from '../bare-server.js'
import type { BenchServer } from '../bench-server.js'
import { burst } from '../burst.js'
import { filmTarget, readFilms } from '../data.js'
import { median, quantile, timed } from '../figures.js'
import { createIndex, postAll, postBodies } from '../fill.js'
import type { Connection } from '../http-client.js'
import type { Workload } from '../workload.js'

const SMALL_POSTS = 2_000
/** Behind the first one, for which all code is cold. */
const BURSTS = 5
/** Nothing is searchable, so that this measures the way to the index and not the index. */
const settings = { searchableAttributes: [] }

/** Between two requests to /health: a busy client would take one of two cores from what it watches. */
const PAUSE_MS = 1

/** The write path: movies stored without text search, how long /health takes meanwhile, many small posts at once. */
export const tasks: Workload = {
  name: 'tasks',
  async run(bench) {
    const { report } = bench
    const bodies = postBodies(readFilms())
    await bench.withServer(async (server) => {
      const connection = server.connect()
      await createIndex(connection, { index: 'movies', primaryKey: 'id', settings })
      await postAll(connection, 'movies', bodies)
      report.add('movies stored, task time', await taskSeconds(server), 's', filmTarget('1.5 s'))
      await createIndex(connection, { index: 'watched', primaryKey: 'id', settings })
      const waits = await healthTimes(server, postAll(connection, 'watched', bodies))
      report.add('/health while they are stored again, p99', quantile(waits, 0.99), 'ms', '10 ms')
      report.add('/health while they are stored again, p50', median(waits), 'ms')
      await createIndex(connection, { index: 'small', primaryKey: 'id', settings })
      const posts = `${SMALL_POSTS} small posts at once`
      const [first, ...others] = await bursts(server, connection)
      report.add(`${posts}, the first since the start`, first! / 1000, 's')
      report.add(`${posts}, durable and answered, median of ${BURSTS}`, median(others) / 1000, 's', '1 s')
      connection.close()
      const [, ...bare] = await withBareServer((url) => bursts({ url }))
      report.add(`${posts}, a bare server, right after`, median(bare) / 1000, 's')
    })
  },
}

async function healthTimes(server: BenchServer, work: Promise<void>): Promise<number[]> {
  let isOver = false
  const watched = work.finally(() => {
    isOver = true
  })
  const connection = server.connect()
  const times: number[] = []
  while (!isOver) {
    times.push(await timed(() => connection.send('GET', '/health')))
    await setTimeout(PAUSE_MS)
  }
  await watched
  connection.close()
  return times
}

/** What the batches of documents say they took. */
async function taskSeconds(server: BenchServer): Promise<number> {
  const connection = server.connect()
  const path = '/batches?limit=100&types=documentAdditionOrUpdate'
  const { results } = await connection.json<{ results: { duration: string }[] }>('GET', path)
  connection.close()
  return results.reduce((sum, { duration }) => sum + Number(/T([\d.]+)S/.exec(duration)?.[1] ?? Number.NaN), 0)
}

/** Each when what the one before began has ended. */
async function bursts(
  { url, key }: { url: string; key?: string | undefined },
  connection?: Connection,
): Promise<number[]> {
  const bodies = Array.from({ length: SMALL_POSTS }, (_, id) => JSON.stringify([{ id, name: `document ${id}` }]))
  const times: number[] = []
  for (let i = 0; i <= BURSTS; i++) {
    times.push(await burst(url, '/indexes/small/documents', bodies, key))
    if (connection !== undefined) await untilIdle(connection)
  }
  return times
}

async function untilIdle(connection: Connection): Promise<void> {
  const path = '/tasks?limit=1&statuses=enqueued,processing'
  while ((await connection.json<{ total: number }>('GET', path)).total > 0) await setTimeout(20)
}
