import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { Bitmap } from '../../bitmap/index.js'
import { compareBytes } from '../../byte-order/index.js'
import type { DocId } from '../../documents/index.js'
import { documentJson } from '../../documents/index.js'
import { readSettings } from '../../folder/index.js'
import type { DocumentOperation } from '../../index/index.js'
import { FacetTwin } from '../../match/filter/facet.twin.js'
import { someConditions, someTrees } from '../../match/filter/filters.fixture.js'
import type { FacetReader, FieldFacets, Filter, SortKey } from '../../match/index.js'
import { evaluateFilter, printFilter, SearchIndex, selectDocuments } from '../../match/index.js'
import { payloadOf, TestIndex } from '../../match/test-index.fixture.js'
import { compileFieldRoles } from '../../settings/index.js'
import { sortDocuments } from './sort-documents.js'

const opened: TestIndex[] = []
afterAll(async () => {
  for (const index of opened) await index.delete()
})

function openIndex(): TestIndex {
  const index = new TestIndex()
  opened.push(index)
  return index
}

type Plain = Record<string, unknown>

/** What the index should hold: each slot with its document, or nothing. */
class Model {
  readonly slots: (Plain | undefined)[] = []

  private find(id: unknown): number {
    return this.slots.findIndex((document) => String(document?.id) === String(id))
  }

  /** Slots are handed out as they were free at the start, in order of the first appearance of each unknown id. */
  apply(operations: readonly Operation[]): void {
    const taken = this.slots.map((document) => document !== undefined)
    const reserved = new Map<string, number>()
    const slotOf = (id: unknown): number => {
      const known = reserved.get(String(id)) ?? this.find(id)
      if (known !== -1) {
        reserved.set(String(id), known)
        return known
      }
      let slot = 0
      while (taken[slot] || [...reserved.values()].includes(slot)) slot++
      reserved.set(String(id), slot)
      return slot
    }
    for (const operation of operations) {
      if (operation.kind === 'delete') for (const id of operation.ids) this.slots[slotOf(id)] = undefined
      else for (const document of operation.documents) this.put(slotOf(document.id), document, operation)
    }
  }

  private put(slot: number, document: Plain, { merge, skip }: Extract<Operation, { kind: 'add' }>): void {
    const before = this.slots[slot]
    if (before === undefined && skip) return
    this.slots[slot] = merge ? { ...before, ...document } : document
  }

  /** Docs in slot order, with their slots. */
  present(): { slot: number; document: Plain }[] {
    return Array.from(this.slots, (document, slot) => ({ slot, document })).filter(
      (entry): entry is { slot: number; document: Plain } => entry.document !== undefined,
    )
  }
}

type Operation =
  | { readonly kind: 'add'; readonly documents: readonly Plain[]; readonly merge: boolean; readonly skip: boolean }
  | { readonly kind: 'delete'; readonly ids: readonly string[] }

/** The twin of all documents, answering in slots. A name that the index once met is known, even if nobody has it now. */
function twinOf(index: TestIndex, model: Model): FacetReader {
  const present = model.present()
  const twin = new FacetTwin(present.map(({ document }) => document))
  const known = index.folder.fields()
  const inSlots = (dense: Bitmap): Bitmap => Bitmap.fromSorted(Array.from(dense, (i) => present[i]!.slot))
  const none = new FacetTwin([{ empty: 1 }])
  const translate = (facets: FieldFacets): FieldFacets => ({
    exists: () => inSlots(facets.exists()),
    isNull: () => inSlots(facets.isNull()),
    isEmpty: () => inSlots(facets.isEmpty()),
    numberEquals: (value) => inSlots(facets.numberEquals(value)),
    numberRange: (range) => inSlots(facets.numberRange(range)),
    stringEquals: (text) => inSlots(facets.stringEquals(text)),
    stringRange: (range) => inSlots(facets.stringRange(range)),
    stringPrefix: (text) => inSlots(facets.stringPrefix(text)),
    stringContains: (text) => inSlots(facets.stringContains(text)),
  })
  const nobody = Object.fromEntries(
    Object.keys(translate(none.field('empty')!)).map((name) => [name, () => Bitmap.empty()]),
  ) as unknown as FieldFacets
  return {
    docIds: () => inSlots(twin.docIds()),
    field(attribute) {
      if (known.idOf(attribute) === undefined) return undefined
      const facets = twin.field(attribute)
      return facets === undefined ? nobody : translate(facets)
    },
    geoWithinRadius: (center, meters) => inSlots(twin.geoWithinRadius(center, meters)),
    geoWithinBox: (box) => inSlots(twin.geoWithinBox(box)),
    shapesTouchingPolygon: () => Bitmap.empty(),
    shapesTouchingBox: () => Bitmap.empty(),
    withVectors: () => Bitmap.empty(),
  }
}

function answerOf(index: TestIndex, filter: Filter): unknown {
  const found = selectDocuments(index, filter)
  return found.ok ? [...found.value] : found.failure
}

function twinAnswerOf(index: TestIndex, model: Model, filter: Filter): unknown {
  const settings = readSettings(index.folder)
  const target = {
    indexUid: index.indexUid,
    settings,
    roles: compileFieldRoles(settings),
    facets: twinOf(index, model),
  }
  const found = evaluateFilter(filter, target, 'invalid_document_filter')
  return found.ok ? [...found.value] : found.failure
}

/** What the index holds, read as documents are listed. */
function storedIn({ folder }: TestIndex): unknown[] {
  const fields = folder.fields()
  return Array.from(folder.docIds(), (docId) => ({
    slot: docId,
    document: JSON.parse(documentJson(folder.document(docId as DocId)!, fields)),
  }))
}

const scalar = fc.constantFrom<unknown>(
  null,
  '',
  'a',
  'B',
  'É',
  'aB',
  'a\0',
  'a\0b',
  '1',
  'true',
  true,
  0,
  1,
  2.5,
  -1,
  1e300,
  -0.1,
)
const value = fc.oneof(
  { arbitrary: scalar, weight: 3 },
  fc.array(scalar, { maxLength: 3 }),
  fc.record({ d: scalar }),
  fc.constantFrom<unknown>([], {}, 'x'.repeat(600)),
  fc.array(fc.record({ d: scalar }), { maxLength: 2 }),
)
const position = fc.oneof(
  fc.constant(null),
  fc.record({ lat: fc.constantFrom(45, 45.1, '44.9', 0), lng: fc.constantFrom(9, 9.1, -179.9, '179.9') }),
)
const document = fc.record(
  { id: fc.nat(9), a: value, b: value, c: value, 'c.d': scalar, _geology: value, _geo: position },
  { requiredKeys: ['id'] },
) as fc.Arbitrary<Plain>

const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      documents: fc.array(document, { minLength: 1, maxLength: 6 }),
      merge: fc.boolean(),
      skip: fc.boolean(),
    }),
  },
  fc.record({ kind: fc.constant('delete' as const), ids: fc.array(fc.nat(9).map(String), { maxLength: 3 }) }),
)

const rule = fc.constantFrom<unknown>(
  'a',
  'b',
  'c',
  'c.d',
  '_geo',
  '_geology',
  { attributePatterns: ['*'.concat('.d'), 'b'], features: { filter: { equality: true, comparison: false } } },
  { attributePatterns: ['a', 'c*'], features: { facetSearch: true, filter: { equality: false, comparison: true } } },
)
const settings = fc.record(
  {
    filterableAttributes: fc.uniqueArray(rule, { minLength: 1, maxLength: 5 }),
    sortableAttributes: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', '_geo'), { maxLength: 3 }),
    searchableAttributes: fc.constantFrom(['*'], ['b']),
    distinctAttribute: fc.constantFrom(null, 'b'),
  },
  { requiredKeys: [] },
)

const names = fc.constantFrom('a', 'b', 'c', 'c.d', '_geology', '_geo.lat', 'never')
const values = fc.constantFrom(
  '',
  'a',
  'A',
  'b',
  'é',
  'a\0',
  '1',
  '0',
  '2',
  '2.5',
  'true',
  '-1',
  'z',
  'x'.repeat(468),
  'y'.repeat(5000),
)
const places: fc.Arbitrary<Filter> = fc.constantFrom<Filter>(
  { kind: 'geoRadius', center: { lat: 45, lng: 9 }, meters: 12_000, resolution: 125 },
  { kind: 'geoRadius', center: { lat: 0, lng: 180 }, meters: 20_000, resolution: 125 },
  { kind: 'geoBoundingBox', box: { topRight: { lat: 46, lng: 9 }, bottomLeft: { lat: 44.95, lng: 8 } } },
  { kind: 'geoBoundingBox', box: { topRight: { lat: 1, lng: -179 }, bottomLeft: { lat: -1, lng: 179 } } },
)
const filters = someTrees(fc.oneof({ arbitrary: someConditions(names, values), weight: 6 }, places))

type Command =
  | { readonly kind: 'documents'; readonly operations: readonly Operation[] }
  | { readonly kind: 'settings'; readonly settings: object }
  | { readonly kind: 'deleteFilter'; readonly filter: Filter }
  | { readonly kind: 'clear' | 'reopen' }

const commands: fc.Arbitrary<Command[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('documents' as const),
        operations: fc.array(operation, { minLength: 1, maxLength: 3 }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('settings' as const), settings }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('deleteFilter' as const), filter: filters }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('clear' as const, 'reopen' as const) }) },
  ),
  { minLength: 2, maxLength: 8 },
)

async function jobOperations(operations: readonly Operation[]): Promise<DocumentOperation[]> {
  return Promise.all(
    operations.map(async (operation): Promise<DocumentOperation> => {
      if (operation.kind === 'delete') return { kind: 'deleteIds', ids: operation.ids }
      const payload = await payloadOf(operation.documents)
      const method = operation.merge ? 'update' : 'replace'
      return { kind: 'import', method, payload, primaryKey: null, skipCreation: operation.skip }
    }),
  )
}

async function run(index: TestIndex, model: Model, command: Command): Promise<void> {
  switch (command.kind) {
    case 'documents':
      index.run({ kind: 'documents', operations: await jobOperations(command.operations) })
      return model.apply(command.operations)
    case 'settings':
      index.run({ kind: 'settings', patches: [JSON.stringify(command.settings)] })
      return
    case 'deleteFilter': {
      const selected = twinAnswerOf(index, model, command.filter)
      const operations = [
        { kind: 'deleteFilter', filter: JSON.stringify(printFilter(command.filter, 'once')) },
      ] as const
      const [outcome] = index.run({ kind: 'deletions', operations })
      if (!Array.isArray(selected)) return expect(outcome).toMatchObject({ ok: false })
      expect(outcome).toEqual({ ok: true, deleted: selected.length })
      for (const slot of selected) model.slots[slot as number] = undefined
      return
    }
    case 'clear':
      index.run({ kind: 'clear', patches: [] })
      model.slots.length = 0
      return
    case 'reopen':
      return index.reopen()
  }
}

test('after any changes of documents and settings, filters select what a look at every document selects', async () => {
  const index = openIndex()
  await fc.assert(
    fc.asyncProperty(commands, fc.array(filters, { minLength: 3, maxLength: 6 }), async (list, asked) => {
      const model = new Model()
      index.run({
        kind: 'clear',
        patches: ['{"filterableAttributes":["a","c"],"sortableAttributes":null,"searchableAttributes":null}'],
      })
      for (const command of list) {
        await run(index, model, command)
        expect(storedIn(index)).toEqual(model.present())
        for (const filter of asked) expect(answerOf(index, filter)).toEqual(twinAnswerOf(index, model, filter))
      }
    }),
    { numRuns: 250 },
  )
}, 120_000)

/** The order of spec 3 §4.4, one bucket after the other. */
function sorted(twin: FacetTwin, docIds: readonly number[], [key, ...rest]: readonly SortKey[]): number[] {
  if (key?.kind !== 'attribute') return [...docIds]
  const { attribute, direction } = key
  const sign = direction === 'asc' ? 1 : -1
  const buckets = <T>(valuesOf: (docId: number) => readonly T[], compare: (a: T, b: T) => number): number[] => {
    const best = new Map<number, T>()
    for (const docId of docIds) {
      const [first] = [...valuesOf(docId)].sort((a, b) => sign * compare(a, b))
      if (first !== undefined) best.set(docId, first)
    }
    const distinct = [...new Set(best.values())].sort((a, b) => sign * compare(a, b))
    return distinct.flatMap((one) =>
      sorted(
        twin,
        docIds.filter((docId) => best.get(docId) === one),
        rest,
      ),
    )
  }
  const factsOf = (docId: number) => twin.facts[docId]!.get(attribute)
  return [
    ...buckets(
      (docId) => factsOf(docId)?.numbers ?? [],
      (a, b) => a - b,
    ),
    ...buckets((docId) => factsOf(docId)?.strings ?? [], compareBytes),
    ...sorted(
      twin,
      docIds.filter((docId) => factsOf(docId) === undefined),
      rest,
    ),
  ]
}

test('sorted lists are those of a plain sort, cut at any length', async () => {
  const index = openIndex()
  index.run({ kind: 'settings', patches: ['{"sortableAttributes":["a","b","c"]}'] })
  const key = fc.record({
    kind: fc.constant('attribute' as const),
    attribute: fc.constantFrom('a', 'b', 'c.d', 'c'),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
  })
  const keys = fc.uniqueArray(key, { selector: ({ attribute }) => attribute, minLength: 1, maxLength: 3 })
  const documents = fc.array(document, { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(documents, keys, fc.nat(14), async (list, order, count) => {
      const numbered = list.map((one, id): Plain => ({ ...one, id }))
      index.run({ kind: 'clear', patches: [] })
      const operations = await jobOperations([{ kind: 'add', documents: numbered, merge: false, skip: false }])
      index.run({ kind: 'documents', operations })
      const twin = new FacetTwin(numbered)
      const searched = new SearchIndex(index.indexUid, index.folder)
      searched.refresh()
      const known = order.filter(({ attribute }) => index.folder.fields().idOf(attribute) !== undefined)
      const expected = { ok: true, value: sorted(twin, [...numbered.keys()], known).slice(0, count) }
      // By looking at documents, and by going through the values.
      for (const fewDocuments of [100, 1]) {
        expect(sortDocuments(searched, searched.docIds, { keys: order, count, fewDocuments })).toEqual(expected)
      }
    }),
    { numRuns: 200 },
  )
}, 60_000)
