import { readCities } from '../data.js'
import { median, quantile, timed } from '../figures.js'
import { createIndex, postAll, postBodies } from '../fill.js'
import { askedAgainPerSecond, firstTimesByKind, timesAskedAgain } from '../search-times.js'
import type { Workload } from '../workload.js'

/** 4,449 cities with names in many scripts and positions on the globe. */
export const cities: Workload = {
  name: 'cities',
  async run(bench) {
    const { report } = bench
    const found = readCities()
    if (found === undefined) return report.note('skipped, the cities (../shared/data) are not here')
    const { set } = found
    const bodies = postBodies(found.documents)
    await bench.withServer(async (server) => {
      const connection = server.connect()
      await createIndex(connection, set)
      report.add('indexed', (await timed(() => postAll(connection, set.index, bodies))) / 1000, 's')
      connection.close()
      const rounds = bench.isShort ? 2 : 5
      const times = await firstTimesByKind(server, set, rounds)
      const all = [...times.values()].flat()
      report.add('searches, first time, p50', median(all), 'ms')
      report.add('searches, first time, p99', quantile(all, 0.99), 'ms')
      for (const kind of ['geo-radius', 'geo-box', 'geo-sort'])
        report.add(`search, ${kind}, first time, p50`, median(times.get(kind) ?? []), 'ms')
      const again = await timesAskedAgain(server, set, rounds)
      report.add('searches asked again, answer remembered, p50', median(again), 'ms')
      report.add('searches asked again, answer remembered, p99', quantile(again, 0.99), 'ms')
      const perSecond = await askedAgainPerSecond(server, set, 16)
      report.add('searches asked again, answer remembered, 16 connections', perSecond, '/s')
    })
  },
}
