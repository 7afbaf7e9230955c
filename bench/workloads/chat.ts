/**
 * Many conversations at once with a model that is always ready: each searches once and then says a few hundred words.
 * Prints when the first word comes, when the last, what memory it took, and how long /health takes meanwhile.
 *
 *   npx tsx bench/chat.ts [streams] [words]
 */
import { readFileSync } from 'node:fs'
import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { TestServer } from '../test/server.js'
import { megabytes, ms, quantile, seconds } from './figures.js'

const streams = Number(process.argv[2] ?? 200)
const words = Number(process.argv[3] ?? 300)
const PAUSE_MS = 10

const chunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`

const wanted = { name: '_meiliSearchInIndex', arguments: JSON.stringify({ index_uid: 'books', q: 'owls', filter: '' }) }
const ASKING = chunk({ tool_calls: [{ index: 0, id: 'call', type: 'function', function: wanted }] }, 'tool_calls')
const DONE = 'data: [DONE]\n\n'

async function speak(response: ServerResponse): Promise<void> {
  for (let i = 0; i < words; i++) {
    response.write(chunk({ content: `word ${i} ` }))
    await delay(PAUSE_MS)
  }
  response.end(chunk({}, 'stop') + DONE)
}

/** A model that searches first. */
async function startProvider(): Promise<{ url: string; close(): void }> {
  const provider = createServer(async (incoming, response) => {
    const parts: Buffer[] = []
    for await (const part of incoming) parts.push(part as Buffer)
    const hasSearched = Buffer.concat(parts).includes('"role":"tool"')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (hasSearched) await speak(response)
    else response.end(ASKING + DONE)
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const { port } = provider.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, close: () => provider.close() }
}

interface Heard {
  readonly firstMs: number
  readonly lastMs: number
}

function converse(server: TestServer): Promise<Heard> {
  const started = performance.now()
  const headers = { 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = request(
      `${server.url}/chats/w/chat/completions`,
      { method: 'POST', headers, agent: false },
      (answer) => {
        let firstMs = 0
        let said = ''
        answer.setEncoding('utf8').on('data', (text: string) => {
          said += text
          if (firstMs === 0 && said.includes('word 0')) firstMs = performance.now() - started
        })
        answer.on('error', reject)
        answer.on('end', () => {
          const isWhole = said.split('"content"').length - 1 === words
          if (isWhole) resolve({ firstMs, lastMs: performance.now() - started })
          else reject(new Error(`words are missing; the last that came: ${said.slice(-500)}`))
        })
      },
    )
    sent.on('error', reject)
    sent.end(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'owls?' }] }))
  })
}

async function prepare(server: TestServer, baseUrl: string): Promise<void> {
  await server.request('PATCH', '/experimental-features', { chatCompletions: true })
  await server.request('PATCH', '/chats/w/settings', { source: 'vLlm', baseUrl })
  const documents = Array.from({ length: 1000 }, (_, id) => ({ id, title: `Owls, part ${id}`, shelf: id % 20 }))
  const { body } = await server.request<{ taskUid: number }>('POST', '/indexes/books/documents', documents)
  await server.waitTask(body.taskUid)
}

const memoryOf = (pid: number): number =>
  Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) * 1024

async function measure(server: TestServer): Promise<void> {
  await converse(server)
  const before = memoryOf(server.pid)
  let peak = before
  const waits: number[] = []
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const started = performance.now()
      await server.request('GET', '/health')
      waits.push(performance.now() - started)
      peak = Math.max(peak, memoryOf(server.pid))
      await delay(20)
    }
  })()
  const heard = await Promise.all(Array.from({ length: streams }, () => converse(server)))
  isOver = true
  await watching
  const [first, last] = [heard.map(({ firstMs }) => firstMs), heard.map(({ lastMs }) => lastMs)]
  console.log(`${streams} conversations of one search and ${words} words, one each ${PAUSE_MS} ms`)
  console.log(`first word: p50 ${ms(quantile(first, 0.5))}, p99 ${ms(quantile(first, 0.99))}`)
  console.log(`last word: p50 ${seconds(quantile(last, 0.5))}, p99 ${seconds(quantile(last, 0.99))}`)
  console.log(`/health meanwhile: p50 ${ms(quantile(waits, 0.5))}, p99 ${ms(quantile(waits, 0.99))}`)
  console.log(`memory: ${megabytes(before)} before, ${megabytes(peak)} at most`)
}

const provider = await startProvider()
const server = await TestServer.start({ flags: ['--experimental-allowed-ip-networks', '127.0.0.0/8'] })
try {
  await prepare(server, provider.url)
  await measure(server)
} finally {
  await server.close()
  provider.close()
}
