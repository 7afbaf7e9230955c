import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { Bitmap } from '../../bitmap/index.js'
import { IndexFolder } from '../../folder/index.js'
import { olderIndex, temporaryIndex } from '../../folder/temporary-index.fixture.js'
import { receivePayload } from '../../payload/index.js'
import { followSets } from '../../postings/index.js'
import { testWordThread } from '../../postings/parallel/word-thread.fixture.js'
import { temporaryFolder } from '../../store/temporary.fixture.js'
import type { DocumentOperation, IndexWork, JobOutcome } from '../apply/job.js'
import type { WordResources } from '../apply/job-work.js'
import { runIndexJob } from '../apply/run-job.js'
import { completeNames } from '../fields/complete-names.js'
import { indexStats } from '../index-stats.js'
import { frequentNeeds } from '../sets/frequent-needs.js'
import { folderDigest } from './local-entries.js'

const thread = testWordThread()
afterAll(() => thread.close())

const NOW = '2026-01-05T10:00:00Z'

function run(
  folder: IndexFolder,
  batchKey: string,
  work: IndexWork,
  words: WordResources = {},
  wordBytes = 1 << 20,
): JobOutcome {
  const place = { path: '', indexUid: 'shop', create: { primaryKey: 'id' } }
  const job = { ...place, now: NOW, batchKey, work, digest: true, wordBytes } as const
  const services = { selectByFilter: () => Bitmap.of(1, 3), words: { sets: 'later', ...words } as const }
  return runIndexJob(folder, job, services, { progress() {}, isCancelled: () => false })
}

/** The sum of two digests. */
function plus(a: string, b: string): string {
  const half = (from: number) =>
    (Number.parseInt(a.slice(from, from + 8), 16) + Number.parseInt(b.slice(from, from + 8), 16)) >>> 0
  return [half(0), half(8)].map((each) => each.toString(16).padStart(8, '0')).join('')
}

async function addition(documents: unknown, method: 'replace' | 'update' = 'replace'): Promise<DocumentOperation> {
  const parts: Buffer[] = []
  const write = async (bytes: Uint8Array): Promise<void> => void parts.push(Buffer.from(bytes))
  await receivePayload({ name: 'json' }, [Buffer.from(JSON.stringify(documents))], { write })
  return { kind: 'import', method, payload: { bytes: Buffer.concat(parts) }, primaryKey: null, skipCreation: false }
}

const documents = async (...list: readonly object[]): Promise<IndexWork> => ({
  kind: 'documents',
  operations: [await addition(list)],
})

const word = fc.oneof(
  fc.constantFrom('red', 'fox', 'the', 'Ünder', 'a+b', '日本の本', '42', 'foxes'),
  fc.nat(400).map((n) => `word${n}`),
)
const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(' '))
const vector = fc.tuple(fc.float({ noNaN: true, min: -1, max: 1 }), fc.float({ noNaN: true, min: -1, max: 1 }))
const document = fc.record(
  {
    id: fc.nat(60),
    title: text,
    text,
    price: fc.oneof(fc.nat(9), fc.double({ noNaN: true, noDefaultInfinity: true })),
    tags: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
    _geo: fc.record({ lat: fc.nat(80), lng: fc.nat(80) }),
    _vectors: vector.map((own) => ({ own })),
  },
  { requiredKeys: ['id'] },
)
const importing = fc.record({
  list: fc.array(document, { minLength: 1, maxLength: 40 }),
  method: fc.constantFrom('replace' as const, 'update' as const),
})
const settings = fc.record(
  {
    searchableAttributes: fc.constantFrom(['*'], ['title']),
    filterableAttributes: fc.constantFrom([], ['price', 'tags'], ['*']),
    sortableAttributes: fc.constantFrom([], ['price', '_geo']),
    stopWords: fc.constantFrom([], ['the', 'red']),
    embedders: fc.constantFrom({ own: { source: 'userProvided', dimensions: 2 } }, { own: null }),
  },
  { requiredKeys: [] },
)
const command = fc.oneof(
  { weight: 6, arbitrary: fc.array(fc.oneof(importing, fc.array(fc.nat(60), { maxLength: 9 })), { maxLength: 3 }) },
  { weight: 2, arbitrary: settings },
  { weight: 1, arbitrary: fc.constant('clear' as const) },
  { weight: 1, arbitrary: fc.constant('edit' as const) },
)

type Command = typeof command extends fc.Arbitrary<infer T> ? T : never

async function workOf(given: Command): Promise<IndexWork> {
  if (given === 'clear') return { kind: 'clear', patches: [] }
  if (given === 'edit') return { kind: 'edit', filter: null, context: null, function: 'doc.title = "edited fox"' }
  if (!Array.isArray(given)) return { kind: 'settings', patches: [JSON.stringify(given)] }
  const operations = given.map(async (each): Promise<DocumentOperation> => {
    if (Array.isArray(each)) return { kind: 'deleteIds', ids: each.map(String) }
    return addition(each.list, each.method)
  })
  return { kind: 'documents', operations: await Promise.all(operations) }
}

/** What a server does when there is time. */
type Upkeep = 'sets' | 'compaction' | 'reopening' | 'nothing'
const upkeep = fc.constantFrom<Upkeep>('sets', 'sets', 'compaction', 'reopening', 'nothing')

async function afterUpkeep(folder: IndexFolder, what: Upkeep): Promise<IndexFolder> {
  const { documentCount = 0 } = folder.meta() ?? {}
  const needs = frequentNeeds(folder, documentCount, () => false)
  const rarityLimits = { term: 6, longPrefix: 3, pair: 5 }
  if (what === 'sets') {
    folder.maintain(() => followSets(folder, { ...needs, manyDocuments: 5, mostChanged: 2, rarityLimits }))
    return folder
  }
  if (what === 'nothing') return folder
  const path = what === 'compaction' ? temporaryFolder() : folder.environment.path
  if (what === 'compaction') await folder.environment.copyCompacted(path)
  await folder.close()
  return IndexFolder.open(path)
}

const step = fc.record({ command, upkeep: fc.tuple(upkeep, upkeep) })

test('two folders with the same batches have the same digests, whatever else was done to them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 6, maxLength: 9 }),
      fc.constantFrom(2000, 20_000, 1 << 20),
      async (steps, wordBytes) => {
        let folders = [IndexFolder.open(temporaryFolder()), IndexFolder.open(temporaryFolder())] as const
        const ways: readonly WordResources[] = [{}, { thread, minBatchBytes: 0, maxBytes: 5000 }]
        let digest: string | undefined
        for (const [i, { command: given, upkeep: whats }] of steps.entries()) {
          const work = await workOf(given)
          const outcomes = folders.map((folder, which) => {
            try {
              return run(folder, `b${i}`, work, ways[which], wordBytes)
            } catch (error) {
              return String(error)
            }
          })
          const [first, second] = outcomes.map((outcome) => (typeof outcome === 'string' ? outcome : outcome.digest))
          expect(second).toBe(first)
          const now = folders.map(folderDigest)
          expect(now[1]).toBe(now[0])
          // Nothing that was written has been missed.
          if (digest !== undefined && typeof outcomes[0] !== 'string') expect(now[0]).toBe(plus(digest, first!))
          digest = now[0]
          folders = [await afterUpkeep(folders[0], whats[0]), await afterUpkeep(folders[1], whats[1])]
          expect(folders.map(folderDigest)).toEqual([digest, digest])
        }
        for (const folder of folders) await folder.close()
      },
    ),
    { numRuns: 6, endOnFailure: true },
  )
}, 120_000)

test('a digest is asked for, and changes nothing of what is written', async () => {
  const [plain, digested] = [temporaryIndex(), temporaryIndex()]
  const list = Array.from({ length: 300 }, (_, id) => ({ id, title: `fox ${id % 7} ${'long text '.repeat(id % 30)}` }))
  for (const [i, from] of [0, 100, 50].entries()) {
    const work = await documents(...list.slice(from, from + 200))
    const job = { path: '', indexUid: 'shop', now: NOW, batchKey: `b${i}`, create: { primaryKey: 'id' }, work }
    const services = { selectByFilter: () => Bitmap.empty(), words: { sets: 'later' } as const }
    const outcome = runIndexJob(plain, job, services, { progress() {}, isCancelled: () => false })
    expect(outcome.digest).toBeUndefined()
    expect(run(digested, `b${i}`, work).digest).toMatch(/^[0-9a-f]{16}$/)
    expect(folderDigest(digested)).toBe(folderDigest(plain))
  }
  expect(indexStats(digested)).toEqual(indexStats(plain))
})

test('one byte more, less or other makes another digest', async () => {
  const base = [
    { id: 1, title: 'the red fox', text: 'x'.repeat(500) },
    { id: 2, title: 'a bear' },
  ]
  const changed = [
    [{ ...base[0], title: 'the red fix' }, base[1]],
    [{ ...base[0], text: `${'x'.repeat(499)}y` }, base[1]],
    [{ ...base[0], text: 'x'.repeat(501) }, base[1]],
    [base[0], { ...base[1], id: 3 }],
    [base[0], { id: 2, titel: 'a bear' }],
    [base[1], base[0]],
    [base[0]],
  ] as object[][]
  const digests = new Set<string | undefined>()
  for (const list of [base, ...changed]) {
    const folder = temporaryIndex()
    digests.add(run(folder, 'a', await documents(...list)).digest)
    digests.add(folderDigest(folder))
  }
  expect(digests.size).toBe((changed.length + 1) * 2)
})

test('a flipped bit anywhere in a stored value makes another digest of the folder', async () => {
  const folder = temporaryIndex()
  run(folder, 'a', await documents({ id: 1, title: 'the red fox', text: 'a bear '.repeat(40) }))
  const digest = folderDigest(folder)
  for (const [name, database] of Object.entries(folder.databases)) {
    for (const { key, value } of [...database.range()]) {
      if (key.toString() === 'version') continue
      const damaged = Buffer.from(value)
      if (damaged.length === 0) continue
      damaged[Math.floor(damaged.length / 2)]! ^= 0x10
      folder.environment.writeSync(() => database.put(key, damaged))
      expect(folderDigest(folder), name).not.toBe(digest)
      folder.environment.writeSync(() => database.put(key, value))
    }
  }
  expect(folderDigest(folder)).toBe(digest)
})

test('names that an older version left out do not count, whoever adds them', async () => {
  const folders = [await olderIndex(), await olderIndex()] as const
  const lists = [await documents({ id: 1, a: { b: 'x' } }), await documents({ id: 2, a: { c: 'y' } })]
  for (const folder of folders) {
    run(folder, 'a', lists[0]!)
    folder.write(() => folder.putMeta({ ...folder.meta()!, hasAllNames: undefined as never }))
  }
  completeNames(folders[0])
  const [first, second] = folders.map((folder) => run(folder, 'b', lists[1]!).digest)
  expect(first).toBe(second)
  expect(folderDigest(folders[0])).toBe(folderDigest(folders[1]))
})
