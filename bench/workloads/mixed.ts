import type { BenchServer } from '../bench-server.js'
import { readFilmSearches, readFilms } from '../data.js'
import { median, quantile, timed } from '../figures.js'
import { createIndex, postAll, postBodies } from '../fill.js'
import type { SearchSet, Workload } from '../workload.js'

/**
 * Searches in one index while a large batch is written into another, and into the same one. They are the same ones
 * again and again: while the other index is filled, most answers are remembered ones.
 */
export const mixed: Workload = {
  name: 'mixed',
  async run(bench) {
    const set = readFilmSearches()
    const documents = readFilms()
    const bodies = postBodies(documents)
    const { report } = bench
    await bench.withServer(async (server) => {
      const connection = server.connect()
      await createIndex(connection, set)
      await postAll(connection, set.index, bodies)
      // Two rounds to warm up, then as long as a batch takes.
      await rounds(server, set, 2)
      const quiet = await rounds(server, set, 4)
      const quietP99 = quantile(quiet, 0.99)
      report.add('remembered searches, nothing written, p50', median(quiet), 'ms')
      report.add('remembered searches, nothing written, p99', quietP99, 'ms')
      const other = { ...set, index: 'other' }
      await createIndex(connection, other)
      const busy = await during(server, set, () => postAll(connection, other.index, bodies))
      report.add('remembered searches while another index is filled, p50', median(busy), 'ms')
      report.add('remembered searches while another index is filled, p99', quantile(busy, 0.99), 'ms')
      report.add('the same as a multiple of the quiet p99', quantile(busy, 0.99) / quietP99, 'x', '3 ×')
      const changed = postBodies(documents.map((document) => ({ ...document, title: `${document.title} again` })))
      const same = await during(server, set, () => postAll(connection, set.index, changed))
      report.add('searches while this index is written again, p50', median(same), 'ms')
      report.add('searches while this index is written again, p99', quantile(same, 0.99), 'ms')
      connection.close()
    })
  },
}

async function rounds(server: BenchServer, set: SearchSet, count: number): Promise<number[]> {
  let done = 0
  return searchUntil(server, set, () => done++ >= count * set.searches.length)
}

/** Times of the searches that were sent while the work went on. */
async function during(server: BenchServer, set: SearchSet, work: () => Promise<void>): Promise<number[]> {
  let isOver = false
  const working = work().finally(() => {
    isOver = true
  })
  const times = await searchUntil(server, set, () => isOver)
  await working
  return times
}

async function searchUntil(
  server: BenchServer,
  { index, searches }: SearchSet,
  isEnd: () => boolean,
): Promise<number[]> {
  const connection = server.connect()
  const bodies = searches.map(({ body }) => JSON.stringify(body))
  const times: number[] = []
  for (let i = 0; !isEnd(); i++) {
    const body = bodies[i % bodies.length]
    times.push(await timed(() => connection.send('POST', `/indexes/${index}/search`, body)))
  }
  connection.close()
  return times
}
