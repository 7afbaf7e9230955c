import { expect, test } from 'vitest'
import { FacetTally } from './facet-tally.js'

function tally(...sources: [label: string, count: number][][]): FacetTally {
  const added = new FacetTally()
  for (const source of sources) added.add(source, null)
  return added
}

test('counts of the same value are added', () => {
  expect(tally([['red', 2]], [['red', 1]], [['blue', 4]]).printCounts()).toBe('{"red":3,"blue":4}')
})

test('statistics span all sources', () => {
  const numbers = new FacetTally()
  expect(numbers.printStats()).toBeUndefined()
  numbers.add([], { min: 2, max: 3 })
  numbers.add([], null)
  numbers.add([], { min: 1, max: 2 })
  expect(numbers.printStats()).toBe('{"min":1.0,"max":3.0}')
})

test.each([
  ['Red', 'red'],
  ['red', 'Red'],
])('of several spellings the first one in byte order loses a hit, whichever came first (%s)', (first, second) => {
  const counts = { Red: 2, red: 1 }
  const colors = tally([[first, counts[first as 'Red']]], [[second, counts[second as 'red']]])
  colors.arrange('alpha', null)
  colors.remove(['red'])
  expect(colors.printCounts()).toBe('{"Red":1,"red":1}')
  colors.remove(['red'])
  expect(colors.printCounts()).toBe('{"red":1}')
  colors.remove(['red'])
  expect(colors.printCounts()).toBe('{}')
  colors.remove(['red'])
  expect(colors.printCounts()).toBe('{}')
})

test('numbers are found by their labels, and a value counts once for a hit', () => {
  const years = tally([
    ['1965', 2],
    ['0.5', 1],
  ])
  years.remove([1965, '1965', 0.5, 7])
  expect(years.printCounts()).toBe('{"1965":1}')
})

test('values are ordered by text or by count, and cut', () => {
  const values: [string, number][] = [
    ['b', 1],
    ['c', 2],
    ['a', 1],
  ]
  const arranged = (order: 'alpha' | 'count', maxValues: number | null) => {
    const facet = tally(values)
    facet.arrange(order, maxValues)
    return facet.printCounts()
  }
  expect(arranged('alpha', null)).toBe('{"a":1,"b":1,"c":2}')
  expect(arranged('count', null)).toBe('{"c":2,"b":1,"a":1}')
  expect(arranged('count', 1)).toBe('{"c":2}')
  expect(arranged('alpha', 0)).toBe('{}')
})
