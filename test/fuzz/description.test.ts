import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Description, type Document } from './description.js'
import { mistaken, mistakes } from './mistakes.js'
import { nearValidRequests } from './near-valid.js'

const document: Document = {
  paths: {
    '/things/{key}': {
      patch: {
        parameters: [{ name: 'count', in: 'query', required: false, schema: { type: 'integer', minimum: 0 } }],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
        responses: {
          200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
          400: { 'x-error-codes': ['bad_thing'] },
        },
      },
    },
  },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          size: { type: ['integer', 'null'], maximum: 9 },
          inner: { $ref: '#/components/schemas/Thing' },
        },
        required: ['name'],
        additionalProperties: false,
      },
    },
  },
}

const description = new Description(document)
const operation = description.operations[0]!
const json = 'application/json'
const sending = (body: string) => ({
  method: 'PATCH',
  path: '/things/a',
  headers: { 'content-type': json },
  body: Buffer.from(body),
})
const error = (code: string) => JSON.stringify({ message: 'm', code, type: 't', link: 'l' })
const NAMED = '{"name":"a"}'

test.each([
  ['a described answer', NAMED, 200, NAMED],
  ['a described refusal', '{}', 400, error('bad_thing')],
  ['a refusal of what the description allows', NAMED, 400, error('bad_thing')],
])('%s is no contradiction', (_name, body, status, text) => {
  expect(description.contradiction(operation, sending(body), { status, contentType: json, text })).toBeUndefined()
})

test.each([
  ['a status', NAMED, 201, NAMED],
  ['a code', NAMED, 400, error('other_thing')],
  ['a status of refusals', NAMED, 409, error('bad_thing')],
  ['a missing member of the answer', NAMED, 200, '{}'],
  ['a new member of the answer', NAMED, 200, '{"name":"a","age":1}'],
  ['a body that must not be accepted', '{"name":1}', 200, NAMED],
])('%s that is not described is a contradiction', (_name, body, status, text) => {
  expect(description.contradiction(operation, sending(body), { status, contentType: json, text })).toBeTypeOf('string')
})

test('requests depend on the seed alone, and are valid now and then', () => {
  const make = nearValidRequests(description, 'key')
  expect(make(7, 50)).toEqual(make(7, 50))
  const accepted = make(7, 200).filter((request) => {
    const answer = { status: 200, contentType: json, text: NAMED }
    return isJson(request.body) && description.contradiction(operation, request, answer) === undefined
  })
  expect(accepted.length).toBeGreaterThan(40)
  expect(accepted.length).toBeLessThan(160)
})

function isJson(body: Buffer | undefined): boolean {
  try {
    JSON.parse(String(body))
    return true
  } catch {
    return false
  }
}

test('a mistake changes the text in one place', () => {
  const value = { name: 'a', list: [1, { deep: null }] }
  const texts = fc.sample(
    mistakes.map((mistake) => mistaken(value, mistake)),
    { numRuns: 200, seed: 1 },
  )
  expect(new Set(texts).size).toBeGreaterThan(50)
  expect(mistaken(value, { at: 1, kind: 'replace', edge: '5' })).toBe('{"name":5,"list":[1,{"deep":null}]}')
  expect(mistaken(value, { at: 2, kind: 'drop', edge: '5' })).toBe('{"name":"a"}')
  expect(mistaken(value, { at: 5, kind: 'rename', edge: '5' })).toBe('{"name":"a","list":[1,{"deeps":null}]}')
  expect(mistaken(value, { at: 3, kind: 'nest', edge: '5' })).toBe('{"name":"a","list":[[1],{"deep":null}]}')
  expect(mistaken(value, { at: 1, kind: 'repeat', edge: '5' })).toBe('{"name":"a","name":5,"list":[1,{"deep":null}]}')
})
