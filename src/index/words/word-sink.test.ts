import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { Bitmap } from '../../bitmap/index.js'
import { type DocId, FieldRegistry, type StoredDocument, sortByField } from '../../documents/index.js'
import type { IndexFolder } from '../../folder/index.js'
import { readSettings } from '../../folder/index.js'
import { temporaryIndex } from '../../folder/temporary-index.fixture.js'
import { receivePayload } from '../../payload/index.js'
import { documentAnalyzer, StoredWords, WordRules, WordSink } from '../../postings/index.js'
import { testWordThread } from '../../postings/parallel/word-thread.fixture.js'
import { contentsOf, expectSameWords } from '../../postings/words.twin.js'
import { compileFieldRoles, defaultSettings } from '../../settings/index.js'
import { JobCancelled } from '../../threads/index.js'
import type { DocumentOperation, IndexWork } from '../apply/job.js'
import type { WordResources } from '../apply/job-work.js'
import { runIndexJob } from '../apply/run-job.js'

let batches = 0

const thread = testWordThread()
let words: WordResources = {}

afterAll(() => thread.close())

function run(folder: IndexFolder, work: IndexWork, isCancelled = () => false): void {
  runIndexJob(
    folder,
    {
      path: '',
      indexUid: 'shop',
      now: '2026-01-05T10:00:00Z',
      batchKey: `b${batches++}`,
      create: { primaryKey: 'id' },
      work,
    },
    { selectByFilter: () => Bitmap.empty(), words },
    { progress() {}, isCancelled },
  )
}

async function addition(documents: unknown, method: 'replace' | 'update' = 'replace'): Promise<DocumentOperation> {
  const parts: Buffer[] = []
  await receivePayload({ name: 'json' }, [Buffer.from(JSON.stringify(documents))], {
    async write(bytes) {
      parts.push(Buffer.from(bytes))
    },
  })
  return { kind: 'import', method, payload: { bytes: Buffer.concat(parts) }, primaryKey: null, skipCreation: false }
}

async function add(folder: IndexFolder, documents: unknown, method?: 'replace' | 'update'): Promise<void> {
  run(folder, { kind: 'documents', operations: [await addition(documents, method)] })
}

const change = (folder: IndexFolder, settings: object): void =>
  run(folder, { kind: 'settings', patches: [JSON.stringify(settings)] })

function wordsOf(folder: IndexFolder): StoredWords {
  const words = new StoredWords(folder)
  words.refresh()
  return words
}

const expectRight = (folder: IndexFolder, words = wordsOf(folder)): void =>
  expectSameWords(folder, words, contentsOf(folder), readSettings(folder))

// Texts that share words, with separators of both kinds.
const text = fc
  .array(fc.constantFrom('red', 'fox', 'the', 'Ünder', 'a+b', 'new|york', '日本の本', '😀', '42', 'foxes'), {
    maxLength: 5,
  })
  .chain((words) => fc.constantFrom(' ', ', ', '-').map((separator) => words.join(separator)))

const scalar = fc.oneof(text, fc.constantFrom<unknown>(null, true, 42, 1.5))

const value = fc.oneof(
  { weight: 3, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.record({ b: scalar, c: fc.array(scalar, { maxLength: 2 }) }, { requiredKeys: [] }) },
  { weight: 1, arbitrary: fc.array(fc.record({ b: scalar, c: scalar }, { requiredKeys: [] }), { maxLength: 3 }) },
)

// In any order: the field `a.b` has values of two attributes.
const document = fc
  .record({ id: fc.nat(25), a: value, 'a.b': value, d: value, _geo: fc.constant(null) }, { requiredKeys: ['id'] })
  .chain((members) => {
    const entries = Object.entries(members)
    return fc.shuffledSubarray(entries, { minLength: entries.length }).map(Object.fromEntries)
  })

type Command =
  | { readonly kind: 'add'; readonly documents: unknown[]; readonly method: 'replace' | 'update' }
  | { readonly kind: 'delete'; readonly ids: string[] }
  | { readonly kind: 'settings'; readonly settings: object }
  | { readonly kind: 'clear' }

const settings = fc.record(
  {
    searchableAttributes: fc.constantFrom(['*'], ['a'], ['a.b', 'd'], ['d', 'a.b'], ['id', 'a.c']),
    stopWords: fc.constantFrom([], ['the'], ['the', 'red', '42']),
    separatorTokens: fc.constantFrom([], ['|']),
    nonSeparatorTokens: fc.constantFrom([], ['+'], ['-']),
    dictionary: fc.constantFrom([], ['fox'], ['new|york']),
    localizedAttributes: fc.constantFrom(
      null,
      [{ attributePatterns: ['*'], locales: ['jpn'] }],
      [{ attributePatterns: ['a.*'], locales: ['swe'] }],
    ),
    proximityPrecision: fc.constantFrom('byWord', 'byAttribute'),
    prefixSearch: fc.constantFrom('indexingTime', 'disabled'),
  },
  { requiredKeys: [] },
)

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      documents: fc.array(document, { minLength: 1, maxLength: 12 }),
      method: fc.constantFrom('replace' as const, 'update' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('delete' as const),
      ids: fc.array(fc.nat(25).map(String), { maxLength: 6 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('settings' as const), settings }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'clear' as const }) },
)

async function operationOf(given: Extract<Command, { kind: 'add' | 'delete' }>): Promise<DocumentOperation> {
  return given.kind === 'add' ? addition(given.documents, given.method) : { kind: 'deleteIds', ids: given.ids }
}

async function obey(folder: IndexFolder, given: Command): Promise<void> {
  if (given.kind === 'settings') change(folder, given.settings)
  else if (given.kind === 'clear') run(folder, { kind: 'clear', patches: [] })
  else run(folder, { kind: 'documents', operations: [await operationOf(given)] })
}

describe.each([
  ['the words of an index', {}],
  ['the words of an index, collected by another thread,', { thread, minBatchBytes: 0 }],
  ['the words of an index that keeps prefixes', { manyDocuments: 5 }],
  [
    'the words of an index that keeps prefixes, collected by another thread,',
    { thread, minBatchBytes: 0, manyDocuments: 0 },
  ],
])('%s', (_, resources) => {
  beforeEach(() => {
    words = resources
  })

  test('are those of an index built from scratch after every batch of random changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 25, maxLength: 30 }), async (commands) => {
        const folder = temporaryIndex()
        const following = new StoredWords(folder)
        for (const given of commands) {
          await obey(folder, given)
          folder.environment.refresh()
          following.refresh()
          expectRight(folder, following)
          expectRight(folder)
        }
      }),
      { numRuns: 4 },
    )
  })

  test('are right when one batch says many things of the same documents', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 20 }), async (commands) => {
        const folder = temporaryIndex()
        const operations: DocumentOperation[] = []
        for (const given of commands) {
          if (given.kind === 'add' || given.kind === 'delete') operations.push(await operationOf(given))
        }
        for (const part of [operations, operations.reverse()]) {
          run(folder, { kind: 'documents', operations: part })
          expectRight(folder)
        }
      }),
      { numRuns: 5 },
    )
  })
})

test('the words of an index are right however little memory there is and however small the blocks are', () => {
  const small = { maxBytes: 2000, maxPairBytes: 40, maxWords: 3 }
  const fields = fc.array(fc.tuple(fc.constantFrom('a', 'b'), text), { maxLength: 2 })
  const step = fc.tuple(fc.nat(30), fc.option(fields, { nil: undefined }))
  fc.assert(
    fc.property(fc.array(fc.array(step, { maxLength: 60 }), { maxLength: 3 }), (rounds) => {
      const folder = temporaryIndex()
      const registry = new FieldRegistry()
      const held = new Map<number, StoredDocument>()
      const rules = new WordRules(registry, compileFieldRoles(defaultSettings), documentAnalyzer(defaultSettings))
      for (const steps of rounds) {
        folder.write(() => {
          const sink = new WordSink(folder, { before: rules, after: rules }, small)
          for (const [docId, members] of steps) {
            const after = members === undefined ? undefined : storedOf(registry, members)
            sink.change(docId as DocId, held.get(docId), after)
            if (after === undefined) held.delete(docId)
            else held.set(docId, after)
          }
          sink.finish()
        })
        expectSameWords(folder, wordsOf(folder), { registry, documents: held }, defaultSettings)
      }
    }),
    { numRuns: 15 },
  )
})

function storedOf(registry: FieldRegistry, members: readonly (readonly [string, string])[]): StoredDocument {
  const texts = new Map(members)
  return sortByField(
    Array.from(texts, ([name, text]) => ({
      fieldId: registry.register(name),
      value: Buffer.from(JSON.stringify(text)),
    })),
  )
}

describe('a batch', () => {
  beforeEach(() => {
    words = {}
  })

  const documents = [
    { id: 1, title: 'red fox', text: 'the quick fox' },
    { id: 2, title: 'blue fox', text: 'the lazy dog' },
  ]

  /** Blocks of postings and of the dictionary, and chunks of counts, that are not as they were. */
  async function touched(folder: IndexFolder, work: () => unknown): Promise<string[]> {
    const { postings, dictionary, wordCounts } = folder.databases
    const read = () => [
      ...Array.from(postings.range(), ({ key, value }) => [key.toString('utf8', 0, key.length - 5), value] as const),
      ...Array.from(dictionary.range(), ({ key, value }) => [`dictionary ${key.toString('hex')}`, value] as const),
      ...Array.from(wordCounts.range(), ({ key, value }) => [`counts ${key.toString('hex')}`, value] as const),
    ]
    const before = new Map(read())
    await work()
    return read()
      .filter(([name, value]) => !before.get(name)?.equals(value))
      .map(([name]) => name)
  }

  test('that changes no text touches no words', async () => {
    const folder = temporaryIndex()
    await add(folder, documents)
    change(folder, { searchableAttributes: ['title', 'text'] })
    const calls = [
      () => add(folder, [{ id: 1, price: 5 }], 'update'),
      () => add(folder, documents, 'update'),
      () => change(folder, { typoTolerance: { disableOnAttributes: ['title'], disableOnNumbers: true } }),
      () => change(folder, { proximityPrecision: 'byAttribute', prefixSearch: 'disabled' }),
      () => change(folder, { searchableAttributes: ['text', 'title'] }),
    ]
    for (const call of calls) expect(await touched(folder, call)).toEqual([])
    expect(folder.databases.wordJournal.count()).toBe(2)
  })

  test('touches the words that come, go or move, and no others', async () => {
    const folder = temporaryIndex()
    await add(folder, documents)
    expect(await touched(folder, () => add(folder, [{ id: 1, title: 'red dog' }], 'update'))).toEqual(['dog', 'fox'])
    expect(await touched(folder, () => add(folder, [{ id: 1, title: 'dog red' }], 'update'))).toEqual(['dog', 'red'])
    expectRight(folder)
  })

  test('that was stopped leaves words as they were', async () => {
    const folder = temporaryIndex()
    await add(folder, documents)
    const work = {
      kind: 'documents',
      operations: [await addition(Array.from({ length: 600 }, (_, id) => ({ id })))],
    } as const
    expect(() => run(folder, work, () => true)).toThrow(JobCancelled)
    expectRight(folder)
  })

  test('is stopped while its words are written, too', async () => {
    const folder = temporaryIndex()
    await add(folder, documents)
    const many = Array.from({ length: 300 }, (_, id) => ({ id, title: `red${id} fox${id}` }))
    let looks = 0
    // The first look is among the documents.
    const isCancelled = () => looks++ > 0
    const work = { kind: 'documents', operations: [await addition(many)] } as const
    expect(() => run(folder, work, isCancelled)).toThrow(JobCancelled)
    expect(looks).toBe(2)
    expectRight(folder)
  })

  test('raises the version of the index, whatever it does', async () => {
    const folder = temporaryIndex()
    expect(folder.version()).toBe(0)
    await add(folder, documents)
    const version = folder.version()
    await add(folder, [])
    change(folder, {})
    run(folder, { kind: 'clear', patches: [] })
    expect(folder.version()).toBe(version + 3)
  })
})
