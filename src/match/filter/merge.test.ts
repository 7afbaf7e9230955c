import { expect, test } from 'vitest'
import { mergeFilters } from './merge.js'

test.each([
  ['price < 5', 'tenant = 7', ['price < 5', 'tenant = 7']],
  [[['a = 1', 'a = 2']], ['b = 1', ['c = 1', 'c = 2']], [['a = 1', 'a = 2'], 'b = 1', ['c = 1', 'c = 2']]],
  ['a = 1', ['b = 1'], ['a = 1', 'b = 1']],
  [[], 'b = 1', ['b = 1']],
  ['', 'b = 1', ['', 'b = 1']],
  [undefined, 'b = 1', 'b = 1'],
  [null, ['b = 1'], ['b = 1']],
  ['a = 1', undefined, 'a = 1'],
  ['a = 1', null, 'a = 1'],
  [undefined, undefined, undefined],
  // Not filters: the parser is to refuse them, so the rule must not get lost.
  [5, 'b = 1', [5, 'b = 1']],
  ['a = 1', true, ['a = 1', true]],
])('%j and %j together are %j', (request, rule, merged) => {
  expect(mergeFilters(request, rule)).toEqual(merged)
})
