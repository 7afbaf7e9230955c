import { readFileSync } from 'node:fs'
import { ARTICLE_SETTINGS, Shop } from '../../bench/synthetic.js'
import type { TestServer } from '../server.js'
import { hostileSearches } from './searches.js'

const DOCUMENTS = 5000
const BATCH = 1000

export interface HostileOutcome {
  /** Searches that failed in a way that is not the sender's fault, one line each. */
  readonly problems: readonly string[]
  readonly slowest: { readonly name: string; readonly milliseconds: number }
  /** What the memory of the process grew by, in bytes. */
  readonly growth: number
}

/** Sends hostile searches to a server with a shop in it, one after the other. */
export async function attack(server: TestServer, seed: number, count: number): Promise<HostileOutcome> {
  await fill(server)
  const problems: string[] = []
  let slowest = { name: '', milliseconds: 0 }
  let before = 0
  let sent = 0
  for (const { name, body } of hostileSearches(seed, count)) {
    // Only after all of them were met once is it known what the server needs.
    if (sent++ === Math.floor(count / 2)) before = memoryOf(server.pid)
    const started = performance.now()
    const { status, text } = await server.request('POST', '/indexes/shop/search', body)
    const milliseconds = performance.now() - started
    if (milliseconds > slowest.milliseconds) slowest = { name, milliseconds }
    if (status !== 200 && (status < 400 || status >= 500)) problems.push(`${name}: ${status} ${text.slice(0, 300)}`)
  }
  return { problems, slowest, growth: memoryOf(server.pid) - before }
}

async function fill(server: TestServer): Promise<void> {
  const shop = new Shop(3)
  await succeed(server, 'PATCH', '/indexes/shop/settings', { ...ARTICLE_SETTINGS, searchCutoffMs: 1500 })
  for (let from = 0; from < DOCUMENTS; from += BATCH) {
    const articles = Array.from({ length: BATCH }, (_, i) => shop.article(from + i))
    await succeed(server, 'POST', '/indexes/shop/documents?primaryKey=id', articles)
  }
}

async function succeed(server: TestServer, method: string, path: string, body: object): Promise<void> {
  const { body: answer, text } = await server.request<{ taskUid: number }>(method, path, body)
  const { status } = await server.waitTask(answer.taskUid)
  if (status !== 'succeeded') throw new Error(`${method} ${path}: ${text}`)
}

/** Bytes of the process that are not pages of files. */
function memoryOf(pid: number): number {
  return Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
}
