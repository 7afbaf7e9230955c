import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Bitmap, DenseDocSet } from '../bitmap/index.js'
import type { FieldId } from '../documents/index.js'
import type { IndexFolder } from '../folder/index.js'
import { temporaryIndex } from '../folder/temporary-index.fixture.js'
import { receivePayload } from '../payload/index.js'
import { StoredWords, type TermSets } from '../postings/index.js'
import { stepOf } from '../text/index.js'
import { JobCancelled } from '../threads/index.js'
import type { DocumentOperation, IndexWork } from './apply/job.js'
import type { WordResources } from './apply/job-work.js'
import { refreshSets } from './apply/refresh-sets.js'
import { runIndexJob } from './apply/run-job.js'
import { indexStats } from './index-stats.js'

type Policy = WordResources['sets']

let batches = 0

function run(folder: IndexFolder, work: IndexWork, sets: Policy): void {
  const now = '2026-01-05T10:00:00Z'
  const job = { path: '', indexUid: 'shop', now, batchKey: `b${batches++}`, create: { primaryKey: 'id' }, work }
  const services = { selectByFilter: () => Bitmap.empty(), words: { sets } }
  runIndexJob(folder, job, services, { progress() {}, isCancelled: () => false })
}

async function importOf(documents: readonly object[]): Promise<DocumentOperation> {
  const parts: Buffer[] = []
  await receivePayload({ name: 'json' }, [Buffer.from(JSON.stringify(documents))], {
    async write(bytes) {
      parts.push(Buffer.from(bytes))
    },
  })
  const payload = { bytes: Buffer.concat(parts) }
  return { kind: 'import', method: 'replace', payload, primaryKey: null, skipCreation: false }
}

/** The words of each field, in their order. */
type PlainDocument = Readonly<Record<string, readonly string[]>>

/** No words of the texts: ids are searched too. */
const IDS = Array.from({ length: 10 }, (_, i) => String(i))

const FIELDS = ['title', 'text']
const VOCABULARY = ['sun', 'snow', 'sunny', 'a', 'the', 'été', 'zoo']
/** So many words begin alike that they are not told apart. */
const CROWD = Array.from({ length: 120 }, (_, i) => `sun${i}`)

async function add(folder: IndexFolder, documents: ReadonlyMap<string, PlainDocument>, sets: Policy): Promise<void> {
  const sent = Array.from(documents, ([id, { title, text }]) => ({
    id,
    title: title!.join(' '),
    text: text!.join(' '),
  }))
  run(folder, { kind: 'documents', operations: [await importOf(sent)] }, sets)
}

/** The places of a term, as field and position. */
type Places = readonly { readonly field: string; readonly position: number }[]

function placesOf(document: PlainDocument, isTerm: (word: string) => boolean): Places {
  return FIELDS.flatMap((field) =>
    document[field]!.flatMap((word, position) => (isTerm(word) ? [{ field, position }] : [])),
  )
}

/** The least distance at which one term follows another in the same field. */
function followingAt(left: Places, right: Places): number {
  const distances = left.flatMap((from) =>
    right.filter(({ field }) => field === from.field).map(({ position }) => position - from.position),
  )
  return Math.min(...distances.filter((distance) => distance > 0))
}

interface Term {
  readonly number: number
  readonly isTerm: (word: string) => boolean
}

function termsOf(sets: TermSets): { readonly words: Term[]; readonly all: Term[] } {
  const words = [...VOCABULARY, ...CROWD].flatMap((text) => {
    const number = sets.wordTerm(text)
    return number === undefined ? [] : [{ number, isTerm: (word: string) => word === text }]
  })
  const prefixes = ['s', 'su', 'sun', 'sun1', 'z', 'é'].flatMap((text) => {
    const number = sets.prefixTerm(text)
    return number === undefined ? [] : [{ number, isTerm: (word: string) => word.startsWith(text) }]
  })
  return { words, all: [...words, ...prefixes] }
}

/** Everything that the sets say of documents that they speak of is what the documents say. */
function expectSets(folder: IndexFolder, documents: ReadonlyMap<string, PlainDocument>): TermSets {
  const stored = new StoredWords(folder)
  stored.refresh()
  const { sets } = stored
  if (!sets.isKept) return sets
  const stale = new Set(sets.stale)
  const byDocId = new Map(Array.from(documents, ([id, document]) => [folder.docIdOf(id)! as number, document]))
  const inSets = [...byDocId].filter(([docId]) => !stale.has(docId))
  const limit = folder.docIds().max + 1
  const check = (what: string, addTo: (docs: DenseDocSet) => void, isIn: (document: PlainDocument) => boolean) => {
    const docs = new DenseDocSet(limit)
    addTo(docs)
    // Asking `expect` for each document of each set would take most of the time.
    const isWrong = ([docId, document]: [number, PlainDocument]) => docs.has(docId) !== isIn(document)
    const wrong = inSets.filter(isWrong)
    if (wrong.length > 0) expect(wrong, what).toEqual([])
  }
  const { words, all } = termsOf(sets)
  for (const { number, isTerm } of all) {
    const places = (document: PlainDocument) => placesOf(document, isTerm)
    for (const field of FIELDS) {
      const id = folder.fields().idOf(field) as FieldId
      const isIn = (document: PlainDocument) => places(document).some((place) => place.field === field)
      check(`${number} in ${field}`, (docs) => sets.addField(number, id, docs), isIn)
    }
    for (const at of [0, 1, 2, 15, 17]) {
      // Positions from 32 on, up to 64, are one.
      const step = stepOf[at === 17 ? 40 : at]
      const isIn = (document: PlainDocument) => places(document).some(({ position }) => stepOf[position] === step)
      check(`${number} at ${at}`, (docs) => sets.addStep(number, step!, docs), isIn)
    }
  }
  const lefts = words.filter(({ isTerm }) => VOCABULARY.some(isTerm))
  for (const left of lefts) {
    for (const right of all.slice(0, 40).concat(all.slice(-6))) {
      if (!sets.hasPairs(left.number, right.number)) continue
      for (const distance of [1, 2, 3]) {
        const isIn = (document: PlainDocument) =>
          followingAt(placesOf(document, left.isTerm), placesOf(document, right.isTerm)) === distance
        const what = `${left.number} ${right.number} at ${distance}`
        check(what, (docs) => sets.addPair(left.number, right.number, distance, docs), isIn)
      }
    }
  }
  return sets
}

const someText = fc.array(fc.constantFrom(...VOCABULARY, 'sun7', 'sun12'), { maxLength: 20, size: 'max' })
const someDocument: fc.Arbitrary<PlainDocument> = fc.record({ title: someText, text: someText })
const someChange = fc.record({
  documents: fc.dictionary(fc.constantFrom(...IDS), someDocument, { minKeys: 1 }),
  deleted: fc.subarray(IDS, { maxLength: 3 }),
  mostChanged: fc.constantFrom(0, 0, 2, 5, 100),
})

test('sets say what documents say, through any changes', async () => {
  const limits = fc.record({ term: fc.nat(4), longPrefix: fc.nat(4), pair: fc.nat(6) })
  await fc.assert(
    fc.asyncProperty(fc.array(someChange, { minLength: 1, maxLength: 5 }), limits, async (changes, rarityLimits) => {
      const folder = temporaryIndex()
      const documents = new Map<string, PlainDocument>([['100', { title: CROWD, text: CROWD.slice(3) }]])
      await add(folder, documents, { manyDocuments: 1, mostChanged: 0, rarityLimits })
      for (const { documents: changed, deleted, mostChanged } of changes) {
        const sets = { manyDocuments: 1, mostChanged, rarityLimits }
        for (const [id, document] of Object.entries(changed)) documents.set(id, document)
        await add(folder, new Map(Object.entries(changed)), sets)
        expectSets(folder, documents)
        for (const id of deleted) documents.delete(id)
        run(folder, { kind: 'deletions', operations: [{ kind: 'deleteIds', ids: deleted }] }, sets)
        expect(expectSets(folder, documents).stale.length).toBeLessThanOrEqual(mostChanged)
      }
      await folder.close()
    }),
    { numRuns: 20 },
  )
}, 600_000)

const document = (...text: string[]): PlainDocument => ({ title: text, text: [] })
const POLICY = { manyDocuments: 1, mostChanged: 0 }

test('a small index keeps no sets', async () => {
  const folder = temporaryIndex()
  await add(folder, new Map([['1', document('sun')]]), undefined)
  expect(expectSets(folder, new Map()).isKept).toBe(false)
})

test('a document whose texts stay the same does not get stale', async () => {
  const folder = temporaryIndex()
  const documents = new Map([['1', document('the', 'sun')]])
  await add(folder, documents, POLICY)
  await add(folder, documents, { ...POLICY, mostChanged: 100 })
  expect(expectSets(folder, documents).stale).toHaveLength(0)
  await add(folder, new Map([['1', document('the', 'snow')]]), { ...POLICY, mostChanged: 100 })
  expect(expectSets(folder, new Map()).stale).toHaveLength(1)
})

test('a cleared index keeps no sets, and one whose settings change keeps right ones', async () => {
  const folder = temporaryIndex()
  const documents = new Map([['1', document('the', 'sun')]])
  await add(folder, documents, POLICY)
  run(
    folder,
    { kind: 'settings', patches: ['{"stopWords": ["the"], "searchableAttributes": ["text", "title"]}'] },
    POLICY,
  )
  expect(expectSets(folder, new Map()).wordTerm('the')).toBeDefined()
  expect(expectSets(folder, new Map()).stale).toHaveLength(0)
  run(folder, { kind: 'clear', patches: [] }, POLICY)
  expect(expectSets(folder, new Map()).isKept).toBe(false)
  expect(folder.databases.termSets.count()).toBe(0)
})

test('refreshing waits for its time, is done in parts, and can be stopped', async () => {
  const folder = temporaryIndex()
  const count = 70_000
  const documents = new Map(Array.from({ length: count }, (_, i) => [String(i), document('the', VOCABULARY[i % 3]!)]))
  await add(folder, documents, 'later')
  expect(expectSets(folder, new Map()).isKept).toBe(false)
  expect(() => refreshSets(folder, () => true)).toThrow(JobCancelled)
  expect(expectSets(folder, new Map()).isKept).toBe(false)
  expect(indexStats(folder).areSetsDue).toBe(true)
  const staleCount = () => expectSets(folder, new Map()).stale.length
  let commits = 0
  const maintain = folder.maintain.bind(folder)
  folder.maintain = (work) => {
    maintain(work)
    commits++
  }
  // One transaction chooses the terms, the second one writes the first ranges.
  expect(() => refreshSets(folder, () => commits === 2)).toThrow(JobCancelled)
  expect(staleCount()).toBe(count - 4 * 16_384)
  expect(refreshSets(folder, () => false).areSetsDue).toBe(false)
  expect(staleCount()).toBe(0)
  expect(refreshSets(folder, () => false).areSetsDue).toBe(false)
}, 300_000)

test('documents with far more words than those before are taken in smaller parts', async () => {
  const folder = temporaryIndex()
  const few = new Map(Array.from({ length: 3000 }, (_, i) => [String(i), document('the', 'sun')]))
  await add(folder, few, POLICY)
  const text = Array.from({ length: 3000 }, (_, i) => VOCABULARY[(i * 7 + (i % 5)) % VOCABULARY.length]!)
  const long = new Map(Array.from({ length: 3000 }, (_, i) => [String(i), document(...text.slice(i % 100))]))
  await add(folder, long, POLICY)
  const sets = expectSets(folder, new Map())
  expect(sets.stale).toHaveLength(0)
  const docs = new DenseDocSet(3000)
  sets.addField(sets.wordTerm('the')!, folder.fields().idOf('title')!, docs)
  expect(docs.count()).toBe(3000)
}, 300_000)
