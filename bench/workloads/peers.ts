import { median, quantile, timed } from '../figures.js'
import { PEERS } from '../peers/in-process.js'
import { measureTantivy } from '../peers/tantivy.js'
import { readDocuments, readSearches, type Workload } from '../workload.js'

/** They take long: some of the searches are enough to compare. */
const EVERY = 8

/** The same films and some of the searches with other libraries: what the figures of this machine mean. */
export const peers: Workload = {
  name: 'peers',
  async run({ report }) {
    const documents = readDocuments('movies')
    const queries = readSearches('movies-default')
      .searches.flatMap(({ body }) => (body as { q?: string }).q || [])
      .filter((_, i) => i % EVERY === 0)
    const add = (name: string, indexed: number, times: readonly number[]) => {
      report.add(`${name}, indexed`, indexed, 's')
      report.add(`${name}, searches, p50`, median(times), 'ms')
      report.add(`${name}, searches, p99`, quantile(times, 0.99), 'ms')
    }
    const tantivy = await measureTantivy(process.env.BENCH_PYTHON ?? 'python3', documents, queries)
    if (tantivy === undefined) report.note('Tantivy: its Python package is not installed')
    else add('Tantivy', tantivy.indexed, tantivy.times)
    for (const { name, index } of PEERS) {
      const started = performance.now()
      const find = await index(documents)
      const indexed = (performance.now() - started) / 1000
      const times: number[] = []
      for (const q of queries) times.push(await timed(async () => find(q)))
      add(name, indexed, times)
    }
  },
}
