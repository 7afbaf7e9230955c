import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SearchQuery } from '../engine/index.js'
import { type ChangingBytes, isRepeatable, joinRepetitions, repeatAnswer } from './repetition.js'
import { newUid } from './request-uid.js'
import type { SearchContext } from './search-context.js'

const UID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('a repeated answer says the same, but for the times and the uid of the request', () => {
  const text = fc.string({ unit: 'binary' })
  const result = fc.record({ query: text, processingTimeMs: fc.nat(99_999), rest: text })
  fc.assert(
    fc.property(fc.array(result, { maxLength: 4 }), (results) => {
      const requestUid = newUid()
      const { body, changes } = write(results, requestUid)
      const copy = Buffer.from(body)
      const repeated = JSON.parse(Buffer.from(repeatAnswer(body, { versions: [], changes })).toString())
      const newUids = new Set(repeated.map((each: { requestUid: string }) => each.requestUid))
      const [uid] = newUids
      expect(repeated).toEqual(results.map((each) => ({ ...each, processingTimeMs: 0, requestUid: uid })))
      expect(newUids.size).toBe(Math.min(results.length, 1))
      if (results.length > 0) expect(uid).toMatch(UID)
      expect(uid).not.toBe(requestUid)
      // It is still being sent.
      expect(body).toEqual(copy)
    }),
  )
})

function write(results: readonly { query: string; processingTimeMs: number; rest: string }[], uid: string) {
  const changes: ChangingBytes[] = []
  let body = '['
  const place = (written: string) => {
    body += written
    return Buffer.byteLength(body)
  }
  for (const [i, { query, processingTimeMs, rest }] of results.entries()) {
    const timeAt = place(`${i === 0 ? '' : ','}{"query":${JSON.stringify(query)},"processingTimeMs":`)
    const timeEnd = place(String(processingTimeMs))
    const uidAt = place(`,"rest":${JSON.stringify(rest)},"requestUid":"`)
    place(`${uid}"}`)
    changes.push({ timeAt, timeEnd, uidAt })
  }
  return { body: Buffer.from(`${body}]`), changes }
}

test('several results are repeated together or not at all', () => {
  const of = (uid: string, timeAt: number) => ({
    versions: [[uid, 7] as const],
    changes: [{ timeAt, timeEnd: timeAt + 1, uidAt: timeAt + 2 }],
  })
  expect(joinRepetitions([of('a', 10), of('b', 60), of('a', 110)])).toEqual({
    versions: [
      ['a', 7],
      ['b', 7],
    ],
    changes: [10, 60, 110].map((timeAt) => ({ timeAt, timeEnd: timeAt + 1, uidAt: timeAt + 2 })),
  })
  expect(joinRepetitions([of('a', 10), undefined, of('b', 60)])).toBeUndefined()
})

test('nothing is repeated that depends on more than the indexes', () => {
  const query = { hybrid: null, personalize: null, showPerformanceDetails: false } as SearchQuery
  const gates = { foreignKeys: false }
  const context = { network: null, rules: [], gates, isProxied: false, includesMetadata: false }
  const repeats = (changedQuery: object, changedContext: object = {}) =>
    isRepeatable({ ...query, ...changedQuery }, { ...context, ...changedContext } as unknown as SearchContext)
  expect(repeats({})).toBe(true)
  const queries = [{ hybrid: {} }, { personalize: {} }, { showPerformanceDetails: true }]
  expect(queries.map((each) => repeats(each))).toEqual(queries.map(() => false))
  const contexts = [
    { network: {} },
    { rules: [{}] },
    { gates: { foreignKeys: true } },
    { isProxied: true },
    { includesMetadata: true },
  ]
  expect(contexts.map((each) => repeats({}, each))).toEqual(contexts.map(() => false))
})
