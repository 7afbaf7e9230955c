import fc from 'fast-check'
import type { Description, Operation, Parameter, Schema } from './description.js'
import { type Mistake, mistaken, mistakes } from './mistakes.js'
import { type FuzzRequest, pathOf } from './requests.js'
import { SchemaValues } from './schema-values.js'

/** A request that is valid by the description, but for one mistake at most in each of its parts. */
export interface DescribedRequest extends FuzzRequest {
  readonly operation: Operation
}

/** Makes requests to every operation, which depend on nothing but the seed. */
export function nearValidRequests(
  description: Description,
  masterKey: string,
): (seed: number, count: number) => DescribedRequest[] {
  const values = new SchemaValues(description)
  const any = fc.oneof(
    ...description.operations.map((operation) => ({
      weight: weightOf(operation),
      arbitrary: requestTo(operation, values, masterKey),
    })),
  )
  return (seed, count) => fc.sample(any, { seed, numRuns: count })
}

/** Bodies with much in them come more often; what takes the ground away from others, less. */
function weightOf({ method, path }: Operation): number {
  if (method === 'DELETE' || path === '/swap-indexes' || path === '/experimental-features') return 1
  return /\/(documents|search|multi-search|settings|fetch|keys|completions)$/.test(path) ? 12 : 3
}

function requestTo(operation: Operation, values: SchemaValues, masterKey: string): fc.Arbitrary<DescribedRequest> {
  const { method, path, parameters = [], requestBody } = operation
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  const parts = fc.record({
    // An empty name makes the path that of another route.
    target: pathOf(path).filter((target) => !/\/(\/|$)/.test(target) || target === path),
    query: queryOf(inQuery, values),
    sent: requestBody ? bodyOf(requestBody.content ?? {}, values) : fc.constant(undefined),
  })
  return parts.map(({ target, query, sent }) => ({
    operation,
    method,
    path: target + query,
    headers: {
      authorization: `Bearer ${masterKey}`,
      ...(sent && { 'content-type': sent.type, 'content-length': String(sent.body.length) }),
    },
    body: sent?.body,
  }))
}

interface SentBody {
  readonly type: string
  readonly body: Buffer
}

type Contents = Readonly<Record<string, { readonly schema: Schema }>>

function bodyOf(content: Contents, values: SchemaValues): fc.Arbitrary<SentBody> {
  const types = Object.entries(content).map(([type, { schema }]) => {
    const text = type === 'application/json' ? nearly(values.of(schema)) : fc.constantFrom(...(DOCUMENTS[type] ?? ['']))
    return text.map((text) => ({ type, body: Buffer.from(text) }))
  })
  return fc.oneof(...types)
}

const DOCUMENTS: Readonly<Record<string, readonly string[]>> = {
  'application/x-ndjson': ['{"id":1}\n{"id":2,"title":"a"}', '{"id":1', '', '[{"id":1}]\n3'],
  'text/csv': ['id,title\n1,a\n2,"b', 'id,year:number\n1,x', 'id\n1\n', ''],
}

function queryOf(parameters: readonly Parameter[], values: SchemaValues): fc.Arbitrary<string> {
  const each = parameters.map(({ name, required, schema }) => {
    const given = nearly(values.of(schema, name)).map((json) => `${name}=${asParameter(json)}`)
    return mostly(required ? 9 : 1, given, required ? 1 : 4, '')
  })
  return fc.tuple(...each).map((parts) => {
    const given = parts.filter((part) => part !== '')
    return given.length === 0 ? '' : `?${given.join('&')}`
  })
}

/** Lists are written with commas, texts without quotes. */
const asParameter = (json: string): string => encodeURIComponent(json.replace(/^\[|\]$/g, '').replaceAll('"', ''))

function mostly<T, U>(weight: number, arbitrary: fc.Arbitrary<T>, rest: number, otherwise: U): fc.Arbitrary<T | U> {
  return fc.oneof({ weight, arbitrary }, { weight: rest, arbitrary: fc.constant(otherwise) })
}

/** The JSON text of a value, more often than not with one mistake. */
function nearly(value: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const mistake: fc.Arbitrary<Mistake | undefined> = mostly(3, mistakes, 2, undefined)
  return fc.tuple(value, mistake).map(([valid, made]) => (made ? mistaken(valid, made) : JSON.stringify(valid)))
}
