/**
 * The write path over HTTP, without a comparison: movies stored, many small additions at once, and how long /health
 * takes meanwhile. Only ids are searchable, so that this measures the way to the index and not the index.
 *
 *   npx tsx bench/tasks.ts [movies.json.gz]
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { TestServer } from '../test/server.js'

const file = process.argv[2] ?? join(import.meta.dirname, '..', '..', 'shared', 'data', 'movies.json.gz')
const movies = JSON.parse(gunzipSync(readFileSync(file)).toString()) as object[]

const ms = (value: number): string => `${value.toFixed(1)} ms`
const seconds = (duration: unknown): number => Number(/T([\d.]+)S/.exec(String(duration))?.[1] ?? Number.NaN)

async function onlyIdsAreSearchable(server: TestServer, index: string): Promise<void> {
  const path = `/indexes/${index}/settings/searchable-attributes`
  const { body } = await server.request<{ taskUid: number }>('PUT', path, ['id'])
  await server.waitTask(body.taskUid)
}

async function storeMovies(server: TestServer): Promise<void> {
  await onlyIdsAreSearchable(server, 'movies')
  const started = performance.now()
  const posted: number[] = []
  for (let i = 0; i < movies.length; i += 10_000) {
    const { body } = await server.request<{ taskUid: number }>(
      'POST',
      '/indexes/movies/documents',
      movies.slice(i, i + 10_000),
    )
    posted.push(body.taskUid)
  }
  const answered = performance.now() - started
  const waits = healthTimes(server, posted[posted.length - 1]!)
  for (const uid of posted) await server.waitTask(uid)
  const total = performance.now() - started
  const { body } = await server.request<{ results: { duration: string }[] }>('GET', '/batches?limit=100')
  const busy = body.results.reduce((sum, batch) => sum + seconds(batch.duration), 0)
  console.log(
    `movies: ${movies.length} documents, all answered after ${ms(answered)}, all done after ${ms(total)}, task time ${ms(busy * 1000)}`,
  )
  const times = (await waits).sort((a, b) => a - b)
  console.log(
    `/health meanwhile: ${times.length} calls, p50 ${ms(quantile(times, 0.5))}, p99 ${ms(quantile(times, 0.99))}`,
  )
}

async function isDone(server: TestServer, taskUid: number): Promise<boolean> {
  return (await server.request<{ status: string }>('GET', `/tasks/${taskUid}`)).body.status === 'succeeded'
}

async function healthTimes(server: TestServer, lastTask: number): Promise<number[]> {
  const times: number[] = []
  for (;;) {
    const started = performance.now()
    await server.request('GET', '/health')
    times.push(performance.now() - started)
    if (times.length % 20 === 0 && (await isDone(server, lastTask))) return times
  }
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!

async function smallPosts(server: TestServer, count: number): Promise<void> {
  await onlyIdsAreSearchable(server, 'small')
  const started = performance.now()
  const answers = await Promise.all(
    Array.from({ length: count }, (_, id) =>
      server.request<{ taskUid: number }>('POST', '/indexes/small/documents', [{ id, name: `document ${id}` }]),
    ),
  )
  const answered = performance.now() - started
  await server.waitTask(Math.max(...answers.map((answer) => answer.body.taskUid)))
  console.log(
    `${count} small additions at once: all durable and answered after ${ms(answered)}, all done after ${ms(performance.now() - started)}`,
  )
}

async function singleUpdates(server: TestServer): Promise<void> {
  const times: number[] = []
  for (let i = 0; i < 50; i++) {
    const started = performance.now()
    const { body } = await server.request<{ taskUid: number }>('POST', '/indexes/movies/documents', [
      { id: 9_000_000 + i, title: `new film ${i}` },
    ])
    // Without pauses in between, which would count as well.
    while (!(await isDone(server, body.taskUid)));
    times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  console.log(`one document added to the full index: p50 ${ms(quantile(times, 0.5))}, p99 ${ms(quantile(times, 0.99))}`)
}

const server = await TestServer.start()
try {
  await storeMovies(server)
  await singleUpdates(server)
  await smallPosts(server, 2000)
} finally {
  await server.close()
}
