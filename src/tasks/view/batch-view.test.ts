import { expect, test } from 'vitest'
import { createIndex, deleteIds, importOf, taskOf } from '../task.fixture.js'
import { batchView, percentage, runningBatchView } from './batch-view.js'

const step = (finished: number, total: number) => ({ currentStep: 's', finished, total })

test.each([
  ['nothing begun', [step(0, 2)], 0],
  ['the example of spec 2 §3.1', [step(0, 2), step(6, 10)], 30],
  ['a second half under way', [step(1, 2), step(4, 5)], 90],
  ['a step of nothing is passed over', [step(1, 2), step(0, 0), step(1, 2)], 75],
  ['three levels', [step(1, 2), step(1, 2), step(1, 2)], 87.5],
])('percentage: %s', (_, steps, expected) => {
  expect(percentage(steps)).toBeCloseTo(expected)
})

test('a running batch has the eight members, with progress, unknown counters and processing tasks', () => {
  const tasks = [taskOf(3, importOf('a', { documentsCount: 2 })), taskOf(4, deleteIds('a', ['1']))]
  const steps = [{ currentStep: 'processing tasks', finished: 0, total: 2 }]
  const view = runningBatchView({ uid: 7, tasks, startedAt: '2026-01-05T10:00:00Z', strategy: 'why', steps })
  expect(Object.entries(view)).toEqual([
    ['uid', 7],
    ['progress', { steps, percentage: 0 }],
    [
      'details',
      { receivedDocuments: 2, indexedDocuments: null, providedIds: 1, deletedDocuments: null, originalFilter: null },
    ],
    [
      'stats',
      {
        totalNbTasks: 2,
        status: { processing: 2 },
        types: { documentAdditionOrUpdate: 1, documentDeletion: 1 },
        indexUids: { a: 2 },
      },
    ],
    ['duration', null],
    ['startedAt', '2026-01-05T10:00:00Z'],
    ['finishedAt', null],
    ['batchStrategy', 'why'],
  ])
  expect(
    runningBatchView({ uid: 0, tasks: [taskOf(0, createIndex('a'))], startedAt: '', strategy: '', steps }).details,
  ).toEqual({ primaryKey: null })
})

test('a finished batch has the eight members, a duration and no progress', () => {
  const stats = { totalNbTasks: 1, status: { succeeded: 1 }, types: { indexSwap: 1 }, indexUids: {} }
  const batch = { uid: 1, details: {}, stats, startedAt: '2026-01-05T10:00:00Z', finishedAt: '2026-01-05T10:00:01.5Z' }
  expect(Object.entries(batchView({ ...batch, enqueuedAt: null, strategy: 'why' }))).toEqual([
    ['uid', 1],
    ['progress', null],
    ['details', {}],
    ['stats', stats],
    ['duration', 'PT1.500S'],
    ['startedAt', '2026-01-05T10:00:00Z'],
    ['finishedAt', '2026-01-05T10:00:01.5Z'],
    ['batchStrategy', 'why'],
  ])
})
