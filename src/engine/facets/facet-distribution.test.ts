import { afterAll, describe, expect, test } from 'vitest'
import { Bitmap } from '../../bitmap/index.js'
import { ValueIndex } from '../../rank/order/value-index.fixture.js'
import { countFacets, facetDistribution } from './facet-distribution.js'

const opened: ValueIndex[] = []
afterAll(async () => {
  for (const index of opened) await index.delete()
})

async function indexOf(settings: object, documents: readonly object[]): Promise<ValueIndex> {
  const made = await ValueIndex.of(settings, documents)
  opened.push(made)
  return made
}

/** Texts of both answers, or the failure. */
function answer({ index }: ValueIndex, names: readonly string[], candidates: Bitmap = index.docIds) {
  const result = facetDistribution({ index, names, candidates })
  return result.ok ? [result.value.facetDistribution, result.value.facetStats] : result.failure
}

describe('selection', () => {
  const pets = [
    { id: 1, pets: [{ name: 'Bo', age: 2 }] },
    { id: 2, color: 'red' },
  ]

  test('an entry stands for its field and those below it', async () => {
    const made = await indexOf({ filterableAttributes: ['pets', 'color', 'never'] }, pets)
    expect(answer(made, ['pets'])).toEqual([
      '{"pets":{},"pets.age":{"2":1},"pets.name":{"Bo":1}}',
      '{"pets.age":{"min":2.0,"max":2.0}}',
    ])
    expect(answer(made, ['never'])).toEqual(['{}', '{}'])
    expect(answer(made, ['*'])).toEqual([
      '{"color":{"red":1},"pets":{},"pets.age":{"2":1},"pets.name":{"Bo":1}}',
      '{"pets.age":{"min":2.0,"max":2.0}}',
    ])
  })

  test('fields without values among the candidates are there, empty', async () => {
    const made = await indexOf({ filterableAttributes: ['color'] }, pets)
    expect(answer(made, ['color'], Bitmap.of(0))).toEqual(['{"color":{}}', '{}'])
    expect(answer(made, ['color'], Bitmap.empty())).toEqual(['{"color":{}}', '{}'])
  })

  test('all names that are refused are named, in byte order', async () => {
    const made = await indexOf({ filterableAttributes: ['pets.name', 'color'] }, pets)
    expect(answer(made, ['pets', 'color', 'nope', 'pet*'])).toEqual({
      code: 'invalid_search_facets',
      message:
        '`.facets`: the index `shop` has no facet "nope", "pet*", "pets": not filterable; filterable are `color`, `pets.name`.',
    })
    expect(answer(await indexOf({}, pets), ['pets'])).toMatchObject({
      message: expect.stringContaining('no filterable attributes'),
    })
  })

  test('a single name whose rule has no filter names the rule', async () => {
    const features = { facetSearch: true, filter: { equality: false, comparison: false } }
    const filterableAttributes = ['color', { attributePatterns: ['pets.*'], features }]
    const made = await indexOf({ filterableAttributes }, pets)
    expect(answer(made, ['pets.name'])).toMatchObject({
      code: 'invalid_search_facets',
      message: expect.stringContaining('rule 1 of `filterableAttributes`'),
    })
    expect(answer(made, ['pets.name', 'nope'])).toMatchObject({
      message: expect.stringContaining('filterable are `color`'),
    })
  })

  test('a list with `*` is accepted as a whole', async () => {
    expect(answer(await indexOf({}, pets), ['*'])).toEqual(['{}', '{}'])
    const made = await indexOf({ filterableAttributes: ['color'] }, pets)
    expect(answer(made, ['*', 'nope'])).toEqual(['{"color":{"red":1}}', '{}'])
  })
})

describe('labels', () => {
  test('a value is shown as the first candidate spells it, at its last occurrence there', async () => {
    const colors = [['GREEN', ' green', 'Green'], ' green', 'GREEN']
    const made = await indexOf(
      { filterableAttributes: ['c'] },
      colors.map((c, id) => ({ id, c })),
    )
    expect(answer(made, ['c'])).toEqual(['{"c":{"Green":3}}', '{}'])
    expect(answer(made, ['c'], Bitmap.of(1, 2))).toEqual(['{"c":{" green":2}}', '{}'])
    expect(answer(made, ['c'], Bitmap.of(2))).toEqual(['{"c":{"GREEN":1}}', '{}'])
  })

  test('a long text is shown whole', async () => {
    const long = `Long ${'é'.repeat(1000)}`
    const made = await indexOf({ filterableAttributes: ['c'] }, [{ id: 1, c: long }])
    expect(answer(made, ['c'])).toEqual([`{"c":{"${long}":1}}`, '{}'])
  })

  test('numbers are shown with all digits, booleans as words', async () => {
    const values = [2, 10, 1.0, 1.5, 1e21, 1e-7, -0, true, false, 'true']
    const made = await indexOf(
      { filterableAttributes: ['v'] },
      values.map((v, id) => ({ id, v })),
    )
    expect(answer(made, ['v'])).toEqual([
      '{"v":{"0":1,"0.0000001":1,"1":1,"1.5":1,"10":1,"1000000000000000000000":1,"2":1,"false":1,"true":2}}',
      '{"v":{"min":0.0,"max":1e+21}}',
    ])
  })

  test('a number and a string with the same text share one member, with the count of the string', async () => {
    const made = await indexOf(
      { filterableAttributes: ['v'] },
      [1, '1', '1', 2].map((v, id) => ({ id, v })),
    )
    expect(answer(made, ['v'])).toEqual(['{"v":{"1":2,"2":1}}', '{"v":{"min":1.0,"max":2.0}}'])
  })
})

describe('order', () => {
  test('by count, ties by value from the last one on', async () => {
    const values = [1, 2, 10, 10, 'b', 'a', 'c', 'c']
    const faceting = { sortFacetValuesBy: { v: 'count' } }
    const made = await indexOf(
      { filterableAttributes: ['v'], faceting },
      values.map((v, id) => ({ id, v })),
    )
    expect(answer(made, ['v'])).toEqual([
      '{"v":{"10":2,"2":1,"1":1,"c":2,"b":1,"a":1}}',
      '{"v":{"min":1.0,"max":10.0}}',
    ])
  })

  test('an order of its own counts only for a field that is named itself', async () => {
    const faceting = { sortFacetValuesBy: { 'p.v': 'count' } }
    const documents = ['a', 'b', 'b'].map((v, id) => ({ id, p: { v } }))
    const made = await indexOf({ filterableAttributes: ['p'], faceting }, documents)
    expect(answer(made, ['p.v'])).toEqual(['{"p.v":{"b":2,"a":1}}', '{}'])
    expect(answer(made, ['p', 'p.v'])).toEqual(['{"p":{},"p.v":{"b":2,"a":1}}', '{}'])
    expect(answer(made, ['p'])).toEqual(['{"p":{},"p.v":{"a":1,"b":2}}', '{}'])
    expect(answer(made, ['*', 'p.v'])).toEqual(['{"p":{},"p.v":{"a":1,"b":2}}', '{}'])
  })

  test('numbers of more than 3000 candidates go by value', async () => {
    const documents = Array.from({ length: 3001 }, (_, id) => ({ id, v: id % 11 }))
    const made = await indexOf({ filterableAttributes: ['v'] }, documents)
    const labels = (candidates: Bitmap) => {
      const counted = countFacets({ index: made.index, names: ['v'], candidates })
      return counted.ok && counted.value[0]!.values.map(({ label }) => label)
    }
    expect(labels(Bitmap.range(0, 3001))).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10'])
    expect(labels(Bitmap.range(0, 3000))).toEqual(['0', '1', '10', '2', '3', '4', '5', '6', '7', '8', '9'])
  })

  test('as many values as the settings allow, numbers first; the stats span all', async () => {
    const documents = Array.from({ length: 150 }, (_, id) => ({
      id,
      n: id,
      t: `t${String(id).padStart(3, '0')}`,
      m: [id, 'x'],
    }))
    const made = await indexOf({ filterableAttributes: ['n', 't', 'm'] }, documents)
    const counted = () => {
      const result = countFacets({ index: made.index, names: ['*'], candidates: made.index.docIds })
      return result.ok ? result.value.map(({ values, stats }) => [values.length, values.at(-1)?.label, stats]) : []
    }
    const all = { min: 0, max: 149 }
    expect(counted()).toEqual([
      [100, '53', all],
      [100, '53', all],
      [100, 't099', null],
    ])
    made.set({ faceting: { maxValuesPerFacet: 151 } })
    expect(counted()[0]).toEqual([151, 'x', all])
    made.set({ faceting: { maxValuesPerFacet: 0 } })
    expect(counted()).toEqual([
      [0, undefined, all],
      [0, undefined, all],
      [0, undefined, null],
    ])
  })
})
