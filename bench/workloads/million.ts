import type { BenchServer } from '../bench-server.js'
import { median, quantile, timed } from '../figures.js'
import { createIndex, postAll, postBodies, timeTask } from '../fill.js'
import type { Connection } from '../http-client.js'
import type { Report } from '../report.js'
import { ARTICLE_SETTINGS, Shop } from '../synthetic.js'
import type { Document, Workload } from '../workload.js'

const PARTS = 10
const SINGLE_CHANGES = 20
const SEARCHES_OF_A_KIND = 100

/** How the server keeps its speed in a large index: made articles in equal parts, single changes, searches by kind. */
export const million: Workload = {
  name: 'million',
  async run(bench) {
    const total = bench.isShort ? 50_000 : 1_000_000
    await bench.withServer(async (server) => {
      const run = new MillionRun(server, bench.report, total)
      await run.index()
      await run.search()
      run.close()
    })
  },
}

class MillionRun {
  private readonly shop = new Shop()
  private readonly connection: Connection

  constructor(
    private readonly server: BenchServer,
    private readonly report: Report,
    private readonly total: number,
  ) {
    this.connection = server.connect()
  }

  async index(): Promise<void> {
    const { connection, report, server } = this
    await createIndex(connection, { index: 'shop', primaryKey: 'id', settings: ARTICLE_SETTINGS })
    const small = await this.addOneByOne(1_400_000_000)
    const memory = server.watchMemory()
    const speeds: number[] = []
    for (let part = 0; part < PARTS; part++) speeds.push(await this.addPart(part))
    const [first, last] = [speeds[0]!, speeds.at(-1)!]
    report.add(`${this.total} articles, first tenth`, first, '/s')
    report.add(`${this.total} articles, last tenth`, last, '/s')
    report.add('last tenth, as a share of the first', last / first, 'share', '0.6 +')
    const peak = memory.stop()
    if (peak !== undefined) report.add('memory while indexing', peak / 1e6, 'MB')
    const disk = await server.diskBytes()
    if (disk !== undefined) report.add('disk', disk / 1e6, 'MB')
    const full = await this.addOneByOne(1_900_000_000)
    report.add('one document added to the empty index, median', small, 'ms')
    report.add('one document added to the full index, median', full, 'ms')
    report.add('the latter as a multiple of the former', full / small, 'x', '3 ×')
  }

  /** Documents a second. */
  private async addPart(part: number): Promise<number> {
    const size = Math.floor(this.total / PARTS)
    const articles = Array.from({ length: size }, (_, i) => this.shop.article(part * size + i) as unknown as Document)
    const bodies = postBodies(articles)
    const took = await timed(() => postAll(this.connection, 'shop', bodies))
    this.report.note(`part ${part + 1} of ${PARTS}: ${Math.round(size / (took / 1000))} documents a second`)
    return size / (took / 1000)
  }

  private async addOneByOne(firstId: number): Promise<number> {
    const { connection, shop } = this
    const times: number[] = []
    for (let i = 0; i < SINGLE_CHANGES; i++) {
      const article = shop.article(firstId + i)
      times.push(await timeTask(connection, () => connection.json('POST', '/indexes/shop/documents', [article])))
    }
    return median(times)
  }

  async search(): Promise<void> {
    const all: number[] = []
    // The first round is not counted: code is cold. No query is asked twice.
    for (const round of [0, 1]) {
      for (const [name, query] of kinds(this.shop)) {
        const times = await this.searchTimes(query)
        if (round === 0) continue
        all.push(...times)
        this.report.add(`search, ${name}, p50`, median(times), 'ms', name === 'two words' ? '5 ms' : undefined)
        this.report.add(`search, ${name}, p99`, quantile(times, 0.99), 'ms', '50 ms')
      }
    }
    this.report.add('searches of all kinds, p50', median(all), 'ms')
    this.report.add('searches of all kinds, p99', quantile(all, 0.99), 'ms', '50 ms')
  }

  private async searchTimes(query: () => object): Promise<number[]> {
    const times: number[] = []
    for (let i = 0; i < SEARCHES_OF_A_KIND; i++) {
      const body = JSON.stringify(query())
      times.push(await timed(() => this.connection.send('POST', '/indexes/shop/search', body)))
    }
    return times
  }

  close(): void {
    this.connection.close()
  }
}

type Kind = readonly [name: string, query: () => object]

function kinds(shop: Shop): readonly Kind[] {
  const two = () => `${shop.typicalWord()} ${shop.typicalWord()}`
  return [
    ['one word', () => ({ q: shop.typicalWord() })],
    ['two words', () => ({ q: two() })],
    ['three words', () => ({ q: `${two()} ${shop.typicalWord()}` })],
    ['frequent words', () => ({ q: `${shop.word()} ${shop.word()}` })],
    ['prefix of a word', () => ({ q: shop.typicalWord().slice(0, 1 + shop.below(4)) })],
    ['typo', () => ({ q: withTypo(shop) })],
    ['phrase', () => ({ q: `"${two()}"` })],
    ['filter', () => ({ q: two(), filter: `price < ${shop.below(900)} AND inStock = true` })],
    ['sort', () => ({ q: shop.typicalWord(), sort: ['price:asc'] })],
    ['sort everything', () => ({ sort: [`price:${shop.below(2) ? 'asc' : 'desc'}`], offset: shop.below(100) })],
    ['facets', () => ({ q: shop.typicalWord(), facets: ['brand', 'categories', 'rating'] })],
    ['facets of everything', () => ({ facets: ['categories'], filter: `price > ${shop.below(500)}` })],
  ]
}

function withTypo(shop: Shop): string {
  const word = shop.typicalWord()
  const at = 1 + shop.below(word.length - 1)
  return `${word.slice(0, at)}w${word.slice(at + 1)}`
}
