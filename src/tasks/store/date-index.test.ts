import fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryEnvironment } from '../../store/temporary.fixture.js'
import { formatTimestamp, parseTimestamp, type Timestamp } from '../../time/index.js'
import { DateIndex } from './date-index.js'

const environment = temporaryEnvironment()
const database = environment.database('dates')
const dates = new DateIndex(database)

const START = parseTimestamp('2026-01-05T10:00:00Z')!
const instant = fc.nat(20).map((ns) => (START + BigInt(ns)) as Timestamp)

test('both bounds are strict, to the nanosecond', () => {
  const bounds = fc.record({
    after: fc.option(instant, { nil: undefined }),
    before: fc.option(instant, { nil: undefined }),
  })
  fc.assert(
    fc.property(fc.array(instant, { maxLength: 10 }), bounds, (times, { after, before }) => {
      environment.writeSync(() => {
        database.clear()
        for (const [uid, time] of times.entries()) dates.add('taskStarted', formatTimestamp(time), uid)
        dates.add('taskEnqueued', formatTimestamp(START), 77)
        dates.add('taskFinished', formatTimestamp(START), 78)
      })
      const expected = times.flatMap((time, uid) =>
        (after === undefined || time > after) && (before === undefined || time < before) ? [uid] : [],
      )
      expect([...dates.between('taskStarted', { after, before }).toArray()]).toEqual(expected)
    }),
    { numRuns: 60 },
  )
})

test('a date that was removed is not found', () => {
  environment.writeSync(() => {
    database.clear()
    dates.add('batchStarted', '2026-01-05T10:00:00.5Z', 1)
    dates.add('batchStarted', '2026-01-05T10:00:00.5Z', 2)
    dates.remove('batchStarted', '2026-01-05T10:00:00.5Z', 1)
  })
  expect([...dates.between('batchStarted', {}).toArray()]).toEqual([2])
})

test.each([
  ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z', [1]],
  ['9999-12-31T00:00:00Z', undefined, []],
  [undefined, '0001-01-01T00:00:00Z', []],
  ['2026-01-06T00:00:00Z', '2026-01-04T00:00:00Z', []],
])('bounds far outside the range of stored times: after %s, before %s', (after, before, expected) => {
  environment.writeSync(() => {
    database.clear()
    dates.add('taskFinished', '2026-01-05T10:00:00Z', 1)
  })
  const bounds = { after: after && parseTimestamp(after), before: before && parseTimestamp(before) }
  expect([...dates.between('taskFinished', bounds as never).toArray()]).toEqual(expected)
})
