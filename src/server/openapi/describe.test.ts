import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { catalogue, type ErrorCode } from '../../errors/index.js'
import { fromPlain } from '../../json/index.js'
import { answerSchemas, describeRoutes, explained, operations, pathParameters, texts } from '../../openapi/index.js'
import { checkBody, checkQuery, INDEX_UID_PATTERN, type Schema, uint32Param } from '../../shape/index.js'
import type { Route } from '../http/route.js'
import { routeTable } from '../route-table.js'
import { vocabulary } from '../routes/openapi.js'
import { SPEC_ROUTES } from '../spec-routes.fixture.js'
import { startTestServer } from '../test-server.fixture.js'

const description = describeRoutes(routeTable, vocabulary())
const described = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
)
const names = described.map(({ name }) => name)
const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`

const describedAt = (route: Route): Schema => description.paths[route.path]![route.method.toLowerCase()]!

const resolve = (schema: Schema): Schema => {
  const { $ref } = schema
  if (typeof $ref !== 'string') return schema
  const found = description.components.schemas[$ref.slice('#/components/schemas/'.length)]
  expect(found, $ref).toBeDefined()
  return found!
}

describe('the document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(description)))
    expect(errors ?? []).toEqual([])
    expect([valid, validator.version]).toEqual([true, '3.1'])
  })

  test('holds every route of the table and no other', () => {
    expect(names.sort()).toEqual(routeTable.map(nameOf).sort())
  })

  test('holds every route of the interface, with the actions that a key needs', () => {
    const roles = new Map(described.map(({ name, operation }) => [name, operation.security]))
    for (const [method, path, ...actions] of SPEC_ROUTES) {
      expect([path, roles.get(`${method} ${path}`)]).toEqual([path, actions.length === 0 ? [] : [{ bearer: actions }]])
    }
  })

  test('has no words about routes that do not exist', () => {
    expect([...operations.keys()].filter((name) => !names.includes(name))).toEqual([])
  })

  test('has the rules of path parameters that handlers have', () => {
    expect(pathParameters.index_uid!.schema.pattern).toBe(INDEX_UID_PATTERN)
    expect(pathParameters.task_id!.schema).toEqual(uint32Param.schema)
  })

  test('gives no name twice', () => {
    const { schemas } = description.components
    for (const [name, schema] of Object.entries(answerSchemas(vocabulary()))) {
      expect([name, schemas[name]]).toEqual([name, explained(schema)])
    }
  })

  test('21.15 L132: the ids of operations are as the interface has them', () => {
    const idOf = (name: string) => described.find((one) => one.name === name)?.operation.operationId
    expect(idOf('GET /webhooks')).toBe('get_webhooks')
    expect(idOf('POST /indexes/{index_uid}/documents/delete-batch')).toBe(
      'post_indexes_index_uid_documents_delete_batch',
    )
    for (const { operation } of described) {
      expect(operation.operationId).toMatch(/^(?:get|post|put|patch|delete)(?:_[a-z]+)+$/)
    }
  })

  test('21.15 L164: listing documents by GET is deprecated, and nothing else', () => {
    const deprecated = described.filter(({ operation }) => operation.deprecated !== undefined)
    expect(deprecated.map(({ name, operation }) => [name, operation.deprecated])).toEqual([
      ['GET /indexes/{index_uid}/documents', true],
    ])
  })

  test('gives each operation an id of its own', () => {
    const ids = described.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('names error codes of the catalogue only, under their status', () => {
    for (const { name, operation } of described) {
      for (const [status, answer] of Object.entries(operation.responses as Record<string, Schema>)) {
        const codes = (answer['x-error-codes'] ?? []) as ErrorCode[]
        for (const code of codes) {
          const expected = operations.get(name)?.statuses?.[code] ?? catalogue[code].status
          expect([name, code, expected]).toEqual([name, code, Number(status)])
        }
      }
    }
  })

  test('refers to schemas that are there', () => {
    const refs = JSON.stringify(description).match(/"#\/components\/schemas\/\w+"/g) ?? []
    for (const $ref of refs) resolve({ $ref: JSON.parse($ref) })
    expect(refs.length).toBeGreaterThan(100)
  })
})

describe('words', () => {
  const fields = fieldsIn(description)

  test('are there for every field and parameter', () => {
    expect(fields.filter(({ schema }) => !schema.description).map(({ name }) => name)).toEqual([])
    expect(fields.length).toBeGreaterThan(500)
  })

  test('are all used', () => {
    const said = new Set(fields.map(({ schema }) => schema.description))
    expect(Object.entries(texts).filter(([, text]) => !said.has(text))).toEqual([])
  })
})

/** Fields of requests, and query parameters. */
function fieldsIn(node: unknown): { name: string; schema: Schema }[] {
  if (typeof node !== 'object' || node === null) return []
  const { properties = {}, in: place, name } = node as Schema
  const own = Object.entries(properties as Record<string, Schema>)
    .filter(([, schema]) => schema['x-error-codes'] !== undefined)
    .map(([field, schema]) => ({ name: field, schema }))
  const parameter = place === 'query' ? [{ name: String(name), schema: node as Schema }] : []
  return [...own, ...parameter, ...Object.values(node).flatMap(fieldsIn)]
}

/** A name that nobody has. The refusal of it lists the names that there are. */
const STRANGER = 'no such name \u0000'

function knownNames(message: string): string[] {
  const list = /known are (.*)\.$/s.exec(message)?.[1] ?? ''
  return list === 'none' ? [] : list.split(', ').map((name) => name.slice(1, -1))
}

const withQuery = routeTable.flatMap((route) => {
  const shape = route.query ?? route.rawQueryShape
  return shape ? [[nameOf(route), route, shape] as const] : []
})

test.each(withQuery)('%s: the parameters are those that are checked', (_name, route, shape) => {
  const parameters = describedAt(route).parameters as Schema[]
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  const refused = checkQuery(shape, `${encodeURIComponent(STRANGER)}=1`)
  if (refused.ok) throw new Error('a parameter that does not exist was accepted')
  expect(inQuery.map(({ name }) => name)).toEqual(knownNames(refused.failure.message))
})

const withShape = routeTable.flatMap((route) => (route.body?.shape ? [[nameOf(route), route] as const] : []))

test.each(withShape)('%s: the fields are those that are checked', (_name, route) => {
  const { content } = describedAt(route).requestBody as { content: Record<string, { schema: Schema }> }
  expect(probe(content['application/json']!.schema, { route, wrap: (inner) => inner, depth: 0 })).toBeGreaterThan(0)
})

interface Probed {
  readonly route: Route
  /** The body with a value at the place of the schema. */
  readonly wrap: (inner: unknown) => unknown
  readonly depth: number
}

/** Sends a field that does not exist to every object of a body, and compares what the refusal lists. Counts places. */
function probe(schema: Schema, { route, wrap, depth }: Probed): number {
  // Embedders stand in embedders.
  if (depth > 6) return 0
  const { anyOf, allOf, properties, items, additionalProperties, ...rest } = resolve(schema)
  const deeper = (inner: Schema, place: (value: unknown) => unknown): number =>
    probe(inner, { route, wrap: (value) => wrap(place(value)), depth: depth + 1 })
  let places = 1
  for (const part of [...((anyOf ?? []) as Schema[]), ...((allOf ?? []) as Schema[])]) {
    places += probe(part, { route, wrap, depth })
  }
  if (items) places += deeper(items as Schema, (value) => [value])
  if (typeof additionalProperties === 'object') {
    places += deeper(additionalProperties as Schema, (value) => ({ movies: value }))
  }
  const fields = Object.entries((properties ?? {}) as Record<string, Schema>)
  if (additionalProperties === false) {
    const { failure } = refusalOf(route, wrap({ [STRANGER]: 1 }))
    expect([rest['x-error-codes'], knownNames(failure.message)]).toEqual([rest['x-error-codes'], fields.map(first)])
  }
  for (const [name, field] of fields) {
    expectCodes(
      field,
      refusals(route, (value) => wrap({ [name]: value })),
    )
    places += deeper(field, (value) => ({ [name]: value }))
  }
  return places
}

const first = ([name]: readonly [string, unknown]): string => name

const VALUES = [null, true, 'text', 1, -1, 0.5, [], {}]

/** The codes that values of all types are refused with at a place. */
function refusals(route: Route, wrap: (value: unknown) => unknown): Set<string> {
  const outcomes = VALUES.map((value) => checkBody(route.body!.shape!, fromPlain(wrap(value))))
  return new Set(outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.failure.code])))
}

/** What shapes let pass, since somebody else looks at it who knows more. */
const LOOKED_AT_LATER = ['invalid_document_edition_context', 'invalid_similar_id']

/** Something of some type is refused with the code of the field. */
function expectCodes(field: Schema, codes: ReadonlySet<string>): void {
  const [code] = field['x-error-codes'] as string[]
  const isFree = field.type === undefined && field.anyOf === undefined && field.$ref === undefined
  const isFilter = field.$ref === '#/components/schemas/Filter'
  if (!isFree && !isFilter && !LOOKED_AT_LATER.includes(code!)) expect([...codes]).toContain(code)
}

function refusalOf(route: Route, body: unknown) {
  const checked = checkBody(route.body!.shape!, fromPlain(body))
  if (checked.ok) throw new Error(`${nameOf(route)} accepts ${JSON.stringify(body)}`)
  return checked
}

test('nothing of the server is loaded for it, so that the built server stays in one piece', () => {
  const room = join(import.meta.dirname, '../../openapi')
  const files = readdirSync(room).filter((name) => /^[a-z-]+\.ts$/.test(name))
  const imports = files.flatMap((name) => {
    const text = readFileSync(join(room, name), 'utf8')
    return [...text.matchAll(/^import (?!type\b).* from '(.*)'$/gm)].map(([, from]) => from!)
  })
  expect(imports).toContain('../errors/index.js')
  expect(imports.filter((from) => !from.startsWith('./') && from !== '../errors/index.js')).toEqual([])
})

test('GET /openapi.json needs no key and answers the document', async () => {
  const server = await startTestServer({ routes: routeTable })
  const answers = await Promise.all([1, 2].map(() => server.send('GET', '/openapi.json', { key: null })))
  for (const { status, headers, json } of answers) {
    expect([status, headers['content-type']]).toEqual([200, 'application/json'])
    expect(json).toEqual(JSON.parse(JSON.stringify(description)))
  }
})
