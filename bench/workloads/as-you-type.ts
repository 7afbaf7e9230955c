import { readFilmSearches, readFilms } from '../data.js'
import { median, quantile, timed } from '../figures.js'
import { createIndex, postAll, postBodies } from '../fill.js'
import type { Workload } from '../workload.js'

const QUERIES = 200

/** Each prefix of two hundred queries, letter by letter, as a search box sends them. */
export const asYouType: Workload = {
  name: 'as you type',
  async run(bench) {
    const set = readFilmSearches()
    const { report } = bench
    const prefixes = typed(set.searches.flatMap(({ body }) => (body as { q?: string }).q || []))
    await bench.withServer(async (server) => {
      const connection = server.connect()
      await createIndex(connection, set)
      await postAll(connection, set.index, postBodies(readFilms()))
      for (const round of ['first time', 'again']) {
        const times: number[] = []
        for (const q of prefixes) {
          const body = JSON.stringify({ q, limit: 10, attributesToHighlight: ['title'] })
          times.push(await timed(() => connection.send('POST', `/indexes/${set.index}/search`, body)))
        }
        report.add(`each letter, ${round}, p50`, median(times), 'ms')
        report.add(`each letter, ${round}, p99`, quantile(times, 0.99), 'ms')
      }
      connection.close()
    })
  },
}

function typed(queries: readonly string[]): readonly string[] {
  return [...new Set(queries)].slice(0, QUERIES).flatMap((q) => {
    const letters = Array.from(q)
    return letters.map((_, i) => letters.slice(0, i + 1).join(''))
  })
}
