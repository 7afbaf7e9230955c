import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { cachedDataVersionTag } from 'node:v8'
import { ARTICLE_SETTINGS, Shop } from '../bench/synthetic.js'
import { CLI, TestServer } from '../test/server.js'

/**
 * The last step of the build: the program runs for a moment, does what servers do all day, and writes down the bytecode
 * that V8 made of it (`src/launch.ts`). What is not used here is compiled when it is first used, as ever.
 */

const DOCUMENTS = 100
/** Several times the interval in which it is written. */
const SETTLE_MS = 1_000

const shop = new Shop()
const articles = Array.from({ length: DOCUMENTS }, (_, id) => shop.article(id))
const [first = '', second = ''] = articles[0]!.title.split(' ')
const searches: readonly object[] = [
  {},
  { q: first.slice(0, 1) },
  { q: `${first.slice(1)} ${second}`, attributesToHighlight: ['*'], attributesToCrop: ['*'], showRankingScore: true },
  { q: `"${first}" -${second}`, facets: ['*'], filter: 'price > 10 AND (brand EXISTS OR rating 2 TO 4)' },
  { q: second, sort: ['price:asc'], filter: ['inStock = true', ['brand IN [a, b]']], hitsPerPage: 5, page: 2 },
]

const compiled = join(dirname(CLI), 'compiled', String(cachedDataVersionTag()))
mkdirSync(compiled, { recursive: true })
const server = await TestServer.start({ env: { FINDLING_BUILDS: '1' } })
try {
  await write('PATCH', '/indexes/articles/settings', ARTICLE_SETTINGS)
  await write('POST', '/indexes/articles/documents', articles)
  for (const search of searches) await ask('POST', '/indexes/articles/search', search)
  await write('PUT', '/indexes/articles/documents', [{ id: 1, title: 'Changed' }])
  await write('DELETE', '/indexes/articles/documents/2')
  await ask('POST', '/multi-search', { queries: [{ indexUid: 'articles', q: first }] })
  await ask('POST', '/indexes/articles/facet-search', { facetName: 'brand', facetQuery: 'a' })
  for (const path of ['/tasks', '/batches', '/stats', '/indexes/articles/documents']) await ask('GET', path)
  await delay(SETTLE_MS)
} finally {
  await server.close()
}
console.log(`compiled: bytecode for Node ${process.versions.node} is in ${compiled}`)

async function ask(method: string, path: string, body?: unknown): Promise<{ taskUid?: number }> {
  const answer = await server.request<{ taskUid?: number }>(method, path, body)
  if (answer.status >= 400) throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.text}`)
  return answer.body
}

async function write(method: string, path: string, body?: unknown): Promise<void> {
  const { taskUid } = await ask(method, path, body)
  const { status, error } = await server.waitTask(taskUid!)
  if (status !== 'succeeded') throw new Error(`${method} ${path} ended as ${status}: ${JSON.stringify(error)}`)
}
