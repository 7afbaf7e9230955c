import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { BenchServer } from '../bench-server.js'
import { median, quantile, timed } from '../figures.js'
import type { Workload } from '../workload.js'

const STREAMS = 200
const WORDS = 100
/** Twenty words a second and stream, as models speak. */
const PAUSE_MS = 50

/** Many conversations at once: each searches first and then says a hundred words. */
export const chat: Workload = {
  name: 'chat',
  async run(bench) {
    if (!bench.startsServers) return
    const provider = await startProvider()
    const { report } = bench
    const flags = ['--experimental-allowed-ip-networks', '127.0.0.0/8']
    await bench.withServer(async (server) => {
      await prepare(server, provider.url)
      await converse(server)
      const before = server.anonymousBytes() ?? Number.NaN
      const memory = server.watchMemory()
      const [heard, waits] = await whileAsking(server, () =>
        Promise.all(Array.from({ length: STREAMS }, () => converse(server))),
      )
      const peak = memory.stop() ?? Number.NaN
      report.add('first word passed on, median', median(heard.map(([first]) => first!)), 'ms', '50 ms')
      report.add('all words passed on, p50', median(heard.flat()), 'ms')
      report.add('all words passed on, p99', quantile(heard.flat(), 0.99), 'ms')
      report.add('memory more', (peak - before) / 1e6, 'MB', '100 MB')
      report.add('/health meanwhile, p99', quantile(waits, 0.99), 'ms')
    }, flags)
    provider.close()
  },
}

const chunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`

const wanted = { name: '_meiliSearchInIndex', arguments: JSON.stringify({ indexUid: 'books', q: 'owls', filter: '' }) }
const ASKING = chunk({ tool_calls: [{ index: 0, id: 'call', type: 'function', function: wanted }] }, 'tool_calls')
const DONE = 'data: [DONE]\n\n'

/** Each word says when it was spoken: the client is in the same process and has the same clock. */
async function speak(response: ServerResponse): Promise<void> {
  for (let i = 0; i < WORDS; i++) {
    response.write(chunk({ content: `spoken ${performance.now()};` }))
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

/** How long each word took from the model through the server to the client. */
function converse(server: BenchServer): Promise<number[]> {
  const headers = { 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const path = `${server.url}/chats/w/chat/completions`
    const sent = request(path, { method: 'POST', headers, agent: false }, (answer) => {
      listen(answer).then(resolve, reject)
    })
    sent.on('error', reject)
    sent.end(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'owls?' }] }))
  })
}

async function listen(answer: IncomingMessage): Promise<number[]> {
  const delays: number[] = []
  let rest = ''
  for await (const text of answer.setEncoding('utf8')) {
    rest += text
    for (const [, at] of rest.matchAll(/spoken ([\d.]+);/g)) delays.push(performance.now() - Number(at))
    rest = rest.slice(rest.lastIndexOf('\n') + 1)
  }
  if (delays.length !== WORDS) throw new Error(`${WORDS - delays.length} words are missing`)
  return delays
}

async function prepare(server: BenchServer, baseUrl: string): Promise<void> {
  const connection = server.connect()
  await connection.json('PATCH', '/experimental-features', { chatCompletions: true })
  await connection.json('PATCH', '/chats/w/settings', { source: 'vLlm', baseUrl })
  const documents = Array.from({ length: 1000 }, (_, id) => ({ id, title: `Owls, part ${id}`, shelf: id % 20 }))
  const { taskUid } = await connection.json<{ taskUid: number }>('POST', '/indexes/books/documents', documents)
  await connection.finished(taskUid)
  connection.close()
}

/** Asks for /health now and then while work goes on. */
async function whileAsking<T>(server: BenchServer, work: () => Promise<T>): Promise<[T, number[]]> {
  const connection = server.connect()
  const waits: number[] = []
  let isOver = false
  const asking = (async () => {
    while (!isOver) {
      waits.push(await timed(() => connection.send('GET', '/health')))
      await delay(20)
    }
  })()
  const result = await work()
  isOver = true
  await asking
  connection.close()
  return [result, waits]
}
