import { median, quantile, timed } from '../figures.js'
import type { Connection } from '../http-client.js'
import { Shop } from '../synthetic.js'
import type { Workload } from '../workload.js'

const DOCUMENTS_EACH = 20
const SEARCHES = 1_000

/** Many tenants with an index of a few documents each. */
export const manyIndexes: Workload = {
  name: 'many indexes',
  async run(bench) {
    const count = bench.isShort ? 100 : 1_000
    const { report } = bench
    await bench.withServer(async (server) => {
      const connection = server.connect()
      const shop = new Shop()
      const before = server.anonymousBytes()
      const took = await timed(() => fill(connection, shop, count))
      report.add(`${count} indexes of ${DOCUMENTS_EACH} documents filled`, took / 1000, 's')
      const times: number[] = []
      for (let i = 0; i < SEARCHES; i++) {
        const body = JSON.stringify({ q: shop.word() })
        const index = `tenant-${shop.below(count)}`
        times.push(await timed(() => connection.send('POST', `/indexes/${index}/search`, body)))
      }
      report.add('search in one of them, p50', median(times), 'ms')
      report.add('search in one of them, p99', quantile(times, 0.99), 'ms')
      const after = server.anonymousBytes()
      if (before !== undefined && after !== undefined) report.add('memory more', (after - before) / 1e6, 'MB')
      const disk = await server.diskBytes()
      if (disk !== undefined) report.add('disk for each', disk / 1e6 / count, 'MB')
      connection.close()
    })
  },
}

async function fill(connection: Connection, shop: Shop, count: number): Promise<void> {
  let last = 0
  for (let i = 0; i < count; i++) {
    const articles = Array.from({ length: DOCUMENTS_EACH }, (_, id) => shop.article(id))
    const path = `/indexes/tenant-${i}/documents?primaryKey=id`
    last = (await connection.json<{ taskUid: number }>('POST', path, articles)).taskUid
  }
  await connection.finished(last, 5)
}
