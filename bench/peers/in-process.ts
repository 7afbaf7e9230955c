import { create, insertMultiple, search } from '@orama/orama'
import MiniSearch from 'minisearch'
import sqlite from 'node-sqlite3-wasm'
import type { Document } from '../workload.js'

/** Another library that searches, in this process: without HTTP, tasks, facets or most ranking rules. */
export interface Peer {
  readonly name: string
  index(documents: readonly Document[]): Promise<(q: string) => unknown>
}

const FIELDS = ['title', 'cast', 'genres', 'extract']

export const PEERS: readonly Peer[] = [
  {
    name: 'SQLite FTS5 (WebAssembly, in memory)',
    async index(documents) {
      const database = new sqlite.Database(':memory:')
      database.exec(`create virtual table movies using fts5(${FIELDS.join(', ')})`)
      database.exec('begin')
      const insert = database.prepare(`insert into movies values (${FIELDS.map(() => '?').join(', ')})`)
      for (const document of documents) insert.run(FIELDS.map((field) => textOf(document, field)))
      insert.finalize()
      database.exec('commit')
      const select = database.prepare('select rowid from movies where movies match ? order by rank limit 20')
      return (q) => select.all([matchOf(q)])
    },
  },
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

/** All words, the last one as a beginning. */
function matchOf(q: string): string {
  const words = q.match(/[\p{L}\p{N}]+/gu) ?? ['a']
  return `${words.map((word) => `"${word}"`).join(' ')}*`
}

function textOf(document: Document, field: string): string {
  const value = document[field]
  return Array.isArray(value) ? value.join(' ') : String(value ?? '')
}
