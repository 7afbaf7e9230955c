import { expect, test } from 'vitest'
import { errorBody, FailureError, fail, failure, ok, statusOf } from './failure.js'

test('a failure carries its code and the facts its message names', () => {
  expect(failure('index_not_found', 'movies')).toEqual({
    code: 'index_not_found',
    message: 'There is no index "movies".',
  })
})

test('a result is either a value or a failure', () => {
  expect(ok(3)).toEqual({ ok: true, value: 3 })
  expect(fail('document_not_found', '7')).toEqual({ ok: false, failure: failure('document_not_found', '7') })
})

test('an error answer has four members in a fixed order, and a link made of base and code', () => {
  const body = errorBody(failure('index_not_found', 'movies'), 'https://example.org/errors')
  expect(Object.entries(body)).toEqual([
    ['message', 'There is no index "movies".'],
    ['code', 'index_not_found'],
    ['type', 'invalid_request'],
    ['link', 'https://example.org/errors#index_not_found'],
  ])
})

test('the status of an answer derives from the code alone', () => {
  expect([statusOf('index_not_found'), statusOf('too_many_search_requests')]).toEqual([404, 503])
})

test('a thrown failure keeps what caused it', () => {
  const cause = new Error('disk')
  const thrown = new FailureError(failure('io_error', 'The disk is gone'), { cause })
  expect(thrown.cause).toBe(cause)
  expect(thrown.message).toBe(thrown.failure.message)
})

test('a message shows hostile names as text', () => {
  expect(failure('index_not_found', 'a"\n\u0000').message).toBe('There is no index "a\\"\\n\\u0000".')
})
