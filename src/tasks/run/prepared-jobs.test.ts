import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, test } from 'vitest'
import { Bitmap } from '../../bitmap/index.js'
import { IndexFolder } from '../../folder/index.js'
import type { IndexJob, IndexWork, JobServices, PayloadSource } from '../../index/index.js'
import { receivePayload } from '../../payload/index.js'
import { temporaryFolder } from '../../store/temporary.fixture.js'
import { JobCancelled } from '../../threads/index.js'
import { createInlineIndexing, type Indexing } from './indexing.js'
import { IndexingThread } from './indexing-thread.js'

const services: JobServices = { selectByFilter: () => Bitmap.empty() }

/** The real thread, compiled on the way. */
const startWorker: ConstructorParameters<typeof IndexingThread>[0]['startWorker'] = (options) => {
  const file = JSON.stringify(new URL('./indexing-worker.ts', import.meta.url).href)
  const code = `import('tsx/esm/api').then(({ tsImport }) => tsImport(${file}, ${file}))`
  return new Worker(code, { ...options, eval: true })
}

const limits = { maxMemoryBytes: 2 ** 28, maxThreads: 1 }

const noProgress = (): void => {}

async function payloadOf(documents: readonly object[]): Promise<Buffer> {
  const parts: Buffer[] = []
  const write = async (bytes: Uint8Array): Promise<void> => void parts.push(Buffer.from(bytes))
  await receivePayload({ name: 'json' }, [Buffer.from(JSON.stringify(documents))], { write })
  return Buffer.concat(parts)
}

function importOf(payload: PayloadSource): IndexWork {
  const operation = { kind: 'import', method: 'replace', payload, primaryKey: 'id', skipCreation: false } as const
  return { kind: 'documents', operations: [operation] }
}

async function jobOf(path: string, batchKey: string, documents: readonly object[]): Promise<IndexJob> {
  const now = '2026-01-05T10:00:00Z'
  return {
    path,
    indexUid: 'shop',
    now,
    batchKey,
    create: { primaryKey: 'id' },
    work: importOf({ bytes: await payloadOf(documents) }),
  }
}

const opened: Indexing[] = []

afterEach(async () => {
  for (const indexing of opened.splice(0)) await indexing.close()
})

const KINDS: Record<string, () => Indexing> = {
  'on the thread that asks': () => createInlineIndexing(services),
  'on the indexing thread': () => new IndexingThread({ limits, startWorker }),
}

describe.each(Object.entries(KINDS))('a job that is prepared %s', (_, create) => {
  function open(): { indexing: Indexing; path: string; count: () => number } {
    const indexing = create()
    opened.push(indexing)
    const path = join(temporaryFolder(), 'index')
    const reader = IndexFolder.open(path)
    const count = () => {
      reader.environment.refresh()
      return reader.docIds().size
    }
    return { indexing, path, count }
  }

  test('is seen by nobody before it is committed, and then by all', async () => {
    const { indexing, path, count } = open()
    const held = await indexing.prepare(await jobOf(path, 'a', [{ id: 1 }, { id: 2, title: 'fox' }]), noProgress).done
    expect(count()).toBe(0)
    const { stats, outcomes } = held.outcome
    expect(outcomes).toEqual([{ ok: true, indexed: 2 }])
    expect(stats.fieldDistribution).toEqual([
      ['id', 2],
      ['title', 1],
    ])
    const committed = await held.commit()
    expect(count()).toBe(2)
    const { sizeBytes, ...others } = committed.stats
    expect(stats).toMatchObject(others)
    expect(stats.databaseBytes.documents).toBeGreaterThan(0)
    expect(sizeBytes).toBeGreaterThanOrEqual(stats.sizeBytes)
    expect({ ...committed, stats }).toEqual(held.outcome)
  })

  test('leaves the index as it was when it is aborted, and can be done anew', async () => {
    const { indexing, path, count } = open()
    await indexing.run(await jobOf(path, 'a', [{ id: 1 }]), noProgress).done
    const job = await jobOf(path, 'b', [{ id: 2 }, { id: 3 }])
    const held = await indexing.prepare(job, noProgress).done
    await held.abort()
    await held.abort()
    expect(count()).toBe(1)
    await expect(held.commit()).rejects.toThrow('aborted')
    const { stats } = await indexing.run(job, noProgress).done
    expect([stats.numberOfDocuments, count()]).toEqual([3, 3])
  })

  test('that is committed stays so', async () => {
    const { indexing, path, count } = open()
    const held = await indexing.prepare(await jobOf(path, 'a', [{ id: 1 }]), noProgress).done
    await held.commit()
    await held.abort()
    expect(count()).toBe(1)
  })

  test('that had been done already is not done again, whatever is decided', async () => {
    const { indexing, path, count } = open()
    const job = await jobOf(path, 'a', [{ id: 1 }])
    const first = await indexing.run(job, noProgress).done
    for (const verdict of ['abort', 'commit'] as const) {
      const held = await indexing.prepare({ ...job, work: { kind: 'clear', patches: [] } }, noProgress).done
      expect(held.outcome.outcomes).toEqual(first.outcomes)
      await held[verdict]()
      expect(count()).toBe(1)
    }
  })

  test('is waited for by whatever is asked for next', async () => {
    const { indexing, path, count } = open()
    const other = join(temporaryFolder(), 'other')
    const held = await indexing.prepare(await jobOf(path, 'a', [{ id: 1 }]), noProgress).done
    const order: string[] = []
    const next = indexing.run(await jobOf(other, 'b', [{ id: 2 }]), noProgress).done.then(() => order.push('next'))
    const released = indexing.release(path).then(() => order.push('released'))
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(order).toEqual([])
    await held.commit().then(() => order.push('committed'))
    await Promise.all([next, released])
    expect([order, count()]).toEqual([['committed', 'next', 'released'], 1])
  })

  test('can be canceled as long as it is being prepared, and stands in nobody’s way then', async () => {
    const { indexing, path, count } = open()
    const many = Array.from({ length: 3000 }, (_, id) => ({ id, title: `number ${id}` }))
    const running = indexing.prepare(await jobOf(path, 'a', many), noProgress)
    running.cancel()
    await expect(running.done).rejects.toThrow(JobCancelled)
    const other = indexing.prepare(await jobOf(path, 'b', [{ id: 1 }]), noProgress)
    const held = await other.done
    const next = indexing.run(await jobOf(path, 'c', many), noProgress)
    other.cancel()
    await held.commit()
    await next.done
    expect(count()).toBe(3000)
  })

  test('that fails keeps nobody waiting', async () => {
    const { indexing, path, count } = open()
    const job = { ...(await jobOf(path, 'a', [{ id: 1 }])), create: null }
    await expect(indexing.prepare(job, noProgress).done).rejects.toThrow('shop')
    await indexing.run(await jobOf(path, 'b', [{ id: 1 }]), noProgress).done
    expect(count()).toBe(1)
  })

  test('is aborted when indexing is closed', async () => {
    const { indexing, path, count } = open()
    const held = await indexing.prepare(await jobOf(path, 'a', [{ id: 1 }]), noProgress).done
    const behind = indexing.prepare(await jobOf(path, 'b', [{ id: 2 }]), noProgress).done
    await indexing.close()
    expect(count()).toBe(0)
    await expect(held.commit()).rejects.toThrow('aborted')
    await expect((await behind).commit()).rejects.toThrow('aborted')
  })
})

describe('a process ends at once, and changes nothing', () => {
  const thread = JSON.stringify(new URL('./indexing-thread.ts', import.meta.url).href)
  const worker = JSON.stringify(new URL('./indexing-worker.ts', import.meta.url).href)

  /** Runs `code` in a process of its own, which knows `indexing` and `job`; answers its exit code. */
  async function exitCodeOf(job: IndexJob, code: string): Promise<number | null> {
    const program = `
      import { readFileSync } from 'node:fs'
      import { Worker } from 'node:worker_threads'
      import { tsImport } from 'tsx/esm/api'
      const { IndexingThread } = await tsImport(${thread}, ${thread})
      const load = 'import("tsx/esm/api").then(({ tsImport }) => tsImport(' + ${JSON.stringify(worker)} + ', ' + ${JSON.stringify(worker)} + '))'
      const startWorker = (options) => new Worker(load, { ...options, eval: true })
      const indexing = new IndexingThread({ limits: ${JSON.stringify(limits)}, startWorker })
      const job = ${JSON.stringify(job)}
      ${code}`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' })
    const [exitCode] = (await once(child, 'exit')) as [number | null]
    return exitCode
  }

  const settings: IndexWork = { kind: 'settings', patches: ['{"displayedAttributes":["id"]}'] }
  const now = '2026-01-05T10:00:00Z'
  const jobOn = (path: string): IndexJob => ({
    ...{ path, indexUid: 'shop', now, batchKey: 'a', create: { primaryKey: 'id' } },
    work: settings,
  })

  async function expectUnchanged(path: string): Promise<void> {
    const reader = IndexFolder.open(path)
    expect([reader.settingsBytes(), reader.meta()?.documentCount]).toEqual([undefined, 0])
    await reader.close()
  }

  test('while a job is held', async () => {
    const path = join(temporaryFolder(), 'index')
    const exitCode = await exitCodeOf(jobOn(path), 'await indexing.prepare(job, () => {}).done; process.exit(7)')
    expect(exitCode).toBe(7)
    await expectUnchanged(path)
  })

  test('while a job runs', async () => {
    const path = join(temporaryFolder(), 'index')
    const many = Array.from({ length: 20_000 }, (_, id) => ({ id, title: `number ${id}` }))
    const file = join(temporaryFolder(), 'payload')
    writeFileSync(file, await payloadOf(many))
    const job: IndexJob = { ...jobOn(path), work: importOf({ path: file }) }
    const read = 'job.work.operations[0].payload = { bytes: readFileSync(job.work.operations[0].payload.path) };'
    const exitCode = await exitCodeOf(job, `${read} indexing.run(job, () => process.exit(7))`)
    expect(exitCode).toBe(7)
    await expectUnchanged(path)
  })
})
