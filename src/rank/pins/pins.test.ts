import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Timestamp, timestampFromMs } from '../../time/index.js'
import { mergePins } from './pinned-documents.js'
import type { RuleCondition, SearchRule } from './search-rule.js'
import { wantedPins } from './wanted-pins.js'

const NOW = timestampFromMs(Date.UTC(2026, 5, 15))

function rule(uid: string, parts: Partial<SearchRule>): SearchRule {
  const actions = [{ indexUid: null, id: uid, position: 0 }]
  return { uid, description: null, priority: null, active: true, conditions: [], actions, ...parts }
}

const isPinned = (condition: RuleCondition, q: string | null): boolean =>
  wantedPins([rule('a', { conditions: [condition] })], { indexUid: 'i', q, now: NOW }).length === 1

test.each([
  ['mario', 'Super MARIO', true],
  ['mario', 'supermario', true],
  ['mario', '-mario', true],
  ['mario', '"mario"', true],
  ['mario kart', 'mario kart 8', true],
  ['mario kart', 'kart mario', false],
  ['mario kart', 'mario  kart', false],
  ['', '', true],
  ['  ', 'anything', true],
  ['mario', null, false],
  ['', null, false],
  ['été', 'été', false],
  ['été', 'e\u0301te\u0301', true],
])('a condition that the query contains %j, asked with %j, holds: %j (spec 8 §4.5)', (contains, q, expected) => {
  expect(isPinned({ scope: 'query', contains }, q)).toBe(expected)
})

test('a query is empty when nothing but blanks was typed', () => {
  for (const q of [null, '', ' \t ']) {
    expect(isPinned({ scope: 'query', isEmpty: true }, q)).toBe(true)
    expect(isPinned({ scope: 'query', isEmpty: false }, q)).toBe(false)
  }
  for (const q of ['!!!', '-word']) {
    expect(isPinned({ scope: 'query', isEmpty: true }, q)).toBe(false)
    expect(isPinned({ scope: 'query', isEmpty: false }, q)).toBe(true)
  }
})

test('a time holds from its start to its end, both included', () => {
  const at = (offset: bigint) => ({ at: (NOW + offset) as Timestamp, text: '' })
  const holds = (start: bigint | null, end: bigint | null) =>
    isPinned({ scope: 'time', start: start === null ? null : at(start), end: end === null ? null : at(end) }, null)
  expect([holds(null, null), holds(0n, 0n), holds(-1n, null), holds(null, 1n)]).toEqual([true, true, true, true])
  expect([holds(1n, null), holds(null, -1n), holds(-2n, -1n)]).toEqual([false, false, false])
})

test('all conditions must hold, and the rule must be active', () => {
  const conditions: RuleCondition[] = [
    { scope: 'query', contains: 'a' },
    { scope: 'query', contains: 'b' },
  ]
  const pins = (q: string, active: boolean) =>
    wantedPins([rule('r', { conditions, active })], { indexUid: 'i', q, now: NOW }).length
  expect([pins('ab', true), pins('a', true), pins('ab', false)]).toEqual([1, 0, 0])
})

test('of several wishes for one document the most urgent counts, places come in order', () => {
  const wish = (position: number, id = 'x', indexUid: string | null = null) => ({ indexUid, id, position })
  const rules = [
    rule('a', { priority: 5, actions: [wish(0), wish(4, 'last')] }),
    rule('b', { priority: 1, actions: [wish(3), wish(4, 'first'), wish(0, 'elsewhere', 'other')] }),
    rule('c', { actions: [wish(9), wish(2, 'here', 'i'), { indexUid: null, id: null, position: 0 }] }),
  ]
  expect(
    wantedPins(rules, { indexUid: 'i', q: null, now: NOW }).map(({ id, position }) => `${id}@${position}`),
  ).toEqual(['here@2', 'x@3', 'first@4', 'last@4'])
})

const pinsAt = (...positions: number[]) => positions.map((position) => ({ position }))

test('pins take their places, and close up where nothing else is left (spec 8 §4.6)', () => {
  const merged = (depth: number) => mergePins(['o1', 'o2', 'o3'], pinsAt(0, 2, 9), depth).map(shown)
  expect(merged(10)).toEqual([0, 'o1', 2, 'o2', 'o3', 9])
  expect(merged(4)).toEqual([0, 'o1', 2, 'o2'])
  expect(mergePins(['o1'], pinsAt(0, 0), 3).map(shown)).toEqual([0, 0, 'o1'])
})

const shown = (each: string | { position: number }) => (typeof each === 'string' ? each : each.position)

test('merging keeps both orders and loses nothing', () => {
  fc.assert(
    fc.property(fc.nat(12), fc.array(fc.nat(15), { maxLength: 8 }), fc.nat(25), (count, positions, depth) => {
      const organic = Array.from({ length: count }, (_, i) => `o${i}`)
      const pins = pinsAt(...positions.sort((a, b) => a - b))
      const merged = mergePins(organic, pins, depth)
      expect(merged).toHaveLength(Math.min(depth, organic.length + pins.length))
      const [texts, placed] = [
        merged.filter((each) => typeof each === 'string'),
        merged.filter((each) => typeof each !== 'string'),
      ]
      expect(texts).toEqual(organic.slice(0, texts.length))
      expect(placed).toEqual(pins.slice(0, placed.length))
      for (const [at, each] of merged.entries()) {
        if (typeof each !== 'string' && at < each.position) expect(texts).toEqual(organic)
      }
    }),
  )
})
