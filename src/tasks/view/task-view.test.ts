import { expect, test } from 'vitest'
import { createIndex, swapOf, taskOf } from '../task.fixture.js'
import { taskSummary, taskView } from './task-view.js'

test('the full view has its members in the order of the interface', () => {
  expect(Object.entries(taskView(taskOf(4, createIndex('m', 'id'))))).toEqual([
    ['uid', 4],
    ['batchUid', null],
    ['indexUid', 'm'],
    ['status', 'enqueued'],
    ['type', 'indexCreation'],
    ['canceledBy', null],
    ['details', { primaryKey: 'id' }],
    ['error', null],
    ['duration', null],
    ['enqueuedAt', '2026-01-05T10:00:00Z'],
    ['startedAt', null],
    ['finishedAt', null],
  ])
})

test('metadata is shown when it was given, be it empty', () => {
  const task = taskOf(4, createIndex('m'), { customMetadata: '' })
  expect(Object.keys(taskView(task)).at(-1)).toBe('customMetadata')
  expect(taskSummary(task)).toMatchObject({ customMetadata: '' })
})

test('a task of the running batch is processing, with the number and start of that batch', () => {
  const view = taskView(taskOf(4, createIndex('m')), { batchUid: 9, startedAt: '2026-01-05T10:00:01Z' })
  expect(view).toMatchObject({ status: 'processing', batchUid: 9, startedAt: '2026-01-05T10:00:01Z', finishedAt: null })
})

test('a finished task has a duration', () => {
  const times = { startedAt: '2026-01-05T10:00:00Z', finishedAt: '2026-01-05T10:00:00.00933Z' }
  expect(taskView(taskOf(4, createIndex('m'), { status: 'succeeded', ...times }))).toMatchObject({
    ...times,
    duration: 'PT0.009330S',
  })
})

test('the summary has exactly five members, with no index for tasks that concern several', () => {
  expect(Object.entries(taskSummary(taskOf(12, swapOf(['a', 'b']))))).toEqual([
    ['taskUid', 12],
    ['indexUid', null],
    ['status', 'enqueued'],
    ['type', 'indexSwap'],
    ['enqueuedAt', '2026-01-05T10:00:00Z'],
  ])
})
