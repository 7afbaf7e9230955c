import { brotliCompressSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { SPEC_ROUTES } from '../../src/server/spec-routes.fixture.js'
import { VOCABULARIES, type Vocabulary, wholeBodies } from './vocabulary.js'

export interface FuzzRequest {
  readonly method: string
  /** Percent-encoded, with the query string. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
}

/** The numbers and texts where checks tend to go wrong, as JSON text. */
export const edges = fc.constantFrom(
  ...['null', 'true', '0', '-0', '-1', '5.0', '1e2', '1e400', '0.1', '4294967296', '9007199254740993'],
  ...['18446744073709551616', '-9223372036854775809', '""', '"__proto__"', '"constructor"', '"\\ud800"', '"\\u0000"'],
  ...['[]', '{}', '{"__proto__":1}', '[[[[[[[[[]]]]]]]]]', `"${'x'.repeat(5000)}"`, '{"a":1,"a":2}'],
  ...[`${'['.repeat(200)}${']'.repeat(200)}`, `${'{"a":'.repeat(130)}1${'}'.repeat(130)}`],
)

const randomJson = fc.oneof(
  { weight: 3, arbitrary: edges },
  { weight: 1, arbitrary: fc.json({ maxDepth: 4, stringUnit: 'binary' }) },
)

/** Some members of the vocabulary in random order, most with a value that fits, a few with any. */
function objectOf(vocabulary: Vocabulary): fc.Arbitrary<string> {
  const pairs = Object.entries(vocabulary).flatMap(([name, values]) => values.map((value) => member(name, value)))
  const known = fc.constantFrom(...pairs)
  const misused = fc
    .tuple(fc.constantFrom(...Object.keys(vocabulary)), randomJson)
    .map(([name, value]) => member(name, value))
  const stranger = fc.tuple(fc.string(), randomJson).map(([name, value]) => member(name, value))
  const any = fc.oneof(
    { weight: 20, arbitrary: known },
    { weight: 3, arbitrary: misused },
    { weight: 1, arbitrary: stranger },
  )
  return fc.array(any, { maxLength: 6 }).map((members) => `{${members.join(',')}}`)
}

const member = (name: string, value: string): string => `${JSON.stringify(name)}:${value}`

function queryOf(vocabulary: Vocabulary): fc.Arbitrary<string> {
  const pairs = Object.entries(vocabulary).flatMap(([name, values]) => values.map((value) => parameter(name, value)))
  const anything = fc.string({ unit: 'binary-ascii' }).map((text) => text.replace(/[^!$-~]/g, '%'))
  const any = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...pairs) }, { weight: 1, arbitrary: anything })
  return fc.array(any, { maxLength: 3 }).map((parts) => (parts.length === 0 ? '' : `?${parts.join('&')}`))
}

/** A value of a body as a parameter writes it: no quotes, no brackets. */
function parameter(name: string, value: string): string {
  return `${name}=${encodeURIComponent(value.replace(/^"|"$|^\[|\]$/g, ''))}`
}

function vocabularyOf(path: string): Vocabulary {
  return VOCABULARIES.find(([end]) => end.test(path))?.[1] ?? { offset: ['0'], limit: ['1'] }
}

/** By the parameter names of the routes. */
const COMMON: Readonly<Record<string, readonly string[]>> = {
  index_uid: ['movies', 'movies', 'a', 'b-1'],
  key: ['6f1c2d3e-0a1b-4c2d-8e3f-112233445566', 'nope'],
  uuid: ['6f1c2d3e-0a1b-4c2d-8e3f-112233445566', '00000000-0000-0000-0000-000000000000'],
  task_id: ['0', '1', '7', '4294967295', '4294967296', '-1', 'stream'],
  batch_id: ['0', '1', '7', '4294967295', '4294967296', '-1', 'stream'],
  document_id: ['1', '2', 'fetch', 'a'],
}

/** Segments that are no names. */
const HOSTILE = ['%00', '%2e%2e', '%2F', '%', '%zz', '*', 'a%20b', 'x'.repeat(600), '%F0%9F%A6%8A', '%ff', '__proto__']

export function pathOf(pattern: string): fc.Arbitrary<string> {
  const names = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const segments = names.map((name) =>
    fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...(COMMON[name] ?? ['a'])) },
      { weight: 1, arbitrary: fc.constantFrom(...HOSTILE) },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme' }).map(encodeURIComponent) },
    ),
  )
  return fc.tuple(...segments).map((values) => {
    let next = 0
    return pattern.replace(/\{\w+\}/g, () => values[next++] ?? '')
  })
}

const header = (name: string, ...values: string[]) => fc.constantFrom(...values).map((value) => ({ [name]: value }))
const oddHeaders = fc.oneof(
  header('accept-encoding', 'gzip', 'br, gzip;q=0.5', 'identity;q=0', '*', ';;q', 'gzip;q=2'),
  header('origin', 'null', 'http://127.0.0.1'),
  header('meili-include-metadata', 'true', '1', 'x'),
  header('content-encoding', 'gzip', 'zstd', 'deflate, gzip', ''),
  header('expect', '100-continue'),
  header('x-meili-proxy-origin-remote', 'a', ''),
  header('taskid', '1', 'x'),
  header('access-control-request-method', 'GET', 'nope'),
  fc.string({ unit: fc.constantFrom(...'abc=;,"%é\t ') }).map((value) => ({ 'x-anything': latin1(value) })),
)

const latin1 = (text: string): string => Buffer.from(text).toString('latin1')

const contentTypes = fc.oneof(
  { weight: 30, arbitrary: fc.constant('application/json') },
  { weight: 2, arbitrary: fc.constantFrom('application/x-ndjson', 'text/csv', 'application/json; charset=x') },
  { weight: 1, arbitrary: fc.constantFrom('', 'json', 'text/plain', 'multipart/form-data; boundary=a', 'a/b+json') },
)

function authorizations(masterKey: string): fc.Arbitrary<Record<string, string>> {
  return fc.oneof(
    { weight: 30, arbitrary: fc.constant({ authorization: `Bearer ${masterKey}` }) },
    { weight: 1, arbitrary: fc.constant({}) },
    {
      weight: 2,
      arbitrary: header(
        'authorization',
        'Bearer',
        'Bearer x',
        'Basic x',
        'bearer a',
        'Bearer a.b.c',
        '',
        'Bearer eyJhbGciOiJub25lIn0.e30.',
      ),
    },
  )
}

type Encoded = readonly [Buffer | undefined, Record<string, string>]

function bodyOf(path: string): fc.Arbitrary<Encoded> {
  const whole = wholeBodies(path)
  const fitting = whole.length > 0 ? fc.constantFrom(...whole) : objectOf(vocabularyOf(path))
  const text = fc.oneof(
    { weight: 12, arbitrary: fitting },
    { weight: 2, arbitrary: objectOf(vocabularyOf(path)) },
    { weight: 1, arbitrary: randomJson },
    { weight: 1, arbitrary: fc.constantFrom('', ' ', '{"a":', '[1,]', 'nul', '{"a":1}x', '\ufeff{}') },
  )
  const bytes = fc.oneof(
    { weight: 20, arbitrary: text.map((value) => Buffer.from(value)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((value) => Buffer.from(value)) },
  )
  const encode = fc.oneof(
    { weight: 20, arbitrary: fc.constant((plain: Buffer): Encoded => [plain, {}]) },
    { weight: 3, arbitrary: fc.constantFrom(asGzip, asBrotli, asTornGzip) },
  )
  return fc.tuple(bytes, encode).map(([plain, encoded]) => encoded(plain))
}

const asGzip = (plain: Buffer): Encoded => [gzipSync(plain), { 'content-encoding': 'gzip' }]
const asBrotli = (plain: Buffer): Encoded => [brotliCompressSync(plain), { 'content-encoding': 'br' }]
const asTornGzip = (plain: Buffer): Encoded => [gzipSync(plain).subarray(0, -5), { 'content-encoding': 'gzip' }]

function requestOf(method: string, pattern: string, masterKey: string): fc.Arbitrary<FuzzRequest> {
  const hasBody = method !== 'GET'
  const parts = fc.record({
    path: pathOf(pattern),
    query: fc.oneof(fc.constant(''), queryOf(vocabularyOf(pattern))),
    authorization: authorizations(masterKey),
    contentType: contentTypes,
    odd: fc.array(oddHeaders, { maxLength: 1 }),
    encoded: hasBody ? bodyOf(pattern) : fc.constant<Encoded>([undefined, {}]),
    method: fc.oneof(
      { weight: 30, arbitrary: fc.constant(method) },
      { weight: 1, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS') },
    ),
  })
  return parts.map(({ method, path, query, authorization, contentType, odd, encoded: [body, encoding] }) => ({
    method,
    path: path + query,
    headers: Object.assign(
      {},
      authorization,
      body ? { 'content-type': contentType } : {},
      encoding,
      ...odd,
      framing(body),
    ),
    body,
  }))
}

/** Said here, since Node sends the body of a DELETE without saying where it ends. */
function framing(body: Buffer | undefined): Record<string, string> {
  return body ? { 'content-length': String(body.length) } : {}
}

/** Single settings are half of all routes and much alike; what fills an index comes more often than what empties it. */
function weightOf(method: string, path: string): number {
  if (path.includes('/settings/') || (method === 'DELETE' && path === '/indexes/{index_uid}')) return 1
  return /^P\w+ .*\/(documents|search)$/.test(`${method} ${path}`) ? 12 : 4
}

/** Makes requests that depend on nothing but the seed, spread over every route. */
export function fuzzRequests(masterKey: string): (seed: number, count: number) => FuzzRequest[] {
  const any = fc.oneof(
    ...SPEC_ROUTES.map(([method, path]) => ({
      weight: weightOf(method, path),
      arbitrary: requestOf(method, path, masterKey),
    })),
  )
  return (seed, count) => fc.sample(any, { seed, numRuns: count })
}
