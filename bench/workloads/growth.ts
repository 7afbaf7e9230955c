import type { BenchServer } from '../bench-server.js'
import { filmTarget, readFilmSearches, readFilms } from '../data.js'
import { median, quantile } from '../figures.js'
import { createIndex, postAll, postBodies, timeTask } from '../fill.js'
import type { Report } from '../report.js'
import { firstTimesByKind } from '../search-times.js'
import type { Document, SearchSet, Workload } from '../workload.js'

const SINGLE_CHANGES = 20

/** What becomes of searches and changes when there are several times the documents: copies of films under other ids. */
export const growth: Workload = {
  name: 'growth',
  async run(bench) {
    const films = readFilms()
    for (const copies of bench.isShort ? [1, 2] : [1, 8]) {
      await bench.withServer((server) => new GrowthRun(server, bench.report, films, copies).run())
    }
  },
}

class GrowthRun {
  private readonly set: SearchSet = readFilmSearches()
  private readonly title: string

  constructor(
    private readonly server: BenchServer,
    private readonly report: Report,
    private readonly films: readonly Document[],
    private readonly copies: number,
  ) {
    this.title = `${films.length * copies} films`
  }

  async run(): Promise<void> {
    await this.index()
    // What searches need to be fast is made when there is nothing else to do.
    await this.server.idle()
    const disk = await this.server.diskBytes()
    if (disk !== undefined) this.report.add(`${this.title}, disk`, disk / 1e6, 'MB')
    await this.addOneByOne()
    await this.search()
  }

  private async index(): Promise<void> {
    const connection = this.server.connect()
    await createIndex(connection, this.set)
    const started = performance.now()
    for (let copy = 0; copy < this.copies; copy++) {
      await postAll(connection, this.set.index, postBodies(this.films.map((film) => this.copyOf(film, copy))))
    }
    this.report.add(`${this.title}, indexed`, (performance.now() - started) / 1000, 's')
    connection.close()
  }

  private copyOf(film: Document, copy: number): Document {
    const { primaryKey } = this.set
    return copy === 0 ? film : { ...film, [primaryKey]: `${film[primaryKey]}_${copy}` }
  }

  private async addOneByOne(): Promise<void> {
    const connection = this.server.connect()
    const { index, primaryKey } = this.set
    const times: number[] = []
    for (let i = 0; i < SINGLE_CHANGES; i++) {
      const added = [{ ...this.films[i * 700], [primaryKey]: `new_${i}` }]
      times.push(await timeTask(connection, () => connection.json('POST', `/indexes/${index}/documents`, added)))
    }
    this.report.add(`${this.title}, one document added, median`, median(times), 'ms', filmTarget('20 ms'))
    connection.close()
  }

  /** The first round is not counted: code is cold. */
  private async search(): Promise<void> {
    await firstTimesByKind(this.server, this.set, 1)
    const times = [...(await firstTimesByKind(this.server, this.set, 3)).values()].flat()
    this.report.add(`${this.title}, searches, first time, p50`, median(times), 'ms')
    this.report.add(`${this.title}, searches, first time, p99`, quantile(times, 0.99), 'ms')
    const memory = this.server.anonymousBytes()
    if (memory !== undefined) this.report.add(`${this.title}, memory after that`, memory / 1e6, 'MB')
  }
}
