/**
 * How much memory the server takes for one large upload, beyond what it had before: while it arrives, and until its
 * task is done. Counts memory of the process alone, not pages of the data files that the system keeps in it.
 *
 *   npx tsx bench/memory.ts [megabytes] [attributes to search in, joined by commas]
 */
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { TestServer } from '../test/server.js'

const MEGABYTE = 1e6
/** For what arrives. A batch is one transaction, and the store holds what it changes until the end, up to 512 MB. */
const LIMIT_MB = 200
const SAMPLE_MS = 20
const SETTLE_MS = 2_000

const megabytes = Number(process.argv[2] ?? 1000)
const searchable = process.argv[3]?.split(',') ?? ['id']

/** Documents of some five hundred bytes, a megabyte at a time. */
function* documents(total: number): Generator<string> {
  for (let id = 0, sent = 0; sent < total; ) {
    let lines = ''
    while (lines.length < MEGABYTE && sent + lines.length < total) lines += `${document(id++)}\n`
    sent += lines.length
    yield lines
  }
}

function document(id: number): string {
  const overview = Array.from({ length: 60 }, (_, i) => WORDS[(id * 31 + i * i * 7) % WORDS.length]).join(' ')
  return JSON.stringify({ id, title: `film number ${id}`, year: 1900 + (id % 130), overview })
}

const WORDS = Array.from({ length: 5000 }, (_, i) => i.toString(36) + (i * 7919).toString(36))

/** Megabytes of the process that are not pages of files. */
function memoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
}

class Watch {
  private peak = 0
  private readonly timer = setInterval(() => this.look(), SAMPLE_MS)

  constructor(private readonly pid: number) {}

  private look(): void {
    this.peak = Math.max(this.peak, memoryOf(this.pid))
  }

  /** The highest since the last call. */
  take(): number {
    this.look()
    const { peak } = this
    this.peak = 0
    return peak
  }

  end(): void {
    clearInterval(this.timer)
  }
}

function upload(server: TestServer): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-ndjson' }
    const path = '/indexes/large/documents'
    const outgoing = request(
      { host: '127.0.0.1', port: server.port, method: 'POST', path, headers },
      async (answer) => {
        const body = JSON.parse(Buffer.concat(await answer.toArray()).toString()) as { taskUid?: number }
        if (body.taskUid === undefined) reject(new Error(JSON.stringify(body)))
        else resolve(body.taskUid)
      },
    )
    pipeline(Readable.from(documents(megabytes * MEGABYTE)), outgoing).catch(reject)
  })
}

async function untilDone(server: TestServer, uid: number): Promise<string> {
  for (;;) {
    const { body } = await server.request<{ status: string }>('GET', `/tasks/${uid}`)
    if (body.status !== 'enqueued' && body.status !== 'processing') return body.status
    await delay(SAMPLE_MS)
  }
}

const server = await TestServer.start({ flags: ['--http-payload-size-limit', '10GB'] })
try {
  const settings = await server.request<{ taskUid: number }>(
    'PUT',
    '/indexes/large/settings/searchable-attributes',
    searchable,
  )
  await server.waitTask(settings.body.taskUid)
  await delay(SETTLE_MS)
  const before = memoryOf(server.pid)
  const watch = new Watch(server.pid)
  const started = performance.now()
  const uid = await upload(server)
  const arrived = performance.now()
  const receiving = watch.take() - before
  const status = await untilDone(server, uid)
  const indexing = watch.take() - before
  watch.end()
  const seconds = (from: number, to: number): string => `${((to - from) / 1000).toFixed(1)} s`
  console.log(`${megabytes} MB of NDJSON, searchable: ${searchable.join(', ')}; the task ${status}`)
  console.log(`before: ${before.toFixed(0)} MB`)
  console.log(`while it arrived (${seconds(started, arrived)}): at most ${receiving.toFixed(0)} MB more`)
  console.log(`until it was done (${seconds(arrived, performance.now())}): at most ${indexing.toFixed(0)} MB more`)
  if (receiving > LIMIT_MB || status !== 'succeeded') process.exitCode = 1
} finally {
  await server.close()
}
