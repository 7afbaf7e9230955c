import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { Bitmap } from '../../bitmap/index.js'
import { SyncEmbedders } from '../../embed/index.js'
import { cleanUp, later, loopback } from '../../embed/provider.fake.js'
import { FailureError } from '../../errors/index.js'
import type { IndexFolder } from '../../folder/index.js'
import { temporaryIndex } from '../../folder/temporary-index.fixture.js'
import { temporaryFolder } from '../../store/temporary.fixture.js'
import type { DocumentEmbedders, VectorRecording } from '../../vectors/index.js'
import type { IndexWork } from '../apply/job.js'
import { prepareIndexJob } from '../apply/run-job.js'
import { folderDigest } from '../digest/local-entries.js'
import { addition } from './vector-index.fixture.js'

afterEach(cleanUp)

/** A model in a thread of its own, since the test is blocked while it asks. It never answers twice alike. */
const MODEL = `
  const { createServer } = require('node:http')
  const { parentPort } = require('node:worker_threads')
  createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { input } = JSON.parse(text)
    if (input.some((each) => each.includes('refuse'))) return response.writeHead(400).end('no such input')
    response.end(JSON.stringify({ out: input.map(() => [Math.random(), Math.random(), Math.random()]) }))
  }).listen(0, '127.0.0.1', function () { parentPort.postMessage(this.address().port) })
`

async function startModel(): Promise<{ url: string; stop: () => Promise<unknown> }> {
  const worker = new Worker(MODEL, { eval: true })
  later(() => worker.terminate())
  const [port] = await once(worker, 'message')
  return { url: `http://127.0.0.1:${port}`, stop: () => worker.terminate() }
}

/** Asks models by the real thread, compiled on the way. */
function openEmbedders(): DocumentEmbedders {
  const file = JSON.stringify(new URL('../../embed/embedding-worker.ts', import.meta.url).href)
  const code = `import('tsx/esm/api').then(({ tsImport }) => tsImport(${file}, ${file}))`
  const embedders = SyncEmbedders.start({
    embedding: {
      cacheEntries: 0,
      requestTimeoutMs: 20_000,
      maxRetryMs: 1,
      ignoresEmbedderFailures: false,
      openAiApiKey: null,
      ollamaUrl: '',
    },
    networks: loopback(),
    userAgent: 'findling-test',
    startWorker: (options) => new Worker(code, { ...options, eval: true }),
  })
  later(() => embedders.close())
  return {
    ignoresTemplateFailures: false,
    dimensions: (...asked) => embedders.dimensions(...asked),
    embed: (...asked) => embedders.embed(...asked),
  }
}

interface Server {
  readonly folder: IndexFolder
  readonly embedders?: DocumentEmbedders
}

async function apply({ folder, embedders }: Server, batchKey: string, work: IndexWork, vectors: VectorRecording) {
  const place = { path: '', indexUid: 'shop', create: { primaryKey: 'id' } }
  const job = { ...place, now: '2026-01-05T10:00:00Z', batchKey, work, vectors, digest: true } as const
  const services = { selectByFilter: () => Bitmap.empty(), ...(embedders && { embedders }) }
  const prepared = prepareIndexJob(folder, job, services, { progress() {}, isCancelled: () => false })
  const isThere = existsSync(vectors.path)
  await prepared.commit()
  return { ...prepared.outcome, isThere }
}

const embedder = (url: string) => ({
  source: 'rest',
  url,
  documentTemplate: '{{doc.title}}',
  request: { input: ['{{text}}', '{{..}}'] },
  response: { out: ['{{embedding}}', '{{..}}'] },
})

const imported = async (...list: readonly object[]): Promise<IndexWork> => ({
  kind: 'documents',
  operations: [await addition(list, 'replace')],
})

test('what a model said on one server is said again on another, without the model', async () => {
  const model = await startModel()
  const first: Server = { folder: temporaryIndex(), embedders: openEmbedders() }
  const second: Server = { folder: temporaryIndex() }
  const titles = Array.from({ length: 60 }, (_, id) => ({ id, title: `title ${id % 50}` }))
  const works: [work: IndexWork, asks: boolean][] = [
    [await imported(...titles.slice(0, 30)), false],
    [{ kind: 'settings', patches: [JSON.stringify({ embedders: { own: embedder(model.url) } })] }, true],
    [await imported(...titles.slice(20), { id: 3, title: 'another' }), true],
    [{ kind: 'deletions', operations: [{ kind: 'deleteIds', ids: ['4', '5'] }] }, false],
  ]
  const folder = temporaryFolder()
  const told: (string | undefined)[] = []
  for (const [i, [work, asks]] of works.entries()) {
    const { digest, recordedVectors, isThere } = await apply(first, `b${i}`, work, {
      mode: 'record',
      path: join(folder, String(i)),
    })
    expect([recordedVectors, isThere]).toEqual([asks || undefined, asks])
    told.push(digest)
  }
  await model.stop()
  for (const [i, [work]] of works.entries()) {
    const vectors = { mode: 'replay', path: join(folder, String(i)) } as const
    const { digest, recordedVectors } = await apply(second, `b${i}`, work, vectors)
    expect([digest, recordedVectors]).toEqual([told[i], undefined])
  }
  expect(folderDigest(second.folder)).toBe(folderDigest(first.folder))
  // Thirty texts, of which some came twice.
  expect(statSync(join(folder, '2')).size).toBeLessThan(8 + 41 * (20 + 12) + 4)

  const unknown = await imported({ id: 99, title: 'nobody asked for this' })
  const replay = { mode: 'replay', path: join(folder, '2') } as const
  const before = folderDigest(second.folder)
  const lacking = apply(second, 'c', unknown, replay)
  await expect(lacking).rejects.toThrow('lacks a text')
  await expect(lacking).rejects.not.toBeInstanceOf(FailureError)
  expect(folderDigest(second.folder)).toBe(before)
})

test('a job that fails leaves no record', async () => {
  const { url } = await startModel()
  const server: Server = { folder: temporaryIndex(), embedders: openEmbedders() }
  const folder = temporaryFolder()
  const record = (name: string) => ({ mode: 'record', path: join(folder, name) }) as const
  const settings = { kind: 'settings', patches: [JSON.stringify({ embedders: { own: embedder(url) } })] } as const
  await apply(server, 'a', settings, record('a'))
  const list = Array.from({ length: 500 }, (_, id) => ({ id, title: id === 499 ? 'refuse' : `title ${id}` }))
  await expect(apply(server, 'b', await imported(...list), record('b'))).rejects.toThrow(FailureError)
  expect([existsSync(join(folder, 'a')), existsSync(join(folder, 'b'))]).toEqual([true, false])
})
