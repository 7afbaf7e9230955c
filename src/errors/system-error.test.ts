import { expect, test } from 'vitest'
import { FailureError, failure } from './failure.js'
import { failureFromSystemError } from './system-error.js'

const withCode = (code: unknown, message = 'secret path') => Object.assign(new Error(message), { code })

test.each([
  ['ENOSPC', 'no_space_left_on_device'],
  [28, 'no_space_left_on_device'],
  ['EIO', 'io_error'],
  ['EMFILE', 'too_many_open_files'],
  [-30792, 'database_size_limit_reached'],
  [-30793, 'invalid_store_file'],
  ['EWHATEVER', 'internal'],
])('an error with the code %s is a failure %s', (code, expected) => {
  expect(failureFromSystemError(withCode(code)).code).toBe(expected)
})

test('causes count', () => {
  const error = new Error('writing failed', { cause: withCode('ENOSPC') })
  expect(failureFromSystemError(error).code).toBe('no_space_left_on_device')
})

test('a failure that was thrown is itself', () => {
  const known = failure('index_not_found', 'books')
  expect(failureFromSystemError(new FailureError(known))).toEqual(known)
})

test('the message of an unexpected error is kept from users', () => {
  expect(failureFromSystemError(withCode('EIO')).message).not.toContain('secret')
  expect(failureFromSystemError(new Error('secret')).message).not.toContain('secret')
})

test('users are told what is damaged', () => {
  const { code, message } = failureFromSystemError(withCode('CORRUPT_BYTES', 'stored data is damaged: all of it'))
  expect([code, message]).toEqual(['internal', expect.stringContaining('stored data is damaged: all of it')])
})

test('a cause that points back at its own error ends', () => {
  const error = new Error('round')
  error.cause = error
  expect(failureFromSystemError(error).code).toBe('internal')
  expect(failureFromSystemError('not an error').code).toBe('internal')
})

test('an input or output error ends with a hint about the disk', () => {
  expect(failureFromSystemError(withCode('EIO')).message).toMatch(/space.*rights/)
})
