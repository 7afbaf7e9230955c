import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create, insert, insertMultiple, search } from '@orama/orama'
import { openIndex } from 'findling/engine'
import MiniSearch from 'minisearch'
import sqlite from 'node-sqlite3-wasm'
import type { Document } from '../workload.js'

/** A library that searches in the process that uses it. */
export interface Peer {
  readonly name: string
  /** What it does not do of what the others do. */
  readonly lacks: string
  index(documents: readonly Document[]): Promise<OpenPeer>
}

export interface OpenPeer {
  find(q: string): unknown
  /** Adds a document, which is found when this resolves. */
  add(document: Document): unknown
  close?(): Promise<void>
}

const FIELDS = ['title', 'cast', 'genres', 'extract']

/** The library of this project: on disk, one transaction for all films, and for each that is added. */
const engine: Peer = {
  name: 'Findling, findling/engine',
  lacks: 'nothing of these: on disk, typos, ranking rules, facets, filters, highlighting',
  async index(documents) {
    const folder = mkdtempSync(join(tmpdir(), 'findling-bench-'))
    const index = await openIndex<Document>(folder, { primaryKey: 'id' })
    await index.updateSettings({ searchableAttributes: FIELDS })
    await index.addDocuments(documents)
    return {
      find: (q) => index.search({ q }),
      add: (document) => index.addDocuments([document]),
      async close() {
        await index.close()
        rmSync(folder, { recursive: true })
      },
    }
  },
}

export const PEERS: readonly Peer[] = [
  engine,
  {
    name: 'SQLite FTS5 (WebAssembly, in memory)',
    lacks: 'typos, ranking rules beyond bm25, facets; here without a file',
    async index(documents) {
      const database = new sqlite.Database(':memory:')
      database.exec(`create virtual table movies using fts5(${FIELDS.join(', ')})`)
      database.exec('begin')
      const insertion = database.prepare(`insert into movies values (${FIELDS.map(() => '?').join(', ')})`)
      const add = (document: Document) => insertion.run(FIELDS.map((field) => textOf(document, field)))
      for (const document of documents) add(document)
      database.exec('commit')
      const select = database.prepare('select rowid from movies where movies match ? order by rank limit 20')
      return { find: (q) => select.all([matchOf(q)]), add }
    },
  },
  {
    name: 'MiniSearch',
    lacks: 'a store on disk, ranking rules, facets, filters by value',
    async index(documents) {
      const index = new MiniSearch({ fields: FIELDS, extractField: textOf })
      await index.addAllAsync(documents)
      return {
        find: (q) => index.search(q, { prefix: true, fuzzy: 0.2 }),
        add: (document) => index.add(document),
      }
    },
  },
  {
    name: 'Orama',
    lacks: 'a store on disk, ranking rules; typos at a fixed distance for all words',
    async index(documents) {
      const schema = { title: 'string', cast: 'string', genres: 'string', extract: 'string' } as const
      const index = create({ schema })
      const textsOf = (document: Document) =>
        Object.fromEntries(FIELDS.map((field) => [field, textOf(document, field)]))
      await insertMultiple(index, documents.map(textsOf))
      return {
        find: (q) => search(index, { term: q, limit: 20, tolerance: 1 }),
        add: (document) => insert(index, textsOf(document)),
      }
    },
  },
]

/** All words, the last one as a prefix. */
function matchOf(q: string): string {
  const words = q.match(/[\p{L}\p{N}]+/gu) ?? ['a']
  return `${words.map((word) => `"${word}"`).join(' ')}*`
}

function textOf(document: Document, field: string): string {
  const value = document[field]
  return Array.isArray(value) ? value.join(' ') : String(value ?? '')
}
