import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Bitmap } from '../../bitmap/index.js'
import { compareBytes } from '../../byte-order/index.js'
import { normalizeFacet } from '../../columns/index.js'
import { fromPlain } from '../../json/index.js'
import { checkBudget } from '../../threads/index.js'
import { evaluateFilter, prepareFilter } from './evaluate.js'
import { type DocumentFacts, FacetTwin } from './facet.twin.js'
import type { FacetReader, FieldFacets, Range } from './facet-reader.js'
import { someConditions, someTrees, targetOf, tree } from './filters.fixture.js'
import type { AttributeCondition, Filter } from './model.js'
import type { FilterTarget } from './target.js'

function found(filter: unknown, target: FilterTarget): number[] {
  const docIds = evaluateFilter(tree(filter), target, 'invalid_search_filter')
  if (!docIds.ok) throw new Error(docIds.failure.message)
  return [...docIds.value]
}

/** The docIds of the documents `{a: value}` that the filter finds. */
function amongValues(filter: string, ...values: unknown[]): number[] {
  const documents = values.map((a) => (a === undefined ? {} : { a }))
  return found(filter, targetOf(new FacetTwin(documents), ['a', 'never']))
}

describe('conditions on values', () => {
  test.each<[string, unknown[], number[]]>([
    // Equality: of the normalized text, or of the number.
    ['a = 5', [5, '5', 5.0, ' 5', 6, '55', [1, 5], { b: 5 }], [0, 1, 2, 3, 6]],
    ['a = "5"', [5, '5'], [0, 1]],
    ['a = " 5"', [5, '5'], [1]],
    ['a = 5.0', [5, '5', '5.0'], [0, 2]],
    ['a = 1e3', [1000, '1e3', '1E3'], [0, 1, 2]],
    ['a = .5', [0.5], [0]],
    ['a = -0', [0, -0], [0, 1]],
    ['a = RED', ['red', ' Red ', 'ＲＥＤ', 'reds'], [0, 1, 2]],
    ['a = cafe', ['Café', 'cafe'], [1]],
    ['a = café', ['Cafe\u0301', 'cafe'], [0]],
    ['a = true', [true, 'TRUE', 1, false], [0, 1]],
    ['a = ""', ['', null, [], '  '], []],
    ['a = " "', ['', '  '], [1]],
    ['a = infinity', ['Infinity'], [0]],
    [`a = ${'x'.repeat(468)}`, ['x'.repeat(468), 'x'.repeat(600), 'x'.repeat(467)], [0, 1]],
    [`a = ${'x'.repeat(469)}`, ['x'.repeat(469)], []],
    // Its complement takes in documents without the attribute; a list must hold no such value.
    ['a != 1', [1, 2, [1, 2], undefined, null, '1'], [1, 3, 4]],
    ['a IN [1, b]', [1, 'B', [2, 'b'], 2, undefined], [0, 1, 2]],
    ['a IN []', [1, undefined], []],
    ['a NOT IN [1, b]', [1, 'B', [2, 'b'], 2, undefined], [3, 4]],
    ['a NOT IN []', [1, undefined], [0, 1]],
    // Ranges: numbers only if the bound is one, strings always.
    ['a > 2000', [1999, 2000, 2001, 'unknown', '1', '3'], [2, 3, 5]],
    ['a >= 2000', [1999, 2000, 2001, '2000'], [1, 2, 3]],
    ['a < 2000', [1999, 2000, 'unknown', '1', true], [0, 3]],
    ['a <= b', [1, 'a', 'B', 'c', true], [1, 2]],
    ['a < pestiféré', ['pesti', 'pestiz'], [0]],
    ['a > "😀"', ['\uffff', '😁'], [1]],
    ['a > ""', ['', 'a', 1], [1]],
    ['a 10 TO 20', [9, 10, 15, 20, 21, '15', 'x'], [1, 2, 3, 5]],
    ['a 20 TO 10', [10, 15, 20, '15'], []],
    ['a 3 TO b', [4, '3', 'a', 'c'], [1, 2]],
    ['a -5 TO 1e3', [-5, 1000, -6], [0, 1]],
    // Parts of strings.
    ['a CONTAINS É', ['caf\u00e9', 'cafe', ['x', 'été'], 5], [0, 2]],
    ['a CONTAINS 5', ['15', 15], [0]],
    ['a NOT CONTAINS x', ['x', 'y', undefined], [1, 2]],
    ['a STARTS WITH Th', ['The', 'oth', ['x', 'thus']], [0, 2]],
    ['a STARTS WITH ""', ['x', null, 5, undefined, []], [0, 1, 2, 4]],
    ['a NOT STARTS WITH t', ['t', undefined], [1]],
  ])('%s', (filter, values, expected) => {
    expect(amongValues(filter, ...values)).toEqual(expected)
  })

  // 0 null, 1 "", 2 [], 3 {}, 4 [null], 5 missing, 6 [""], 7 value
  const states = [null, '', [], {}, [null], undefined, [''], 'x']
  test.each<[string, number[]]>([
    ['a EXISTS', [0, 1, 2, 3, 4, 6, 7]],
    ['a NOT EXISTS', [5]],
    ['a IS NULL', [0]],
    ['a IS NOT NULL', [1, 2, 3, 4, 5, 6, 7]],
    ['a IS EMPTY', [1, 2, 3]],
    ['a IS NOT EMPTY', [0, 4, 5, 6, 7]],
    ['NOT a IS NOT NULL', [0]],
  ])('%s', (filter, expected) => {
    expect(amongValues(filter, ...states)).toEqual(expected)
  })

  test('nested paths reach through objects and arrays of objects', () => {
    const pets = new FacetTwin([
      { pets: [{ name: 'Bo', age: 2 }, { name: null }] },
      { pets: { name: 'Kefir' } },
      { 'pets.name': 'bo' },
      { pets: [{}] },
    ])
    const target = targetOf(pets, ['pets'])
    expect(found('pets.name = bo', target)).toEqual([0, 2])
    expect(found('pets.name IS NULL', target)).toEqual([0])
    expect(found('pets EXISTS', target)).toEqual([0, 1, 3])
    expect(found('pets IS EMPTY', target)).toEqual([])
    expect(found('pets = bo', target)).toEqual([])
  })

  test('an attribute that no document has matches nothing, whatever the condition, and its negation all', () => {
    const plain = ['= 1', '!= 1', '> 1', 'a TO b', 'EXISTS', 'IS NULL', 'IS EMPTY', 'IN [1]', 'STARTS WITH ""']
    for (const test of plain) expect(amongValues(`never ${test}`, 1, 2)).toEqual([])
    for (const test of ['NOT never = 1', 'never NOT IN [1]', 'never NOT EXISTS']) {
      expect(amongValues(test, 1, 2)).toEqual([0, 1])
    }
  })
})

describe('combinations', () => {
  const colors = targetOf(new FacetTwin([{ a: 1, b: 1 }, { a: 1, b: 2 }, { a: 2, b: 2 }, { a: 3 }]), ['a', 'b'])

  test.each<[unknown, number[]]>([
    ['a = 1 AND b = 2', [1]],
    ['a = 1 OR b = 2', [0, 1, 2]],
    ['a = 3 OR a = 1 AND NOT b = 1', [1, 3]],
    ['NOT (a = 1 OR b = 2)', [3]],
    [
      ['a = 1', ['b = 1', 'b = 2']],
      [0, 1],
    ],
    ['a > 1 AND a < 3', [2]],
  ])('%j', (filter, expected) => {
    expect(found(filter, colors)).toEqual(expected)
  })

  test('chains of thousands are answered', () => {
    expect(found(Array(10_000).fill('a != 9').join(' AND '), colors)).toEqual([0, 1, 2, 3])
    expect(found(Array.from({ length: 5000 }, (_, i) => `a = ${i + 3}`).join(' OR '), colors)).toEqual([3])
    expect(found(`a IN [${Array.from({ length: 100_000 }, (_, i) => i + 2).join(',')}]`, colors)).toEqual([2, 3])
  })

  test('the answer can be changed without changing the index', () => {
    const shared = new FacetTwin([{ a: 1 }, { a: 2 }])
    const exists = shared.field('a')!.exists()
    const facets = Object.assign(Object.create(shared), { field: () => ({ exists: () => exists }) })
    const answer = evaluateFilter(tree('a EXISTS'), targetOf(facets, ['a']), 'invalid_search_filter')
    if (answer.ok) answer.value.remove(0)
    expect([...exists]).toEqual([0, 1])
  })
})

describe('places', () => {
  const milan = { _geo: { lat: 45, lng: 9 } }
  const places = new FacetTwin([
    milan,
    { _geo: { lat: '45.1', lng: '9' } },
    { _geo: { lat: 0, lng: 175 } },
    { _geo: { lat: 0, lng: -175 } },
    { _geo: null },
    { _geojson: { type: 'Point', coordinates: [9.05, 45] } },
  ])
  const geo = targetOf(places, ['_geo'])
  const shapes = targetOf(places, ['_geojson'])
  const both = targetOf(places, ['_geo', '_geojson'])

  test.each<[string, FilterTarget, number[]]>([
    ['_geoRadius(45,9,0)', geo, [0]],
    ['_geoRadius(45,9,12000)', geo, [0, 1]],
    ['_geoRadius(45,9,-1)', geo, []],
    ['_geoRadius(45,9,5000)', shapes, [5]],
    ['_geoRadius(45,9,5000,3)', shapes, []],
    ['_geoRadius(45,9,5000)', both, [0, 5]],
    ['NOT _geoRadius(45,9,5000)', both, [1, 2, 3, 4]],
    ['_geoBoundingBox([45.1,9.1],[45,9])', geo, [0, 1]],
    ['_geoBoundingBox([45.1,9.1],[45,9])', both, [0, 1, 5]],
    ['_geoBoundingBox([10,-170],[-10,170])', geo, [2, 3]],
    ['_geoBoundingBox([10,170],[-10,-170])', geo, []],
    ['_geoPolygon([44,8],[44,10],[46,10],[46,8])', shapes, [5]],
    ['_geoPolygon([44,8],[44,10],[46,10],[46,8])', both, [5]],
    ['_geo.lat > 45', geo, [1]],
    ['_geojson EXISTS', shapes, []],
    ['_geojson != 1', shapes, []],
  ])('%s', (filter, target, expected) => {
    expect(found(filter, target)).toEqual(expected)
  })
})

describe('vectors and shards', () => {
  test('the selection of vectors is handed to the index', () => {
    const facets = new FacetTwin([{}, {}, {}], ({ part, embedder }) =>
      part === 'any' && embedder === undefined ? [1, 2] : [2],
    )
    const target = targetOf(facets, [], {
      embedders: new Map([['e', { source: 'userProvided', dimensions: 2 }]]),
    })
    expect(found('_vectors EXISTS', target)).toEqual([1, 2])
    expect(found('_vectors NOT EXISTS', target)).toEqual([0])
    expect(found('_vectors.e.userProvided EXISTS', target)).toEqual([2])
  })

  test('shards are chosen by name and need no rule', () => {
    const facets = new FacetTwin([{}, {}, {}])
    const docs = new Map([
      ['s', [0]],
      ['t', [1]],
    ])
    const shards = {
      names: () => [...docs.keys()],
      docIds: (name: string) => Bitmap.of(...docs.get(name)!),
    }
    const target = targetOf(facets, [], { shards })
    expect(found('_shard = s', target)).toEqual([0])
    expect(found('_shard != s', target)).toEqual([1, 2])
    expect(found('_shard IN [s, "t"]', target)).toEqual([0, 1])
    expect(found('_shard NOT IN [s]', target)).toEqual([1, 2])
  })
})

/** Whether one document satisfies a filter, asked the plain way; `known` are the fields of all documents. */
function satisfies(filter: Filter, facts: DocumentFacts, known: ReadonlySet<string>): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.operands.every((operand) => satisfies(operand, facts, known))
    case 'or':
      return filter.operands.some((operand) => satisfies(operand, facts, known))
    case 'not':
      return !satisfies(filter.operand, facts, known)
    default:
      return meets(filter as AttributeCondition, facts, known)
  }
}

function meets(condition: AttributeCondition, facts: DocumentFacts, known: ReadonlySet<string>): boolean {
  if (!known.has(condition.attribute.name)) return false
  const field = facts.get(condition.attribute.name)
  const { numbers = [], strings = [], isNull = false, isEmpty = false } = field ?? {}
  const equals = (value: string) =>
    value !== '' && (strings.includes(normalizeFacet(value)) || numbers.some((number) => number === decimal(value)))
  const isAbove = (value: string, orEqual: boolean) => ({
    number: (number: number) => number > decimal(value) || (orEqual && number === decimal(value)),
    text: (text: string) => compareBytes(text, normalizeFacet(value)) > (orEqual ? -1 : 0),
  })
  const some = ({ number, text }: ReturnType<typeof isAbove>) => numbers.some(number) || strings.some(text)
  switch (condition.kind) {
    case 'compare': {
      const { operator, value } = condition
      if (operator === '=') return equals(value)
      if (operator === '!=') return !equals(value)
      const above = isAbove(value, operator === '>=' || operator === '<')
      if (operator.startsWith('>')) return some(above)
      const isNumber = !Number.isNaN(decimal(value))
      return some({ number: (n) => isNumber && !above.number(n), text: (t) => !above.text(t) })
    }
    case 'between': {
      const low = isAbove(condition.from, true)
      const high = isAbove(condition.to, false)
      const areNumbers = !Number.isNaN(decimal(condition.from)) && !Number.isNaN(decimal(condition.to))
      return some({
        number: (n) => areNumbers && low.number(n) && !high.number(n),
        text: (t) => low.text(t) && !high.text(t),
      })
    }
    case 'in':
      return condition.values.some(equals)
    case 'exists':
      return field !== undefined
    case 'null':
      return isNull
    case 'empty':
      return isEmpty
    case 'contains':
      return strings.some((text) => text.includes(normalizeFacet(condition.value)))
    case 'startsWith':
      if (condition.value === '') return field !== undefined
      return strings.some((text) => text.startsWith(normalizeFacet(condition.value)))
  }
}

const decimal = (text: string): number => (/^[-\d.e]+$/.test(text) ? Number.parseFloat(text) : Number.NaN)

test('evaluation on bitmaps agrees with asking every document', () => {
  const scalar = fc.constantFrom<unknown>(null, '', 'a', 'B', 'É', 'aB', '1', 'true', true, 0, 1, 2.5, -1)
  const value = fc.oneof(
    scalar,
    fc.array(scalar, { maxLength: 3 }),
    fc.record({ d: scalar }),
    fc.constant([]),
    fc.constant({}),
  )
  const document = fc.record(
    { a: value, b: value, c: fc.oneof(value, fc.array(fc.record({ d: value }))) },
    { requiredKeys: [] },
  )
  const names = fc.constantFrom('a', 'b', 'c', 'c.d', 'never')
  const values = fc.constantFrom('', 'a', 'A', 'b', 'é', 'e', '1', '0', '2', '2.5', 'true', '-1', 'z')
  const filters = someTrees(someConditions(names, values))
  fc.assert(
    fc.property(fc.array(document, { maxLength: 8 }), filters, (documents, filter) => {
      const twin = new FacetTwin(documents)
      const known = new Set(twin.facts.flatMap((facts) => [...facts.keys()]))
      const plain = documents.flatMap((_, docId) => (satisfies(filter, twin.facts[docId]!, known) ? [docId] : []))
      const docIds = evaluateFilter(filter, targetOf(twin, ['a', 'b', 'c', 'never']), 'invalid_search_filter')
      expect(docIds.ok && [...docIds.value]).toEqual(plain)
    }),
    { numRuns: 500 },
  )
})

/** Ranges of numbers are told of documents that are given. */
function tellingAmong(twin: FacetTwin): FacetReader {
  const field = (attribute: string): FieldFacets | undefined => {
    const facets = twin.field(attribute)
    if (facets === undefined) return undefined
    return Object.assign(Object.create(facets) as FieldFacets, {
      numbersAmong: (range: Range<number>, docIds: Uint32Array) =>
        docIds.filter((id) => facets.numberRange(range).has(id)),
    })
  }
  return Object.assign(Object.create(twin) as FacetReader, { field })
}

test('what passes among some documents is what passes of all', () => {
  const value = fc.oneof(
    fc.integer({ min: 0, max: 9 }),
    fc.array(fc.nat(9), { maxLength: 2 }),
    fc.constantFrom('a', '3'),
  )
  const documents = fc.array(fc.record({ a: value, b: value }, { requiredKeys: [] }), { maxLength: 12 })
  const values = fc.constantFrom('a', '1', '3', '5', '8')
  const condition = someConditions(fc.constantFrom('a', 'b'), values)
  const filters = fc.oneof(
    someTrees(condition),
    fc.array(condition, { minLength: 2, maxLength: 3 }).map((operands): Filter => ({ kind: 'and', operands })),
  )
  let toldCount = 0
  fc.assert(
    fc.property(documents, filters, fc.func(fc.boolean()), (given, filter, isAsked) => {
      const target = targetOf(tellingAmong(new FacetTwin(given)), ['a', 'b'])
      const all = evaluateFilter(filter, target, 'invalid_search_filter')
      const late = prepareFilter(filter, target, 'invalid_search_filter')
      if (!all.ok || !late.ok || late.value instanceof Bitmap) throw new Error('nothing can go wrong here')
      const asked = Uint32Array.from(given.keys()).filter((docId) => isAsked(docId))
      expect([...late.value.all()]).toEqual([...all.value])
      const among = late.value.among(asked)
      if (among === undefined) return
      toldCount++
      expect(among).toEqual(asked.filter((docId) => all.value.has(docId)))
    }),
    { numRuns: 500 },
  )
  expect(toldCount).toBeGreaterThan(20)
})

test('the twin records what the index records', () => {
  const document = fromPlain({ a: { b: 1 }, 'a.b': ['X', null, ''], t: [[{ u: '' }]], _geo: { lat: 1, lng: '2' } })
  const { facts } = new FacetTwin([document])
  const field = (changes: object) => ({ numbers: [], strings: [], isNull: false, isEmpty: false, ...changes })
  expect([...facts[0]!]).toEqual([
    ['a', field({})],
    ['a.b', field({ numbers: [1], strings: ['x'] })],
    ['t', field({})],
    ['t.u', field({ isEmpty: true })],
    ['_geo.lat', field({ numbers: [1] })],
    ['_geo.lng', field({ numbers: [2] })],
  ])
})

describe('long chains of equalities', () => {
  const value = fc.constantFrom('', '1', '2', 'a', 'A', 'b', ' ', '2.0')
  const condition = fc.oneof(
    fc
      .tuple(fc.constantFrom('a', 'b', 'never', '_geojson'), fc.constantFrom('=', '!='), value)
      .map(([name, is, text]) => {
        return `${name} ${is} "${text}"`
      }),
    fc.array(value, { maxLength: 3 }).map((list) => `a IN [${list.map((text) => `"${text}"`).join(',')}]`),
    fc.constant('b > 1'),
  )
  const documents = fc.array(
    fc.record({ a: fc.constantFrom(1, '1', 'a', [2, 'b'], null), b: value }, { requiredKeys: [] }),
  )

  test('find what their conditions find one by one', () => {
    const chain = fc.array(condition, { minLength: 17, maxLength: 40 })
    fc.assert(
      fc.property(documents, chain, (list, conditions) => {
        const target = targetOf(new FacetTwin([...list, { a: 0, b: 0 }]), ['a', 'b', 'never', '_geojson'])
        const alone = conditions.map((one) => new Set(found(one, target)))
        const all = [...target.facets.docIds()]
        expect(found(conditions.join(' OR '), target)).toEqual(all.filter((id) => alone.some((each) => each.has(id))))
        expect(found(conditions.join(' AND '), target)).toEqual(all.filter((id) => alone.every((each) => each.has(id))))
      }),
    )
  })

  test('ask for all values of an attribute at once', () => {
    const asked: [string[], number[]][] = []
    const twin = new FacetTwin([{ a: 'x1' }, { a: 7 }])
    const field = (name: string): FieldFacets | undefined => {
      const facets = twin.field(name)
      const equalsAny = (strings: Iterable<string>, numbers: Iterable<number>) => {
        asked.push([[...strings], [...numbers]])
        return Bitmap.of(0)
      }
      return facets && Object.assign(Object.create(facets), { equalsAny })
    }
    const target = targetOf(Object.assign(Object.create(twin), { field }), ['a'])
    const values = Array.from({ length: 70 }, (_, i) => `x${i}`)
    expect(found(values.map((text) => `a = ${text}`).join(' OR '), target)).toEqual([0])
    expect(found(values.map((text) => `a != ${text}`).join(' AND '), target)).toEqual([1])
    expect(found(`a IN ["", ${values.join(',')}]`, target)).toEqual([0])
    expect(asked).toEqual([
      [values, []],
      [values, []],
      [values, []],
    ])
  })
})

test('a filter that takes too long is refused with the code of its route, and leaves no budget behind', () => {
  const target = { ...targetOf(new FacetTwin([{ a: 1 }]), ['a']), maxMs: -1 }
  const refused = evaluateFilter(tree('a = 1'), target, 'invalid_document_filter')
  expect(refused).toMatchObject({ ok: false, failure: { code: 'invalid_document_filter' } })
  expect(refused.ok || refused.failure.message).toContain('takes longer')
  const late = prepareFilter(tree('a > 1'), target, 'invalid_search_filter')
  if (!late.ok || late.value instanceof Bitmap) throw new Error('it is evaluated when it is asked for')
  const { all } = late.value
  expect(() => all()).toThrow('takes longer')
  expect(() => checkBudget()).not.toThrow()
})
