import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TestServer } from './server.js'

const NDJSON = { 'content-type': 'application/x-ndjson' }

const listOf = (item: string, bytes: number) => Buffer.from(`[${`${item},`.repeat(bytes / (item.length + 1))}${item}]`)
const names = (count: number) => Array.from({ length: count }, (_, i) => `"f${i}":1`).join(',')

const codeOf = (answer: { status: number; body: Record<string, unknown> }) => [answer.status, answer.body.code]

/** Asks whether the server is well until `work` is done. Answers the longest time that took, in milliseconds. */
async function slowestHealth(server: TestServer, work: Promise<unknown>): Promise<number> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  let slowest = 0
  while (!isDone) {
    const start = performance.now()
    expect((await server.request('GET', '/health')).status).toBe(200)
    slowest = Math.max(slowest, performance.now() - start)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await done
  return slowest
}

/** On a quiet machine it is a few milliseconds; before, it was as many seconds. */
const PATIENCE_MS = 2000

describe('22.2.1: large bodies', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await TestServer.start({
      masterKey: 'a-master-key-of-tests',
      env: { NODE_OPTIONS: '--max-old-space-size=256' },
    })
    await server.waitTask(Number((await server.request('POST', '/indexes/a/documents', [{ id: 1 }])).body.taskUid))
  })
  afterAll(() => server.close())

  test('of millions of values are refused, compressed or not, on every kind of route', async () => {
    const objects = listOf('{}', 20_000_000)
    const inside = Buffer.concat([Buffer.from('{"x":'), objects, Buffer.from('}')])
    const packed = { 'content-encoding': 'gzip' }
    const work = async () => {
      const batch = '/indexes/a/documents/delete-batch'
      expect(codeOf(await server.request('POST', batch, objects))).toEqual([413, 'payload_too_large'])
      expect(codeOf(await server.request('POST', batch, gzipSync(objects), packed))).toEqual([413, 'payload_too_large'])
      expect(codeOf(await server.request('POST', '/keys', inside))[0]).toBe(413)
      expect(codeOf(await server.request('PATCH', '/indexes/a/settings', gzipSync(inside), packed))[0]).toBe(413)
      expect(codeOf(await server.request('POST', '/indexes/a/search', inside))).toEqual([413, 'payload_too_large'])
    }
    expect(await slowestHealth(server, work())).toBeLessThan(PATIENCE_MS)
  }, 120_000)

  test('with a million ids delete documents', async () => {
    const ids = Array.from({ length: 1_000_000 }, (_, i) => i)
    const work = async () => {
      const { status, body } = await server.request('POST', '/indexes/a/documents/delete-batch', ids)
      expect(status).toBe(202)
      const details = { providedIds: 1_000_000, deletedDocuments: 1, originalFilter: null }
      expect(await server.waitTask(Number(body.taskUid))).toMatchObject({ status: 'succeeded', details })
    }
    expect(await slowestHealth(server, work())).toBeLessThan(PATIENCE_MS)
  }, 120_000)

  test('that are long but say little are read like short ones', async () => {
    const ids = `[${' '.repeat(200_000)}"none"]`
    const { body } = await server.request('POST', '/indexes/a/documents/delete-batch', ids)
    expect(await server.waitTask(Number(body.taskUid))).toMatchObject({ details: { providedIds: 1 } })
    const documents = `[${' '.repeat(200_000)}]`
    const added = await server.request('POST', '/indexes/a/documents', documents)
    expect(await server.waitTask(Number(added.body.taskUid))).toMatchObject({ details: { receivedDocuments: 0 } })
  })

  test('with a hundred thousand synonyms change settings', async () => {
    const synonyms = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`word${i}`, [`other${i}`, 'more']]))
    const { status, body } = await server.request('PATCH', '/indexes/a/settings', { synonyms })
    expect(status).toBe(202)
    const task = await server.waitTask(Number(body.taskUid))
    expect(task).toMatchObject({ status: 'succeeded', details: { synonyms: { word99999: ['other99999', 'more'] } } })
    const shown = await server.request<{ details: unknown }>('GET', `/batches/${task.batchUid}`)
    expect(shown.body.details).toEqual({ synonyms })
    expect((await server.request('GET', '/indexes/a/settings/synonyms')).body).toEqual(synonyms)
    expect((await server.request('GET', '/indexes/a/settings')).body).toMatchObject({ synonyms, stopWords: [] })
  }, 120_000)

  test('of one document with millions of names or values are refused with a small heap', async () => {
    const post = (body: string) => server.request('POST', '/indexes/a/documents', body, NDJSON)
    const work = async () => {
      for (const body of [
        `{"id":1,${names(2_500_000)}}`,
        `{"id":1,"x":{${names(2_500_000)}}}`,
        `{"id":1,"x":[${'{},'.repeat(10_000_000)}1]}`,
        `{"id":1,"x":[${'1e2,'.repeat(10_000_000)}1]}`,
      ]) {
        expect(codeOf(await post(body))).toEqual([400, 'malformed_payload'])
      }
    }
    expect(await slowestHealth(server, work())).toBeLessThan(PATIENCE_MS)
  }, 120_000)

  test('of documents with more names than an index can hold fail their own task', async () => {
    const post = async (body: string) => {
      const answer = await server.request('POST', '/indexes/wide/documents', body, NDJSON)
      return server.waitTask(Number(answer.body.taskUid))
    }
    expect(await post(`{"id":1,${names(300_000)}}`)).toMatchObject({ error: { code: 'max_fields_limit_exceeded' } })
    expect(await post('{"id":1,"a":1}')).toMatchObject({ status: 'succeeded' })
  }, 120_000)
})
