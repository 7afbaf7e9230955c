import { create, insertMultiple, search } from '@orama/orama'
import MiniSearch from 'minisearch'
import { ms, quantile, seconds } from './figures.js'
import type { SearchSet } from './searching.js'

type Document = Record<string, unknown>

/** Another library that searches, in this process: without HTTP, tasks, disk, facets or most ranking rules. */
interface Peer {
  readonly name: string
  index(documents: readonly Document[]): Promise<(q: string) => unknown>
}

const FIELDS = ['title', 'cast', 'genres', 'extract']

const PEERS: readonly Peer[] = [
  {
    name: 'MiniSearch',
    async index(documents) {
      const engine = new MiniSearch({ fields: FIELDS, extractField: textOf })
      await engine.addAllAsync(documents)
      return (q) => engine.search(q, { prefix: true, fuzzy: 0.2 })
    },
  },
  {
    name: 'Orama',
    async index(documents) {
      const schema = { title: 'string', cast: 'string', genres: 'string', extract: 'string' } as const
      const engine = create({ schema })
      await insertMultiple(
        engine,
        documents.map((document) => Object.fromEntries(FIELDS.map((field) => [field, textOf(document, field)]))),
      )
      return (q) => search(engine, { term: q, limit: 20, tolerance: 1 })
    },
  },
]

function textOf(document: Document, field: string): string {
  const value = document[field]
  return Array.isArray(value) ? value.join(' ') : String(value ?? '')
}

/** They take long: some of the searches are enough to compare. */
const EVERY = 8

/** The same documents and some of the searches with other libraries: what the figures of this machine mean. */
export async function measurePeers(set: SearchSet, documents: readonly object[]): Promise<void> {
  const queries = set.searches.flatMap(({ body }) => (body as { q?: string }).q || []).filter((_, i) => i % EVERY === 0)
  for (const { name, index } of PEERS) {
    const started = performance.now()
    const find = await index(documents as readonly Document[])
    const took = performance.now() - started
    const times: number[] = []
    for (const q of queries) {
      const asked = performance.now()
      await find(q)
      times.push(performance.now() - asked)
    }
    const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)]
    console.log(`${name}, in process: indexed in ${seconds(took)}, searches p50 ${ms(p50)}, p99 ${ms(p99)}`)
  }
}
