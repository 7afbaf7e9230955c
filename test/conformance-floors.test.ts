import { expect, test } from 'vitest'
import { judge, raiseFloors, tally, tallyAreas } from '../conformance/floors.js'
import { exitCodeWithoutRecordings } from '../conformance/recordings.js'

const failed = { path: '(status)' }
const results = [
  { area: 'tasks', name: 'a' },
  { area: 'tasks', name: 'b' },
  { area: 'tasks', name: 'c', failed },
  { area: 'tasks', name: 'd', failed },
]

test('conversations are counted by whether they passed and whether that was expected', () => {
  const exceptions = { 'tasks/b': 'a reason', 'tasks/d': 'a reason', 'other/c': 'a reason' }
  expect(tally('tasks', results, exceptions)).toEqual({
    area: 'tasks',
    passed: 2,
    failed: 1,
    excepted: 1,
    needless: ['b'],
  })
})

test('an area below its floor misses as many as it is below', () => {
  const { missing, open, passed } = judge([tally('tasks', results, {})], { tasks: 3 })
  expect({ missing, open, passed }).toEqual({ missing: 1, open: 1, passed: 2 })
})

test('an area at or above its floor misses none, and says what the floor could be', () => {
  const { missing, lines } = judge([tally('tasks', results, {})], { tasks: 1 })
  expect(missing).toBe(0)
  expect(lines.at(-1)).toContain('the floor could be 2')
})

test('floors are raised, never lowered, and other areas keep theirs', () => {
  const counts = [tally('tasks', results, {}), { ...tally('auth', results, {}), area: 'auth' }]
  expect(raiseFloors(counts, { tasks: 3, search: 7 })).toEqual({ auth: 2, search: 7, tasks: 3 })
})

test('an area that has a floor and was left out misses all of it', () => {
  const { missing } = judge(tallyAreas(results, {}), { tasks: 2, search: 7 })
  expect(missing).toBe(7)
})

test('results are counted area by area', () => {
  const counts = tallyAreas([...results, { area: 'auth', name: 'a' }], {})
  expect(counts.map(({ area, passed, failed }) => ({ area, passed, failed }))).toEqual([
    { area: 'tasks', passed: 2, failed: 2 },
    { area: 'auth', passed: 1, failed: 0 },
  ])
})

test('without the recordings CI fails, and a person is told that nothing was compared', () => {
  const nowhere = { recordings: '/nowhere', isCi: true }
  expect(exitCodeWithoutRecordings('conformance', nowhere)).toBe(1)
  expect(exitCodeWithoutRecordings('conformance', { ...nowhere, isCi: false })).toBe(0)
})
