import { setTimeout as delay } from 'node:timers/promises'
import { seededRandom } from '../../test/random.js'
import { TestServer } from '../../test/server.js'
import { deadlineOf, type Part } from './part.js'
import { megabytes, memoryOf } from './process-facts.js'

const SEARCHERS = 4
const WRITERS = 2
const DOCUMENTS = 2000
const SAMPLE_MS = 2000
/** Threads start, caches fill and code gets compiled in the beginning. */
const SETTLED_AFTER = 1 / 3
/** Shorter runs see the beginning only: their slope is printed, not judged. */
const JUDGED_MINUTES = 10
const MAX_BYTES_A_MINUTE = 3e6

interface Sample {
  readonly minute: number
  readonly bytes: number
}

/** Searches and writes in an index that stays as large as it is: so must the memory of the server. */
export const memoryLeak: Part = async (options) => {
  const random = seededRandom(options.seed)
  const server = await TestServer.start()
  const began = performance.now()
  const deadline = Math.max(deadlineOf(options), began + 15_000)
  const isOver = () => performance.now() >= deadline
  const load = { server, random, isOver, count: 0 }
  try {
    await addDocuments(load, DOCUMENTS)
    const workers = [
      ...Array.from({ length: SEARCHERS }, () => repeat(load, () => search(load))),
      ...Array.from({ length: WRITERS }, () => repeat(load, () => addDocuments(load, 20))),
    ]
    const samples: Sample[] = []
    while (!isOver()) {
      await delay(SAMPLE_MS)
      samples.push({ minute: (performance.now() - began) / 60_000, bytes: memoryOf(server.pid) })
      options.progress(`${load.count} requests, ${megabytes(samples.at(-1)!.bytes)}`)
    }
    await Promise.all(workers)
    return judge(samples, options.minutes, load.count)
  } finally {
    await server.close()
  }
}

interface Load {
  readonly server: TestServer
  readonly random: () => number
  readonly isOver: () => boolean
  count: number
}

async function repeat(load: Load, work: () => Promise<void>): Promise<void> {
  while (!load.isOver()) {
    await work()
    load.count++
  }
}

const WORDS = 'red green blue fox deer river mountain old young house garden light night winter summer'.split(' ')
const words = (random: () => number, count: number): string =>
  Array.from({ length: count }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ')

async function search({ server, random }: Load): Promise<void> {
  const body = { q: `${words(random, 2)} ${Math.floor(random() * 1000)}`, limit: 5, attributesToHighlight: ['*'] }
  const { status, text } = await server.request('POST', '/indexes/a/search', body)
  if (status !== 200) throw new Error(`a search was answered ${status} ${text}`)
}

async function addDocuments({ server, random }: Load, count: number): Promise<void> {
  const id = () => Math.floor(random() * DOCUMENTS)
  const documents = Array.from({ length: count }, () => ({
    id: id(),
    title: words(random, 4),
    text: words(random, 30),
  }))
  const { body } = await server.request<{ taskUid: number }>('POST', '/indexes/a/documents', documents)
  await server.waitTask(body.taskUid)
}

function judge(samples: readonly Sample[], minutes: number, requests: number): string {
  const settled = samples.slice(Math.floor(samples.length * SETTLED_AFTER))
  const slope = slopeOf(settled)
  const facts = `${requests} requests, memory ${megabytes(settled[0]!.bytes)} to ${megabytes(settled.at(-1)!.bytes)}`
  const text = `${facts}, slope ${(slope / 1e6).toFixed(2)} MB a minute`
  if (minutes >= JUDGED_MINUTES && slope > MAX_BYTES_A_MINUTE) throw new Error(`memory grows: ${text}`)
  return minutes >= JUDGED_MINUTES ? text : `${text} (of a run too short to judge)`
}

/** Of the line with the least squares, in bytes a minute. */
function slopeOf(samples: readonly Sample[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const middle = mean(samples.map(({ minute }) => minute))
  const level = mean(samples.map(({ bytes }) => bytes))
  const together = samples.reduce((sum, { minute, bytes }) => sum + (minute - middle) * (bytes - level), 0)
  const spread = samples.reduce((sum, { minute }) => sum + (minute - middle) ** 2, 0)
  return spread === 0 ? 0 : together / spread
}
