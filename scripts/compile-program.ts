import { setTimeout as delay } from 'node:timers/promises'
import { TestServer } from '../test/server.js'

/**
 * The last step of the build: the program runs for a moment, is asked what servers are asked all day, and writes down the
 * bytecode that V8 made of it (`src/launch.ts`). What is not used here is compiled when it is first used, as ever.
 */

/** Several times the interval in which it is written. */
const SETTLE_MS = 1_000

/** More than a megabyte, for which threads are started that smaller ones do not need. */
const MANY = Array.from({ length: 3000 }, (_, id) => ({
  id,
  title: `Chair number ${id}`,
  brand: ['Oak', 'Ash', 'Elm'][id % 3],
  price: id / 10,
  text: `A chair of wood, ${id}; it is made for a table and for people who read. `.repeat(8),
}))

/** What people look for: letters, words, mistakes, several words, what they choose beside. */
const SEARCHES = [
  { q: 'c' },
  { q: 'chiar nmber', attributesToHighlight: ['*'], facets: ['brand'] },
  { q: 'people who read', filter: 'brand = Oak AND price < 100', sort: ['price:desc'] },
  { q: '"a table" wood', attributesToCrop: ['text'], showRankingScore: true, matchingStrategy: 'all' },
  { q: '', facets: ['*'], page: 1 },
]

const server = await TestServer.start({ env: { FINDLING_BUILDS: '1' } })
try {
  const settings = { filterableAttributes: ['brand', 'price'], sortableAttributes: ['price'] }
  await write('PATCH', '/indexes/articles/settings', settings)
  await write('POST', '/indexes/articles/documents', [{ id: 1, title: 'A chair', brand: 'Oak' }, { id: 2 }])
  await write('POST', '/indexes/articles/documents', MANY)
  for (const search of SEARCHES) await ask('POST', '/indexes/articles/search', search)
  await ask('POST', '/multi-search', { queries: [{ indexUid: 'articles', q: 'chair' }] })
  await ask('POST', '/indexes/articles/facet-search', { facetName: 'brand', facetQuery: 'o' })
  await write('PUT', '/indexes/articles/documents', [{ id: 1, title: 'Changed' }])
  await write('DELETE', '/indexes/articles/documents/2')
  for (const path of ['/tasks', '/batches', '/stats', '/indexes/articles/documents']) await ask('GET', path)
  await delay(SETTLE_MS)
} finally {
  await server.close()
}
console.log(`compiled: bytecode for Node ${process.versions.node}`)

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
