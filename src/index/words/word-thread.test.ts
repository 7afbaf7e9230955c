import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { afterAll, expect, test, vi } from 'vitest'
import { Bitmap } from '../../bitmap/index.js'
import { type DocId, FieldRegistry, type StoredDocument, sortByField } from '../../documents/index.js'
import type { IndexFolder } from '../../folder/index.js'
import { temporaryIndex } from '../../folder/temporary-index.fixture.js'
import { receivePayload } from '../../payload/index.js'
import { documentAnalyzer, WordRules, WordSink, type WordSinkOptions } from '../../postings/index.js'
import { startCode, startTestWorker, testWordThread } from '../../postings/parallel/word-thread.fixture.js'
import { compileFieldRoles, defaultSettings } from '../../settings/index.js'
import { SlicesFull } from '../../store/index.js'
import { JobCancelled } from '../../threads/index.js'
import type { DocumentOperation, IndexWork, TaskOutcome } from '../apply/job.js'
import type { WordResources } from '../apply/job-work.js'
import { runIndexJob } from '../apply/run-job.js'

const shared = testWordThread()
const handed: WordResources = { thread: shared, minBatchBytes: 0 }

afterAll(() => shared.close())

interface Batch {
  readonly key: string
  readonly work: IndexWork
}

/** What jobs warned of. */
const warnings: string[] = []

function run(folder: IndexFolder, { key, work }: Batch, words: WordResources, isCancelled = () => false) {
  const job = { path: '', indexUid: 'shop', now: '2026-01-05T10:00:00Z', batchKey: key, create: { primaryKey: 'id' } }
  const services = { selectByFilter: () => Bitmap.empty(), words }
  const warn = ({ message }: Error) => void warnings.push(message)
  return runIndexJob(folder, { ...job, work }, services, { progress() {}, isCancelled, warn }).outcomes
}

async function addition(documents: unknown, method: 'replace' | 'update' = 'replace'): Promise<DocumentOperation> {
  const parts: Buffer[] = []
  const write = async (bytes: Uint8Array): Promise<void> => void parts.push(Buffer.from(bytes))
  await receivePayload({ name: 'json' }, [Buffer.from(JSON.stringify(documents))], { write })
  return { kind: 'import', method, payload: { bytes: Buffer.concat(parts) }, primaryKey: null, skipCreation: false }
}

/** Everything in the folder, byte for byte. */
function bytesOf(folder: IndexFolder): string[] {
  folder.environment.refresh()
  return Object.entries(folder.databases).flatMap(([name, database]) =>
    Array.from(database.range(), ({ key, value }) => `${name} ${key.toString('latin1')} ${value.toString('latin1')}`),
  )
}

const word = fc.constantFrom('red', 'fox', 'the', 'Ünder', 'a+b', 'new|york', '日本の本', '😀', '42', 'foxes')
const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '))
const scalar = fc.oneof(text, fc.constantFrom<unknown>(null, true, 42, 1.5))
const nested = fc.record({ b: scalar, c: fc.array(scalar, { maxLength: 2 }) }, { requiredKeys: [] })
const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), nested, fc.array(nested, { maxLength: 2 }))

const document = fc.record(
  { id: fc.nat(40), title: value, a: value, 'a.b': value, d: fc.dictionary(fc.constantFrom('x', 'y', 'z'), value) },
  { requiredKeys: ['id'] },
)

const importing = fc.record({
  documents: fc.array(document, { minLength: 1, maxLength: 20 }),
  method: fc.constantFrom('replace' as const, 'update' as const),
})

const settings = fc.record(
  {
    searchableAttributes: fc.constantFrom(['*'], ['a'], ['a.b', 'd'], ['title', 'd.x']),
    filterableAttributes: fc.constantFrom([], ['title'], ['d.*']),
    stopWords: fc.constantFrom([], ['the', 'red']),
    localizedAttributes: fc.constantFrom(null, [{ attributePatterns: ['*'], locales: ['jpn'] }]),
  },
  { requiredKeys: [] },
)

const command = fc.oneof(
  { weight: 5, arbitrary: fc.array(fc.oneof(importing, fc.array(fc.nat(40), { maxLength: 9 })), { maxLength: 4 }) },
  { weight: 2, arbitrary: settings },
)

type Command = typeof command extends fc.Arbitrary<infer T> ? T : never

async function workOf(given: Command): Promise<IndexWork> {
  if (!Array.isArray(given)) return { kind: 'settings', patches: [JSON.stringify(given)] }
  const operations = given.map(async (each): Promise<DocumentOperation> => {
    if (Array.isArray(each)) return { kind: 'deleteIds', ids: each.map(String) }
    return addition(each.documents, each.method)
  })
  return { kind: 'documents', operations: await Promise.all(operations) }
}

test('random batches leave the same bytes with another thread and without', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 8, maxLength: 10 }), async (commands) => {
      const [alone, helped] = [temporaryIndex(), temporaryIndex()]
      for (const [i, given] of commands.entries()) {
        const batch = { key: `b${i}`, work: await workOf(given) }
        const outcomes = [run(alone, batch, {}), run(helped, batch, handed)]
        expect(outcomes[1]).toEqual(outcomes[0])
        expect(bytesOf(helped)).toEqual(bytesOf(alone))
      }
    }),
    { numRuns: 5 },
  )
})

test('however little memory there is and however small the blocks are, the bytes are the same', () => {
  const small = { maxBytes: 3000, maxPairBytes: 40, maxWords: 3 }
  const fields = fc.array(fc.tuple(fc.constantFrom('a', 'b'), text), { maxLength: 2 })
  const step = fc.tuple(fc.nat(30), fc.option(fields, { nil: undefined }))
  fc.assert(
    fc.property(fc.array(fc.array(step, { maxLength: 60 }), { maxLength: 3 }), (rounds) => {
      const bothSettings = { before: defaultSettings, after: defaultSettings }
      const helper = { thread: shared, minBatchBytes: 0, settings: bothSettings }
      const [alone, helped] = [small, { ...small, helper }].map((options) => filled(rounds, options))
      expect(bytesOf(helped!)).toEqual(bytesOf(alone!))
    }),
    { numRuns: 15 },
  )
})

type Rounds = readonly (readonly (readonly [number, readonly (readonly [string, string])[] | undefined])[])[]

function filled(rounds: Rounds, options: WordSinkOptions): IndexFolder {
  const folder = temporaryIndex()
  const registry = new FieldRegistry()
  const held = new Map<number, StoredDocument>()
  const rules = new WordRules(registry, compileFieldRoles(defaultSettings), documentAnalyzer(defaultSettings))
  for (const steps of rounds) {
    folder.write(() => {
      const sink = new WordSink(folder, { before: rules, after: rules }, options)
      sink.foresee({ bytes: 1 })
      for (const [docId, members] of steps) {
        const after = members === undefined ? undefined : storedOf(registry, members)
        sink.change(docId as DocId, held.get(docId), after)
        if (after === undefined) held.delete(docId)
        else held.set(docId, after)
      }
      sink.end()
      sink.finish()
    })
  }
  return folder
}

function storedOf(registry: FieldRegistry, members: readonly (readonly [string, string])[]): StoredDocument {
  const fields = Array.from(new Map(members), ([name, text]) => ({
    fieldId: registry.register(name),
    value: Buffer.from(JSON.stringify(text)),
  }))
  return sortByField(fields)
}

const many = (count: number) =>
  Array.from({ length: count }, (_, id) => ({
    id,
    title: `red fox ${id} ${id % 97}`,
    text: `word${id % 1009} `.repeat(9),
  }))

const documentsBatch = async (key: string, documents: unknown): Promise<Batch> => ({
  key,
  work: { kind: 'documents', operations: [await addition(documents)] },
})

test('a batch of many documents is handed over in pieces and comes back in pieces', async () => {
  const [alone, helped] = [temporaryIndex(), temporaryIndex()]
  // The second one finds the words of the first.
  for (const [key, documents] of [
    ['one', many(2500)],
    ['two', many(3000).slice(2000)],
  ] as const) {
    const batch = await documentsBatch(key, documents)
    run(alone, batch, { maxBytes: 1 << 19 })
    run(helped, batch, { thread: shared, minBatchBytes: 0, maxBytes: 1 << 19 })
    expect(shared.handed.attempts).toBeGreaterThan(1)
    expect(shared.handed.waits).toBeLessThanOrEqual(shared.handed.attempts)
    expect(bytesOf(helped)).toEqual(bytesOf(alone))
  }
})

test('small batches start no thread', async () => {
  const thread = testWordThread({
    startWorker: () => {
      throw new Error('a thread was started')
    },
  })
  const indexed: TaskOutcome[] = [{ ok: true, indexed: 100 }]
  expect(run(temporaryIndex(), await documentsBatch('one', many(100)), { thread })).toEqual(indexed)
})

const failing = [
  ['ends', 'process.exit(1)', 200],
  ['does nothing', 'setInterval(() => {}, 1000)', 200],
  [
    'fails',
    `const { port, shared } = require('node:worker_threads').workerData
     port.on('message', () => port.postMessage({ kind: 'failed', message: 'no' }))`,
    20_000,
  ],
] as const

test.each(failing)('a batch is done all the same when the thread %s', async (_, code, lostAfterMs) => {
  warnings.length = 0
  const thread = testWordThread({ startWorker: startCode(code), lostAfterMs })
  const [alone, helped] = [temporaryIndex(), temporaryIndex()]
  const batch = await documentsBatch('one', many(500))
  expect(run(helped, batch, { thread, minBatchBytes: 0 })).toEqual(run(alone, batch, {}))
  expect(bytesOf(helped)).toEqual(bytesOf(alone))
  expect(thread.isUsable).toBe(false)
  const next = await documentsBatch('two', many(600))
  expect(run(helped, next, { thread, minBatchBytes: 0 })).toEqual(run(alone, next, {}))
  expect(bytesOf(helped)).toEqual(bytesOf(alone))
  // Once: a thread that was lost is not used again.
  expect(warnings).toEqual([expect.stringContaining('the word thread was lost')])
  await thread.close()
})

test('a batch whose slices find no room is done all the same, without them', async () => {
  const thread = testWordThread()
  const [alone, helped] = [temporaryIndex(), temporaryIndex()]
  const slices = vi.spyOn(helped.environment, 'inSlice').mockImplementationOnce((work) => {
    work()
    throw new SlicesFull(undefined)
  })
  const batch = await documentsBatch('one', many(500))
  expect(run(helped, batch, { thread, minBatchBytes: 0 })).toEqual(run(alone, batch, {}))
  expect(bytesOf(helped)).toEqual(bytesOf(alone))
  expect(slices.mock.calls.length).toBeGreaterThan(1)
  expect(thread.isUsable).toBe(true)
  await thread.close()
})

test('a batch that is stopped while it waits leaves everything as it was, and the next one is not disturbed', async () => {
  const starts = [startCode('setInterval(() => {}, 1000)'), startTestWorker]
  const thread = testWordThread({ startWorker: (options) => starts.shift()!(options) })
  const [alone, helped] = [temporaryIndex(), temporaryIndex()]
  const [first, second] = [await documentsBatch('one', many(50)), await documentsBatch('two', many(200))]
  for (const folder of [alone, helped]) run(folder, first, {})
  let looks = 0
  const words = { thread, minBatchBytes: 0 }
  expect(() => run(helped, second, words, () => looks++ > 5)).toThrow(JobCancelled)
  expect(bytesOf(helped)).toEqual(bytesOf(alone))
  run(helped, second, words)
  run(alone, second, {})
  expect(bytesOf(helped)).toEqual(bytesOf(alone))
  expect(starts).toEqual([])
  await thread.close()
})

test('the thread ends when it has had nothing to do for a while, and starts again', async () => {
  const started: Worker[] = []
  const thread = testWordThread({
    endAfterMs: 1,
    startWorker(options) {
      const worker = startTestWorker(options)
      started.push(worker)
      return worker
    },
  })
  const folder = temporaryIndex()
  run(folder, await documentsBatch('one', many(20)), { thread, minBatchBytes: 0 })
  await once(started[0]!, 'exit')
  run(folder, await documentsBatch('two', many(30)), { thread, minBatchBytes: 0 })
  expect(started).toHaveLength(2)
  await thread.close()
})
