import { describe, expect, test } from 'vitest'
import { fail, ok } from '../errors/index.js'
import { Float, parse } from '../json/index.js'
import {
  anyJson,
  arrayOf,
  bool,
  checkBody,
  double,
  jsonObject,
  mapOf,
  nullable,
  object,
  oneOf,
  optional,
  refined,
  required,
  type Shape,
  text,
  uint,
  uint32,
} from './body.js'

/** The value, or code and message of the refusal. */
function check<T>(shape: Shape<T>, body: string): unknown {
  const parsed = parse(body)
  if (!parsed.ok) throw new Error(parsed.reason)
  const checked = checkBody(shape, parsed.value)
  return checked.ok ? checked.value : [checked.failure.code, checked.failure.message]
}

describe('single values', () => {
  test.each<[string, Shape<unknown>, string, unknown]>([
    ['text', text, '"a"', 'a'],
    ['a boolean', bool, 'false', false],
    ['an integer as a number', double, '3', 3],
    ['a float', double, '0.5', 0.5],
    ['a large integer as a number', double, '18446744073709551615', 2 ** 64],
    ['a count', uint, '5', 5],
    ['the largest count, rounded to one that is no larger', uint, '18446744073709551615', 2 ** 64 - 2 ** 11],
    ['the largest short count', uint32, '4294967295', 4294967295],
    ['null for absent', nullable(text), 'null', null],
    ['a choice', oneOf(['a', 'b']), '"b"', 'b'],
    ['a list', arrayOf(uint), '[1,2]', [1, 2]],
    ['anything', anyJson, '5.0', new Float(5)],
    ['a free object', mapOf(uint), '{"__proto__":1}', new Map([['__proto__', 1]])],
    ['any object', jsonObject, '{}', new Map()],
  ])('%s is accepted', (_, shape, body, value) => {
    expect(check(shape, body)).toEqual(value)
  })

  test.each<[Shape<unknown>, string, string]>([
    [text, '3', 'The body: a string was expected, a positive integer was found: 3.'],
    [bool, '"true"', 'The body: a boolean was expected, a string was found: "true".'],
    [double, '[1]', 'The body: a number was expected, an array was found: [1].'],
    [uint, '5.0', 'The body: a positive integer was expected, a number was found: 5.0.'],
    [uint, '1e2', 'The body: a positive integer was expected, a number was found: 100.0.'],
    [uint, '-1', 'The body: a positive integer was expected, a negative integer was found: -1.'],
    [uint, '-0', 'The body: a positive integer was expected, a number was found: -0.0.'],
    [uint, 'null', 'The body: a positive integer was expected, null was found: null.'],
    [uint32, '4294967296', 'The body: a positive integer below 4294967296 was expected.'],
    [nullable(text), '{}', 'The body: a string was expected, an object was found: {}.'],
    [
      oneOf(['first', 'last']),
      '"fist"',
      'The value: "fist" is not known (did you mean `first`?); accepted are `first`, `last`.',
    ],
    [arrayOf(uint), '[1,"a"]', '`[1]`: a positive integer was expected, a string was found: "a".'],
    [mapOf(arrayOf(text)), '{"a":["b",1]}', '`.a[1]`: a string was expected, a positive integer was found: 1.'],
    [jsonObject, '[]', 'The body: an object was expected, an array was found: [].'],
  ])('%# a wrong value is named', (shape, body, message) => {
    expect(check(shape, body)).toEqual(['bad_request', message])
  })

  test('a long value is cut in messages', () => {
    const [, message] = check(uint, JSON.stringify('x'.repeat(10_000))) as [string, string]
    expect(message.length).toBeLessThan(250)
  })
})

const book = object({
  title: required(text, 'invalid_index_uid', 'missing_index_uid'),
  pages: optional(nullable(uint), 'invalid_index_limit'),
  author: optional(
    object(
      { name: required(text, 'invalid_api_key_name', 'invalid_api_key_uid') },
      { code: 'invalid_api_key_actions' },
    ),
    'invalid_index_offset',
  ),
})

describe('objects', () => {
  test('absent members stay absent', () => {
    expect(check(book, '{"title":"a"}')).toEqual({ title: 'a' })
    expect(check(book, '{"title":"a","pages":null}')).toEqual({ title: 'a', pages: null })
  })

  test.each([
    ['{"pages":"x","bogus":1}', 'invalid_index_limit'],
    ['{"bogus":1,"pages":"x"}', 'bad_request'],
    ['{"pages":1}', 'missing_index_uid'],
    ['{}', 'missing_index_uid'],
    ['{"title":null}', 'invalid_index_uid'],
    ['[]', 'bad_request'],
    ['{"author":3}', 'invalid_api_key_actions'],
    ['{"author":{"bogus":1}}', 'invalid_api_key_actions'],
    ['{"author":{}}', 'invalid_api_key_uid'],
    ['{"author":{"name":1}}', 'invalid_api_key_name'],
  ])('%s is %s', (body, code) => {
    expect(check(book, body)).toEqual([code, expect.any(String)])
  })

  test('messages name the place and the accepted names', () => {
    expect(check(book, '{"titel":1}')).toEqual([
      'bad_request',
      'There is no field "titel" (did you mean `title`?); known are `title`, `pages`, `author`.',
    ])
    expect(check(book, '{"author":{"x":1}}')).toEqual([
      'invalid_api_key_actions',
      'There is no field "x" inside `.author`; known are `name`.',
    ])
    expect(check(book, '{"author":{}}')).toEqual([
      'invalid_api_key_uid',
      'The field `name` is missing inside `.author`.',
    ])
  })

  test('the last of two members with one name counts, at the place of the first', () => {
    expect(check(book, '{"title":1,"pages":"x","title":"a"}')).toEqual(['invalid_index_limit', expect.any(String)])
    expect(check(book, '{"title":1,"title":"a"}')).toEqual({ title: 'a' })
  })

  test('names that every JavaScript object has are unknown all the same', () => {
    const guarded = object({}, { immutable: { uid: 'immutable_api_key_uid' } })
    for (const name of ['constructor', 'toString', '__proto__']) {
      expect(check(guarded, `{"${name}":1}`)).toEqual(['bad_request', expect.stringContaining(name)])
    }
  })

  test('members that must not be sent have their own codes', () => {
    const guarded = object(
      { name: optional(text, 'invalid_api_key_name') },
      { immutable: { uid: 'immutable_api_key_uid' } },
    )
    expect(check(guarded, '{"uid":1}')).toEqual([
      'immutable_api_key_uid',
      'The field `uid` cannot be set; fields that can are `name`.',
    ])
  })

  test('unknown members may be passed over', () => {
    const open = object({ name: optional(text, 'invalid_api_key_name') }, { ignoreUnknown: true })
    expect(check(open, '{"bogus":1,"name":"a"}')).toEqual({ name: 'a' })
  })
})

describe('further rules', () => {
  test('give a reason, blamed on the value', () => {
    const even = refined(uint, (value) => (value % 2 === 0 ? ok(value / 2) : 'an even number was expected'))
    const pair = object({ n: optional(even, 'invalid_index_limit') })
    expect(check(pair, '{"n":4}')).toEqual({ n: 2 })
    expect(check(pair, '{"n":3}')).toEqual(['invalid_index_limit', '`.n`: an even number was expected.'])
    expect(check(pair, '{"n":"x"}')).toEqual(['invalid_index_limit', expect.stringContaining('a positive integer')])
  })

  test('may fail with a code of their own', () => {
    const never = refined(text, (value) => fail('index_not_found', value))
    expect(check(never, '"a"')).toEqual(['index_not_found', 'There is no index "a".'])
  })
})
