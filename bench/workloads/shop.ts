import { median, quantile, timed } from '../figures.js'
import { createIndex, postAll, postBodies } from '../fill.js'
import { ARTICLE_SETTINGS, Shop } from '../synthetic.js'
import type { Document, Workload } from '../workload.js'

const SEARCHES = 300

/** The page of a shop: words, a few filters, and the counts of all facets beside the hits. */
export const shop: Workload = {
  name: 'shop',
  async run(bench) {
    const count = bench.isShort ? 10_000 : 100_000
    const goods = new Shop(3)
    const { report } = bench
    await bench.withServer(async (server) => {
      const connection = server.connect()
      await createIndex(connection, { index: 'shop', primaryKey: 'id', settings: ARTICLE_SETTINGS })
      const articles = Array.from({ length: count }, (_, id) => goods.article(id) as unknown as Document)
      const bodies = postBodies(articles)
      report.add(`${count} articles indexed`, (await timed(() => postAll(connection, 'shop', bodies))) / 1000, 's')
      const times: number[] = []
      for (let i = 0; i < SEARCHES; i++) {
        const body = JSON.stringify(pageOf(goods))
        times.push(await timed(() => connection.send('POST', '/indexes/shop/search', body)))
      }
      report.add('page with facets, p50', median(times), 'ms')
      report.add('page with facets, p99', quantile(times, 0.99), 'ms')
      connection.close()
    })
  },
}

function pageOf(goods: Shop): object {
  const filters = ['inStock = true', `price < ${50 + goods.below(900)}`, `categories = ${goods.category()}`]
  return {
    q: goods.below(3) === 0 ? '' : goods.typicalWord(),
    filter: filters.slice(0, goods.below(filters.length + 1)),
    facets: ['brand', 'categories', 'price', 'rating', 'inStock'],
    sort: goods.below(2) ? ['price:asc'] : [],
  }
}
