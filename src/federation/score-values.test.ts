import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ScoreValue } from '../engine/index.js'
import { type JsonValue, parse } from '../json/index.js'
import type { ScoreDetail } from '../rank/index.js'
import { printScoreValues, readScoreValues, scoreValues } from './score-values.js'

function parsed(text: string): JsonValue {
  const json = parse(text)
  if (!json.ok) throw new Error(json.reason)
  return json.value
}

test('details of relevancy that follow each other are one value, weighted', () => {
  const details: ScoreDetail[] = [
    { rule: 'words', matching: 2, max: 2 },
    { rule: 'typo', count: 0, max: 2 },
    { rule: 'proximity', rank: 7, max: 8 },
    { rule: 'sort', attribute: 'a', direction: 'asc', value: 'x' },
    { rule: 'skipped' },
    { rule: 'vector', similarity: 0.5 },
  ]
  expect(scoreValues(details, 2)).toEqual([
    { kind: 'score', value: (47 / 48) * 2 },
    { kind: 'sort', isAscending: true, value: 'x' },
    { kind: 'score', value: 0 },
    { kind: 'vector', value: 1 },
  ])
  expect(scoreValues([], 2)).toEqual([])
})

const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
const value: fc.Arbitrary<ScoreValue> = fc.oneof(
  fc.record({ kind: fc.constantFrom('score' as const, 'vector' as const), value: number }),
  fc.record({
    kind: fc.constant('sort' as const),
    isAscending: fc.boolean(),
    value: fc.oneof(fc.constant(null), number, fc.string()),
  }),
  fc.record({ kind: fc.constant('geo' as const), isAscending: fc.boolean(), distanceMeters: fc.option(number) }),
)

test('another server reads the values that are sent', () => {
  fc.assert(
    fc.property(fc.array(value), (values) => {
      expect(readScoreValues(parsed(printScoreValues(values)))).toEqual(values)
    }),
  )
})

test.each([
  'null',
  '{}',
  '[1]',
  '[{}]',
  '[{"other":1}]',
  '[{"weightedScore":"1"}]',
  '[{"sort":1}]',
  '[{"geoSort":[]}]',
])('%s are no values', (text) => {
  expect(readScoreValues(parsed(text))).toBeUndefined()
})

test('a sort value of another kind is kept as one that equals all', () => {
  expect(readScoreValues(parsed('[{"sort":{"asc":true,"value":[1]}}]'))).toEqual([
    { kind: 'sort', isAscending: true, value: undefined },
  ])
})
