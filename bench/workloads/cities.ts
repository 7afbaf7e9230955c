import { median, quantile, timed } from '../figures.js'
import { createIndex, postAll, postBodies } from '../fill.js'
import { searchesPerSecond, timesByKind } from '../search-times.js'
import { readDocuments, readSearches, type Workload } from '../workload.js'

/** 4,449 cities with names in many scripts and positions on the globe. */
export const cities: Workload = {
  name: 'cities',
  async run(bench) {
    const set = readSearches('cities')
    const bodies = postBodies(readDocuments('world-cities'))
    const { report } = bench
    await bench.withServer(async (server) => {
      const connection = server.connect()
      await createIndex(connection, set)
      report.add('indexed', (await timed(() => postAll(connection, set.index, bodies))) / 1000, 's')
      connection.close()
      const times = await timesByKind(server, set, bench.isShort ? 2 : 5)
      for (const kind of ['geo-radius', 'geo-box', 'geo-sort'])
        report.add(`search, ${kind}, p50`, median(times.get(kind) ?? []), 'ms')
      const all = [...times.values()].flat()
      report.add('searches, one connection, p50', median(all), 'ms')
      report.add('searches, one connection, p99', quantile(all, 0.99), 'ms')
      report.add('searches, 16 connections', await searchesPerSecond(server, set, 16), '/s')
    })
  },
}
