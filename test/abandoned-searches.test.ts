import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestServer } from './server.js'

const COUNT = 20_000

let server: TestServer

beforeAll(async () => {
  server = await TestServer.start()
  await done('PATCH', '/indexes/places/settings', { filterableAttributes: ['_geo'] })
  const documents = Array.from({ length: COUNT }, (_, id) => ({ id, _geo: { lat: (id % 160) - 80, lng: id % 170 } }))
  await done('POST', '/indexes/places/documents', documents)
}, 120_000)

afterAll(() => server.close())

async function done(method: string, path: string, body: unknown): Promise<void> {
  const answer = await server.request<{ taskUid: number }>(method, path, body)
  expect(await server.waitTask(answer.body.taskUid)).toMatchObject({ status: 'succeeded' })
}

/** Some seconds of work: the distance of every document, again and again. */
const expensive = (i: number) => ({
  q: `${i}`,
  filter: Array.from({ length: 20 }, (_, k) => `_geoRadius(${k}, ${k + i / 100}, 19000000)`).join(' OR '),
})

/** Sends a search and leaves as soon as it was sent. */
function askAndLeave(body: string): Promise<void> {
  return new Promise((resolve) => {
    const head = `POST /indexes/places/search HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`
    const socket = connect(server.port, '127.0.0.1', () => {
      socket.write(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`, () => {
        setTimeout(() => socket.destroy(), 100)
      })
    })
    socket.on('close', () => resolve()).on('error', () => {})
  })
}

test('nobody waits for searches whose clients have gone', async () => {
  const alone = performance.now()
  await server.request('POST', '/indexes/places/search', expensive(0))
  const aloneMs = performance.now() - alone
  await Promise.all(Array.from({ length: 40 }, (_, i) => askAndLeave(JSON.stringify(expensive(i + 1)))))
  const start = performance.now()
  const { status } = await server.request('POST', '/indexes/places/search', {})
  expect(status).toBe(200)
  // Forty of them on a few threads would take many times as long as one.
  expect(performance.now() - start).toBeLessThan(aloneMs)
}, 300_000)
