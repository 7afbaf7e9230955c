import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { Bitmap } from '../bitmap/index.js'
import { compareBytes } from '../byte-order/index.js'
import { ByteReader, ByteWriter } from '../bytes/index.js'
import { ColumnMemory } from '../cache/index.js'
import {
  encodeSpelling,
  FacetColumn,
  IndexColumns,
  normalizeStoredFacet,
  ValueNumbering,
  ValueTally,
} from '../columns/index.js'
import type { FieldId } from '../documents/index.js'
import { type DocId, documentJson } from '../documents/index.js'
import type { IndexFolder } from '../folder/index.js'
import { readSettings } from '../folder/index.js'
import { temporaryIndex } from '../folder/temporary-index.fixture.js'
import { receivePayload } from '../payload/index.js'
import { compileFieldRoles } from '../settings/index.js'
import type { DocumentOperation, IndexWork } from './apply/job.js'
import { runIndexJob } from './apply/run-job.js'
import { IndexFacets } from './facets/index-facets.js'

let batches = 0

function run(folder: IndexFolder, work: IndexWork): void {
  const now = '2026-01-05T10:00:00Z'
  const job = { path: '', indexUid: 'shop', now, batchKey: `b${batches++}`, create: { primaryKey: 'id' }, work }
  runIndexJob(folder, job, { selectByFilter: () => Bitmap.empty() }, { progress() {}, isCancelled: () => false })
}

/** Words are not what these tests are about. */
const settings = (folder: IndexFolder, patch: object): void =>
  run(folder, { kind: 'settings', patches: [JSON.stringify({ searchableAttributes: ['none'], ...patch })] })

async function importOf(documents: readonly object[], method: 'replace' | 'update'): Promise<DocumentOperation> {
  const parts: Buffer[] = []
  await receivePayload({ name: 'json' }, [Buffer.from(JSON.stringify(documents))], {
    async write(bytes) {
      parts.push(Buffer.from(bytes))
    },
  })
  return { kind: 'import', method, payload: { bytes: Buffer.concat(parts) }, primaryKey: null, skipCreation: false }
}

async function add(folder: IndexFolder, documents: readonly object[], method: 'replace' | 'update' = 'replace') {
  run(folder, { kind: 'documents', operations: [await importOf(documents, method)] })
}

/** Every scalar at a path with its spelling, in the order of the document: the plain twin of a column. */
function scalarsAt(value: unknown, path: string, wanted: string, found: (number | string | boolean)[]): void {
  if (Array.isArray(value)) for (const item of value) scalarsAt(item, path, wanted, found)
  else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value))
      scalarsAt(member, path === '' ? name : `${path}.${name}`, wanted, found)
  } else if (path === wanted && value !== null && value !== '') found.push(value as number | string | boolean)
}

function plainValues(json: string, attribute: string): { values: (number | string)[]; spellings: Map<string, string> } {
  const found: (number | string | boolean)[] = []
  scalarsAt(JSON.parse(json), '', attribute, found)
  const numbers = found.filter((value) => typeof value === 'number')
  const texts = found.filter((value) => typeof value !== 'number').map(String)
  const spellings = new Map(texts.map((text) => [normalizeStoredFacet(text), text]))
  const norms = [...spellings.keys()].sort(compareBytes)
  return { values: [...new Set(numbers.sort((a, b) => a - b)), ...norms], spellings }
}

/** What the columns of an index say of all its documents, and what the documents say themselves. */
function readBoth(folder: IndexFolder, columns: IndexColumns): { read: string[]; plain: string[] } {
  const roles = compileFieldRoles(readSettings(folder))
  const registry = folder.fields()
  const read: string[] = []
  const plain: string[] = []
  for (const docId of folder.docIds()) {
    const json = documentJson(folder.document(docId as DocId)!, registry)
    for (const [field, attribute] of registry.all().entries()) {
      const column = columns.of(field as FieldId)
      const { values, spellings } = plainValues(json, attribute)
      const kept = roles.of(attribute).hasFacetData ? values : []
      const shown = (list: (number | string)[], spell: (norm: string) => string | undefined) =>
        JSON.stringify([docId, attribute, list, list.map((one) => (typeof one === 'number' ? one : spell(one)))])
      plain.push(shown(kept, (norm) => spellings.get(norm)))
      read.push(shown(column.values(docId), (norm) => column.spellingOf(docId, norm)))
    }
  }
  return { read, plain }
}

function expectInStep(folder: IndexFolder, columns: IndexColumns): void {
  const { read, plain } = readBoth(folder, columns)
  expect(read).toEqual(plain)
  // Numbers, not names: a name that only a replaced document had is not known, and has a column all the same.
  for (const field of folder.fields().all().keys()) expectRanges(folder, columns, field as FieldId)
}

const RANGES = [
  [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  [1, 2],
  [2.25, 2.5],
  [-1e300, 0],
  [3, 2],
] as const

function expectRanges(folder: IndexFolder, columns: IndexColumns, field: FieldId): void {
  const column = columns.of(field)
  const attribute = folder.fields().nameOf(field)
  const { hasFacetData } = compileFieldRoles(readSettings(folder)).of(attribute)
  for (const [first, last] of RANGES) {
    const isWithin = (value: number | string) => typeof value === 'number' && value >= first && value <= last
    const passing = [...folder.docIds()].filter((docId) => {
      const json = documentJson(folder.document(docId as DocId)!, folder.fields())
      return hasFacetData && plainValues(json, attribute).values.some(isWithin)
    })
    expect([...column.withNumbers(first, last)!]).toEqual(passing)
  }
}

const scalar = fc.oneof(
  fc.constantFrom(
    1,
    2,
    2.5,
    -0,
    1e21,
    true,
    false,
    null,
    '',
    ' ',
    'Red',
    'RED',
    'red',
    'Café',

    'x'.repeat(500),
  ),
  fc.string({ maxLength: 4 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 4 }), fc.record({ b: scalar, c: fc.array(scalar) }))
const document = fc.record({ id: fc.nat(400), a: value, d: value, e: scalar }, { requiredKeys: ['id'] })

type Command =
  | { readonly do: 'replace' | 'update'; readonly documents: { id: number }[] }
  | { readonly do: 'delete'; readonly ids: number[] }
  | { readonly do: 'settings'; readonly patch: object }
  | { readonly do: 'clear' }

const names = fc.uniqueArray(fc.constantFrom('a', 'a.b', 'd', 'd.c', 'e', 'id'))
const commands = fc.array(
  fc.oneof(
    { arbitrary: fc.record({ do: fc.constantFrom('replace', 'update'), documents: fc.array(document) }), weight: 5 },
    { arbitrary: fc.record({ do: fc.constant('delete'), ids: fc.array(fc.nat(400)) }), weight: 2 },
    {
      arbitrary: fc.record({
        do: fc.constant('settings'),
        patch: fc.record(
          {
            filterableAttributes: names,
            sortableAttributes: names,
            distinctAttribute: fc.constantFrom('e', 'd', null),
          },
          { requiredKeys: [] },
        ),
      }),
      weight: 3,
    },
    { arbitrary: fc.record({ do: fc.constant('clear') }), weight: 1 },
  ) as fc.Arbitrary<Command>,
  { maxLength: 8 },
)

async function obey(folder: IndexFolder, command: Command): Promise<void> {
  if (command.do === 'settings') settings(folder, command.patch)
  else if (command.do === 'clear') run(folder, { kind: 'clear', patches: [] })
  else if (command.do === 'delete') {
    const operations = [{ kind: 'deleteIds' as const, ids: command.ids.map(String) }]
    run(folder, { kind: 'deletions', operations })
  } else await add(folder, command.documents, command.do)
}

test('columns hold what the documents hold, whatever happens to documents and settings', async () => {
  await fc.assert(
    fc.asyncProperty(commands, async (list) => {
      const folder = temporaryIndex()
      settings(folder, { filterableAttributes: ['a', 'e'] })
      // Documents in two chunks.
      await add(
        folder,
        Array.from({ length: 300 }, (_, id) => ({ id, a: id % 7, e: `V${id % 5}` })),
      )
      const columns = new IndexColumns(folder)
      for (const command of list) {
        await obey(folder, command)
        columns.refresh()
        expectInStep(folder, columns)
      }
      expectInStep(folder, new IndexColumns(folder))
    }),
    { numRuns: 8 },
  )
}, 180_000)

test('only chunks of documents that changed are written', async () => {
  const folder = temporaryIndex()
  settings(folder, { filterableAttributes: ['a', 'e'] })
  await add(
    folder,
    Array.from({ length: 600 }, (_, id) => ({ id, a: id, e: 'x' })),
  )
  const chunks = () =>
    [...folder.databases.columns.range()].map(({ key, value }) => `${key.toString('hex')} ${value.toString('hex')}`)
  const before = chunks()
  await add(folder, [{ id: 300, a: -1, e: 'x', other: 1 }])
  const changed = chunks().filter((chunk) => !before.includes(chunk))
  expect(changed).toHaveLength(1)
  expect(before).toHaveLength(6)
  expect(changed[0]!.slice(4, 10)).toBe('000001')
  settings(folder, { filterableAttributes: [] })
  expect(chunks()).toEqual([])
})

test('a spelling alone is a change', async () => {
  const folder = temporaryIndex()
  settings(folder, { filterableAttributes: ['a'] })
  await add(folder, [{ id: 1, a: 'Green' }])
  const columns = new IndexColumns(folder)
  const column = columns.of(folder.fields().idOf('a')!)
  expect(column.spellingOf(0, 'green')).toBe('Green')
  await add(folder, [{ id: 1, a: ['green', 'GREEN'] }])
  columns.refresh()
  expect(column.spellingOf(0, 'green')).toBe('GREEN')
})

test('positions are columns of latitude and longitude', async () => {
  const folder = temporaryIndex()
  await add(folder, [{ id: 1, _geo: { lat: '1.5', lng: -2 } }, { id: 2 }])
  settings(folder, { sortableAttributes: ['_geo'] })
  const columns = new IndexColumns(folder)
  const column = (name: string) => columns.of(folder.fields().idOf(name)!)
  expect(column('_geo.lat').numbers(Uint32Array.of(0, 1))).toEqual(Float64Array.of(1.5, Number.NaN))
  expect(column('_geo.lng').values(0)).toEqual([-2])
})

test('values are counted, and shown as the first document spells them', async () => {
  const folder = temporaryIndex()
  settings(folder, { filterableAttributes: ['a'] })
  const spelled = (id: number) => (id % 5 === 0 ? `t${id % 2}` : `T${id % 2}`)
  await add(
    folder,
    Array.from({ length: 700 }, (_, id) => ({ id, a: [id % 3, spelled(id), 'all', 'ALL'] })),
  )
  const column = new IndexColumns(folder).of(folder.fields().idOf('a')!)
  const tally = new ValueTally()
  const counted = (docIds: number[]) => {
    column.count(Uint32Array.from(docIds), tally)
    const texts = column.firstSpellings([...tally.foundTexts], () => Uint32Array.from(docIds))
    return new Map<number | string, number>([
      ...Array.from(tally.foundNumbers, (o) => [column.valueOf(o), tally.counts[o]!] as const),
      ...Array.from(tally.foundTexts, (o, i) => [texts[i]!, tally.counts[o]!] as const),
    ])
  }
  const all = Array.from({ length: 700 }, (_, id) => id)
  const counts: [number | string, number][] = [
    [0, 234],
    [1, 233],
    [2, 233],
    ['t0', 350],
    ['T1', 350],
    ['ALL', 700],
  ]
  expect(counted(all)).toEqual(new Map(counts))
  expect(counted([5, 301, 302, 9000])).toEqual(
    new Map<number | string, number>([
      [2, 2],
      [1, 1],
      ['t1', 2],
      ['T0', 1],
      ['ALL', 3],
    ]),
  )
  expect(counted([])).toEqual(new Map())
})

test('the first values are counted as they are when all values are', async () => {
  const folder = temporaryIndex()
  settings(folder, { filterableAttributes: ['texts', 'mixed'] })
  const word = (i: number) => `${'abcdefgh'[i % 8]}${i % 3 === 0 ? 'aaaaaaaa' : ''}${(i * 7919) % 400}`
  const documents = Array.from({ length: 900 }, (_, id) => {
    const texts = id % 4 === 0 ? word(id) : [word(id), word(id * 31), word(id % 5)]
    return { id, texts, mixed: id < 600 ? texts : id }
  })
  await add(folder, documents)
  const [tally, plain] = [new ValueTally(), new ValueTally()]
  const docIds = fc.uniqueArray(fc.nat(899), { maxLength: 900, size: 'max' }).map((ids) => Uint32Array.from(ids).sort())
  fc.assert(
    fc.property(docIds, fc.integer({ min: 1, max: 20 }), fc.constantFrom('texts', 'mixed'), (ids, limit, name) => {
      const field = folder.fields().idOf(name)!
      // Of a large memory all is kept, of a small one nothing: there documents are looked at chunk by chunk.
      for (const memory of [new ColumnMemory(1 << 20), new ColumnMemory(0)]) {
        const column = new IndexColumns(folder, memory).of(field)
        // Texts are known, but numbers are met on the way.
        column.count(
          Uint32Array.from({ length: 512 }, (_, docId) => docId),
          tally,
        )
        column.countFirst(ids, tally, limit)
        column.count(ids, plain)
        const firsts = (all: ValueTally) =>
          [...all.foundNumbers, ...all.foundTexts]
            .sort((a, b) => column.compare(a, b))
            .slice(0, limit)
            .map((ordinal) => [column.valueOf(ordinal), all.counts[ordinal]])
        expect(firsts(tally)).toEqual(firsts(plain))
      }
    }),
    { numRuns: 60 },
  )
})

test('most documents are counted by the others as they are on their own', async () => {
  const folder = temporaryIndex()
  settings(folder, { filterableAttributes: ['few', 'single'] })
  const valuesOf = (id: number) => ({ few: [`t${id % 7}`, id % 5, `T${id % 3}`], single: `s${id}` })
  await add(
    folder,
    Array.from({ length: 600 }, (_, id) => (id % 11 === 0 ? { id } : { id, ...valuesOf(id) })),
  )
  const all = Uint32Array.from({ length: 600 }, (_, docId) => docId)
  const columns = new IndexColumns(folder)
  const [tally, plain] = [new ValueTally(), new ValueTally()]
  const isOther = fc.func(fc.nat(3)).map((number) => (docId: number) => number(docId) === 0)
  fc.assert(
    fc.property(isOther, fc.constantFrom('few', 'single'), fc.boolean(), (isLeft, name, hasChanged) => {
      if (hasChanged) columns.refresh()
      const column = columns.of(folder.fields().idOf(name)!)
      const docIds = all.filter((docId) => !isLeft(docId))
      const most = { count: docIds.length, all: () => all, others: () => all.filter(isLeft) }
      const hasCounted = column.countMost(most, tally)
      if (hasChanged) expect(hasCounted).toBe(false)
      if (!hasCounted) expect(column.countMost(most, tally)).toBe(true)
      column.count(docIds, plain)
      const inOrder = (ordinals: Uint32Array, { counts }: ValueTally) =>
        [...ordinals].sort((a, b) => a - b).map((ordinal) => [ordinal, counts[ordinal]])
      expect(inOrder(tally.foundNumbers, tally)).toEqual(inOrder(plain.foundNumbers, plain))
      expect(inOrder(tally.foundTexts, tally)).toEqual(inOrder(plain.foundTexts, plain))
    }),
    { numRuns: 60 },
  )
})

test('numbers are found among some documents as they are among all', async () => {
  const folder = temporaryIndex()
  settings(folder, { filterableAttributes: ['a'] })
  const numbersOf = (id: number) =>
    id % 7 === 0 ? [`t${id}`, id % 10, id % 90] : id % 5 === 0 ? null : (id * 31) % 100
  await add(
    folder,
    Array.from({ length: 700 }, (_, id) => ({ id, a: numbersOf(id) })),
  )
  const columns = new IndexColumns(folder)
  const facets = new IndexFacets(folder, columns).field('a')!
  expect(facets.numbersAmong({}, Uint32Array.of(1))).toBeUndefined()
  columns.of(folder.fields().idOf('a')!).meetAll()
  const docIds = fc.uniqueArray(fc.nat(699), { maxLength: 300, size: 'max' }).map((ids) => Uint32Array.from(ids).sort())
  const bound = fc.option(fc.record({ value: fc.integer({ min: -1, max: 101 }), isInclusive: fc.boolean() }))
  fc.assert(
    fc.property(docIds, bound, bound, (ids, min, max) => {
      const range = { ...(min !== null && { min }), ...(max !== null && { max }) }
      const isIn = (a: unknown) =>
        typeof a === 'number' &&
        (min === null || a > min.value || (min.isInclusive && a === min.value)) &&
        (max === null || a < max.value || (max.isInclusive && a === max.value))
      const wanted = ids.filter((id) => [numbersOf(id)].flat().some(isIn))
      const all = facets.numberRange(range)
      expect(ids.filter((docId) => all.has(docId))).toEqual(wanted)
      expect(facets.numbersAmong(range, ids)).toEqual(wanted)
    }),
    // Right below zero is the negative zero.
    { examples: [[Uint32Array.of(0, 100), null, { value: 0, isInclusive: false }]] },
  )
})

test('the best value is a number where there is one, else a string', async () => {
  const folder = temporaryIndex()
  settings(folder, { filterableAttributes: ['a'] })
  await add(folder, [
    { id: 0, a: ['z', 3, 1, 'b'] },
    { id: 1, a: ['z', 'B'] },
    { id: 2, a: null },
    { id: 3, a: [2] },
  ])
  const column = new IndexColumns(folder).of(folder.fields().idOf('a')!)
  const best = (isDescending: boolean) =>
    Array.from(column.bestValues(Uint32Array.of(0, 1, 2, 3), isDescending), (o) =>
      o === -1 ? null : column.valueOf(o),
    )
  expect(best(false)).toEqual([1, 'b', null, 2])
  expect(best(true)).toEqual([3, 'z', null, 2])
})

test('columns that do not fit into memory are read all the same', async () => {
  const folder = temporaryIndex()
  settings(folder, { filterableAttributes: ['a', 'b'] })
  await add(
    folder,
    Array.from({ length: 600 }, (_, id) => ({ id, a: `x${id % 3}`, b: id })),
  )
  const [a, b] = ['a', 'b'].map((name) => folder.fields().idOf(name)!)
  const columns = new IndexColumns(folder, new ColumnMemory(20_000))
  const [first, other] = [columns.of(a!), columns.of(b!)]
  for (const docId of [0, 300, 599, 1]) {
    expect(first.values(docId)).toEqual([`x${docId % 3}`])
    expect(other.values(docId)).toEqual([docId])
  }
  // Both do not fit: the one that was used last is kept.
  expect(columns.of(a!)).toBe(first)
  expect(columns.of(b!)).toBe(other)
  expect(columns.of(a!)).not.toBe(first)
  expect(columns.of(a!).values(599)).toEqual(['x2'])
})

test('a column starts anew when most of its values are gone', async () => {
  const folder = temporaryIndex()
  settings(folder, { filterableAttributes: ['a'] })
  await add(folder, [{ id: 0, a: 'x' }])
  const field = folder.fields().idOf('a')!
  const columns = new IndexColumns(folder)
  const kept = columns.of(field)
  for (let round = 0; round < 2; round++) {
    await add(folder, [{ id: 0, a: Array.from({ length: 6000 }, (_, i) => `${round} ${i}`) }])
    columns.refresh()
    expect(columns.of(field)).toBe(kept)
    kept.values(0)
  }
  await add(folder, [{ id: 0, a: 'y' }])
  columns.refresh()
  expect(kept.values(0)).toEqual(['y'])
  expect(columns.of(field)).not.toBe(kept)
  expect(columns.of(field).values(0)).toEqual(['y'])
})

function storedText(norm: string): Buffer {
  const writer = new ByteWriter()
  encodeSpelling(writer, { norm, spelling: norm })
  return writer.take()
}

const number = fc.oneof(
  fc.constantFrom(0, 1, 2.5, -1e300),
  fc.integer({ min: -9, max: 99 }),
  fc.double({ noNaN: true }),
)
const bound = fc.record({ value: number, isInclusive: fc.boolean() })
const range = fc.record({ min: bound, max: bound }, { requiredKeys: [] })

test('a range holds the same documents by groups and by the column, whatever fits into memory', async () => {
  const folder = temporaryIndex()
  settings(folder, { filterableAttributes: ['a'] })
  const values = (id: number) => [id % 90, id / 7, -id, 'text', 1e-9 * id].slice(0, id % 5)
  await add(
    folder,
    Array.from({ length: 1500 }, (_, id) => ({ id, a: values(id) })),
  )
  const plain = new IndexFacets(folder).field('a')!
  const scans = vi.spyOn(FacetColumn.prototype, 'withNumbers')
  for (const maxBytes of [1 << 30, 20_000, 1]) {
    const columns = new IndexColumns(folder, new ColumnMemory(maxBytes))
    fc.assert(
      fc.property(range, fc.boolean(), (asked, isChanged) => {
        if (isChanged) columns.refresh()
        const found = new IndexFacets(folder, columns).field('a')!.numberRange(asked)
        expect(found.equals(plain.numberRange(asked))).toBe(true)
      }),
    )
    if (maxBytes === 1 << 30) expect(scans).toHaveBeenCalled()
  }
})

test('ordinals compare as their values do', () => {
  const value = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string({ unit: fc.constantFrom(...'ab\0é語😀\uffff'), maxLength: 9 }),
  )
  fc.assert(
    fc.property(fc.uniqueArray(value.map((one) => (typeof one === 'number' ? one + 0 : one))), (values) => {
      const numbering = new ValueNumbering()
      const ordinalOf = (one: number | string) =>
        typeof one === 'number' ? numbering.ofNumber(one) : numbering.readText(new ByteReader(storedText(one)))
      const ordinals = values.map(ordinalOf)
      expect(values.map(ordinalOf)).toEqual(ordinals)
      expect(numbering.size).toBe(values.length)
      const sorted = ordinals.sort((a, b) => numbering.compare(a, b)).map((ordinal) => numbering.valueOf(ordinal))
      const numbers = values.filter((one) => typeof one === 'number').sort((a, b) => a - b)
      const texts = values.filter((one) => typeof one === 'string').sort(compareBytes)
      expect(sorted).toEqual([...numbers, ...texts])
    }),
  )
})
