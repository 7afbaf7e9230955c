import { expect, test } from 'vitest'
import { CorruptBytes } from '../bytes/index.js'
import { FailureError, failure, failureFromSystemError } from '../errors/index.js'
import { JobCancelled } from './job-cancelled.js'
import { toError, toProblem } from './problem.js'

/** What is left of an error after its way between two threads. */
const sent = (error: unknown): Error => toError(structuredClone(toProblem(error)))

test('a failure stays the failure it is', () => {
  const error = sent(new FailureError(failure('index_not_found', 'a')))
  expect(error).toBeInstanceOf(FailureError)
  expect((error as FailureError).failure).toEqual(failure('index_not_found', 'a'))
})

test('a cancelation stays one', () => {
  expect(sent(new JobCancelled())).toBeInstanceOf(JobCancelled)
})

test('a surprise keeps its message, its place and its code', () => {
  const full = Object.assign(new Error('disk full'), { code: 'ENOSPC' })
  const error = sent(full)
  expect([error.message, error.stack]).toEqual([full.message, full.stack])
  expect(failureFromSystemError(error).code).toBe('no_space_left_on_device')
  expect(sent('odd').message).toBe('odd')
})

test('damage is told as damage', () => {
  const { code, message } = failureFromSystemError(sent(new CorruptBytes('a list of words is out of order')))
  expect([code, message]).toEqual(['internal', expect.stringContaining('a list of words is out of order')])
})
