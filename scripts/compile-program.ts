import { setTimeout as delay } from 'node:timers/promises'
import { TestServer } from '../test/server.js'

/**
 * The last step of the build: the program runs for a moment, is asked what servers are asked all day, and writes down the
 * bytecode that V8 made of it (`src/launch.ts`). What is not used here is compiled when it is first used, as ever.
 */

/** Several times the interval in which it is written. */
const SETTLE_MS = 1_000

const server = await TestServer.start({ env: { FINDLING_BUILDS: '1' } })
try {
  await write('PATCH', '/indexes/articles/settings', { filterableAttributes: ['brand'] })
  await write('POST', '/indexes/articles/documents', [{ id: 1, title: 'A chair', brand: 'Oak' }, { id: 2 }])
  await ask('POST', '/indexes/articles/search', { q: 'chair' })
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
