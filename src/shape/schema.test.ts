import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ok } from '../errors/index.js'
import { parse } from '../json/index.js'
import {
  anyJson,
  arrayOf,
  bool,
  checkBody,
  described,
  double,
  jsonObject,
  mapOf,
  named,
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
import { indexPattern, indexUid } from './index-uid.js'
import { orNull, type Schema, type SchemaNames } from './schema.js'

const definitions: Record<string, Schema> = {}
const names: SchemaNames = {
  refer(name, make) {
    definitions[name] ??= make()
    return { $ref: `#/components/schemas/${name}` }
  },
}

const book = object(
  {
    title: required(text, 'invalid_index_uid', 'missing_index_uid'),
    pages: optional(nullable(uint), 'invalid_index_limit'),
    author: optional(object({ name: required(text, 'bad_request', 'bad_request') }), 'invalid_index_offset'),
  },
  { code: 'bad_request', immutable: { createdAt: 'immutable_index_created_at' } },
)

test('an object describes its fields, which are needed, and the codes of each', () => {
  expect(book.describe(names)).toEqual({
    type: 'object',
    properties: {
      title: { type: 'string', 'x-error-codes': ['invalid_index_uid', 'missing_index_uid'] },
      pages: { type: ['integer', 'null'], minimum: 0, 'x-error-codes': ['invalid_index_limit'] },
      author: {
        type: 'object',
        properties: { name: { type: 'string', 'x-error-codes': ['bad_request'] } },
        required: ['name'],
        additionalProperties: false,
        'x-error-codes': ['invalid_index_offset'],
      },
    },
    required: ['title'],
    additionalProperties: false,
    'x-error-codes': ['bad_request'],
    'x-immutable': { createdAt: 'immutable_index_created_at' },
  })
})

test.each<[Schema, Schema]>([
  [{}, {}],
  [{ type: 'string' }, { type: ['string', 'null'] }],
  [
    { type: 'string', enum: ['a'] },
    { type: ['string', 'null'], enum: ['a', null] },
  ],
  [{ $ref: '#/a' }, { anyOf: [{ $ref: '#/a' }, { type: 'null' }] }],
])('%j or null is %j', (schema, expected) => {
  expect(orNull(schema)).toEqual(expected)
})

const even = refined(uint, (value) => (value % 2 === 0 ? ok(value) : 'it must be even'), { multipleOf: 2 })

const SHAPES: Record<string, Shape<unknown>> = {
  text,
  bool,
  double,
  anyJson,
  jsonObject,
  uint,
  uint32,
  indexUid,
  indexPattern,
  even,
  book,
  choice: oneOf(['a', 'b']),
  choiceOrNull: nullable(oneOf(['a', 'b'])),
  list: arrayOf(nullable(uint)),
  map: mapOf(even),
  loose: object({ a: required(bool, 'bad_request', 'bad_request') }, { ignoreUnknown: true }),
  later: described(text, { type: 'string' }),
  named: nullable(named('Book', book)),
}

const ajv = new Ajv2020({ strict: false })
const someNames = fc.constantFrom('a', 'b', 'title', 'pages', 'author', 'name', 'x-1', '*', 'é')
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false),
    fc.integer(),
    fc.nat(6),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    someNames,
    fc.string(),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(someNames, tie('any'), { maxKeys: 3 }),
  ),
})).any

test.each(Object.entries(SHAPES))('what %s accepts, its description allows', (_name, shape) => {
  const schema = shape.describe(names)
  const validate = ajv.compile({ ...schema, components: { schemas: definitions } })
  fc.assert(
    fc.property(value, (sent) => {
      const parsed = parse(JSON.stringify(sent))
      if (!parsed.ok) throw new Error(parsed.reason)
      return !checkBody(shape, parsed.value).ok || validate(sent)
    }),
    { numRuns: 500 },
  )
})
