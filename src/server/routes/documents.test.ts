import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { type IndexServer, startIndexServer } from '../index-server.fixture.js'

let server: IndexServer
beforeAll(async () => {
  server = await startIndexServer({ args: ['--http-payload-size-limit', '2MB'] })
})

const typed = (type: string, body: string | Uint8Array, headers: Record<string, string> = {}) => ({
  body,
  headers: { 'content-type': type, ...headers },
})
const JSON_TYPE = 'application/json'
const NDJSON = 'application/x-ndjson'
const CSV = 'text/csv'
/** `books/7` is the path of a document of `books`, or of what else is below its documents. */
function documents(path: string, query = ''): string {
  const [index, below] = path.split('/')
  return `/indexes/${index}/documents${below === undefined ? '' : `/${below}`}${query}`
}
const post = (sent: object, query = '') => server.codeOf('POST', documents('refused', query), sent)
const put = (index: string, body: unknown) => server.done('PUT', documents(index), { body: body as object })
const failed = (code: string) => ({ status: 'failed', error: { code } })
const text = async (index: string) => (await server.send('GET', documents(index))).text
const primaryKeyOf = async (index: string) => (await server.send('GET', `/indexes/${index}`)).json.primaryKey

describe('a payload that cannot be taken', () => {
  test('has no content type, or a wrong one', async () => {
    expect(await post({ body: '[]' })).toBe('missing_content_type')
    expect(await post({ body: '[]' }, '?csvDelimiter=;')).toBe('missing_content_type')
    expect(await post(typed('text/plain', '[]'))).toBe('invalid_content_type')
    expect(await post(typed('json', '[]'))).toBe('invalid_content_type')
    expect(await post(typed(JSON_TYPE, '[]'), '?csvDelimiter=a')).toBe('invalid_content_type')
    expect(await post(typed(NDJSON, '{}'), '?csvDelimiter=a')).toBe('invalid_content_type')
  })

  test.each(['', 'ab', '%F0%9F%8D%B0', '%C3%A9'])('has the delimiter %j', async (delimiter) => {
    expect(await post(typed(CSV, 'id\n1'), `?csvDelimiter=${delimiter}`)).toBe('invalid_document_csv_delimiter')
  })

  test('has a parameter that is wrong or unknown, which is seen before the uid', async () => {
    expect(await post(typed(JSON_TYPE, '[]'), '?skipCreation=yes')).toBe('invalid_skip_creation')
    expect(await post(typed(JSON_TYPE, '[]'), '?unknown=1')).toBe('bad_request')
    const bad = '/indexes/not%20a%20uid/documents'
    expect(await server.codeOf('POST', `${bad}?unknown=1`, typed(JSON_TYPE, '[]'))).toBe('bad_request')
    expect(await server.codeOf('POST', bad, typed(JSON_TYPE, '[]'))).toBe('invalid_index_uid')
  })

  test('22.4.11: has a wrong content type, which is seen after the uid', async () => {
    const bad = '/indexes/a%20b/documents'
    for (const method of ['POST', 'PUT']) {
      expect(await server.codeOf(method, bad, typed('text/plain', '[]'))).toBe('invalid_index_uid')
      expect(await server.codeOf(method, bad, { body: '[]' })).toBe('invalid_index_uid')
      expect(await server.codeOf(method, `${bad}?unknown=1`, typed('text/plain', '[]'))).toBe('bad_request')
    }
    expect(await server.codeOf('POST', '/indexes/a%20b/search', typed('text/plain', '{}'))).toBe('invalid_content_type')
  })

  test.each([JSON_TYPE, NDJSON, CSV])('is empty (%s)', async (type) => {
    expect(await post(typed(type, ''))).toBe('missing_payload')
  })

  test.each([
    [JSON_TYPE, ' '],
    [JSON_TYPE, '[{"id":1},{id:2}]'],
    [JSON_TYPE, '[{"id":1}'],
    [JSON_TYPE, '"text"'],
    [JSON_TYPE, 'null'],
    [JSON_TYPE, '[1]'],
    [JSON_TYPE, '[{"id":1},"x"]'],
    [JSON_TYPE, '{"id":1} x'],
    [JSON_TYPE, '{"id":1e400}'],
    [NDJSON, '{"id":1}\n{id:2}'],
    [NDJSON, '{"id":1}\n[]'],
    [CSV, '#id:number,age:number,cute:boolean\n0,2.5,maybe'],
    [CSV, 'a:number\nx'],
    [CSV, 'a,b\n1,2,3'],
    [CSV, 'a,b\n1'],
  ])('is malformed: %s %j', async (type, body) => {
    expect(await post(typed(type, body))).toBe('malformed_payload')
  })

  test('is too large, whether announced or compressed', async () => {
    const large = `[{"id":1,"t":"${'x'.repeat(2_000_000)}"}]`
    const answer = await server.send('POST', documents('refused'), typed(JSON_TYPE, large))
    expect([answer.status, answer.json.code]).toEqual([413, 'payload_too_large'])
    expect(await post(typed(JSON_TYPE, gzipSync(large), { 'content-encoding': 'gzip' }))).toBe('payload_too_large')
    expect(await post(typed(JSON_TYPE, '[]', { 'content-encoding': 'gzip' }))).toBe('bad_request')
  })

  test('creates no index', async () => {
    expect(await server.codeOf('GET', '/indexes/refused')).toBe('index_not_found')
  })
})

describe('a payload that is taken', () => {
  test('is summed up, and counted by distinct ids when it is done', async () => {
    const body = [{ id: 1, t: 'a' }, { id: '1', t: 'b' }, { id: 2 }]
    const answer = await server.send('POST', documents('books', '?customMetadata=mine'), { body })
    expect([answer.status, answer.json]).toEqual([
      202,
      {
        taskUid: expect.any(Number),
        indexUid: 'books',
        status: 'enqueued',
        type: 'documentAdditionOrUpdate',
        enqueuedAt: expect.any(String),
        customMetadata: 'mine',
      },
    ])
    expect(await server.ended(answer.json.taskUid)).toMatchObject({
      status: 'succeeded',
      details: { receivedDocuments: 3, indexedDocuments: 2 },
      error: null,
    })
    expect(await text('books')).toBe('{"results":[{"id":"1","t":"b"},{"id":2}],"offset":0,"limit":20,"total":2}')
  })

  test.each<[string, string | Uint8Array, Record<string, string>, number]>([
    ['application/json; charset=utf-8', '[]', {}, 0],
    [JSON_TYPE, '{"id":1}', {}, 1],
    [JSON_TYPE, '[{"id":1}] whatever', {}, 1],
    [NDJSON, ' ', {}, 0],
    [NDJSON, '{"id":1}{"id":2}\n\n {"id":3}', {}, 3],
    [CSV, 'id', {}, 0],
    [CSV, 'id\n1\n\n2', {}, 2],
    [JSON_TYPE, gzipSync('[{"id":1},{"id":2}]'), { 'content-encoding': 'gzip' }, 2],
  ])('%s %j', async (type, body, headers, count) => {
    const task = await server.done('POST', documents('taken', '?skipCreation=TRUE'), typed(type, body, headers))
    expect(task).toMatchObject({ status: 'succeeded', details: { receivedDocuments: count, indexedDocuments: count } })
  })

  test('CSV gives every column to every document, typed and null where empty', async () => {
    const csv = '#id:number,age:number,cute:boolean, text,a:b:number\n1,,,"a, ""b""",1e3\n2, 2.5 ,true,,7\n'
    await server.done('POST', documents('csv', '?primaryKey=%23id'), typed(CSV, csv))
    expect(await text('csv')).toContain(
      '[{"#id":1,"age":null,"cute":null," text":"a, \\"b\\"","a:b":1000.0},{"#id":2,"age":2.5,"cute":true," text":null,"a:b":7}]',
    )
    await server.done('POST', documents('semicolon', '?csvDelimiter=;'), typed(CSV, 'id;t\n1;a,b'))
    expect(await server.list('semicolon')).toEqual([{ id: '1', t: 'a,b' }])
  })

  test('numbers come back as they are written down', async () => {
    const body = '[{"id":1,"a":1.50,"b":1e3,"c":12345678901234567890,"d":-0,"e":18446744073709551616,"f":1e-7}]'
    await server.done('POST', documents('numbers'), typed(JSON_TYPE, body))
    expect((await server.send('GET', documents('numbers/1'))).text).toBe(
      '{"id":1,"a":1.5,"b":1000.0,"c":12345678901234567890,"d":-0.0,"e":1.8446744073709552e+19,"f":1e-7}',
    )
  })

  test('values that can never be stored fail the task', async () => {
    const send = (value: string) => server.done('POST', documents('deep'), typed(JSON_TYPE, `[{"id":1,"v":${value}}]`))
    expect(await send('1e400')).toMatchObject(failed('internal'))
    expect(await send(`${'['.repeat(128)}${']'.repeat(128)}`)).toMatchObject(failed('internal'))
    expect(await send(`${'['.repeat(127)}${']'.repeat(127)}`)).toMatchObject({ status: 'succeeded' })
  })

  test('more names than an index holds fail the task', async () => {
    const wide = Object.fromEntries(Array.from({ length: 65_536 }, (_, i) => [`n${i}`, 1]))
    expect(await server.add('wide', [{ id: 1, ...wide }])).toMatchObject(failed('max_fields_limit_exceeded'))
  })
})

describe('the primary key', () => {
  test('is guessed from the first document', async () => {
    expect(await server.add('guess', [{ title: 'x' }])).toMatchObject({
      ...failed('index_primary_key_no_candidate_found'),
      details: { receivedDocuments: 1, indexedDocuments: 0 },
    })
    expect(await primaryKeyOf('guess')).toBeNull()
    const { error } = await server.add('guess', [{ primary_id: 1, object_id: 2, id: 3 }])
    expect(error.code).toBe('index_primary_key_multiple_candidates_found')
    for (const part of ['3', 'id', 'object_id']) expect(error.message).toContain(part)
    await server.add('guess', [{ userID: 1 }, { userID: 2, id: 3 }])
    expect(await primaryKeyOf('guess')).toBe('userID')
  })

  test('is the one named by an addition, even an empty one', async () => {
    expect(await server.add('named', [], '?primaryKey=kef')).toMatchObject({
      status: 'succeeded',
      details: { receivedDocuments: 0, indexedDocuments: 0 },
    })
    expect(await server.add('named', [{ kef: 1 }])).toMatchObject({ status: 'succeeded' })
    const other = await server.add('named', [{ id: 1 }], '?primaryKey=id')
    expect(other).toMatchObject(failed('index_primary_key_already_exists'))
    expect(other.error.message).toContain('kef')
    expect(await server.add('named', [], '?primaryKey=id')).toMatchObject({ status: 'succeeded' })
    expect(await primaryKeyOf('named')).toBe('kef')
  })

  test.each<[string, boolean]>([
    ['"foo & bar"', false],
    [`"${'x'.repeat(512)}"`, false],
    [`"${'x'.repeat(511)}"`, true],
    ['""', false],
    ['1.0', false],
    ['1e2', false],
    ['-0', false],
    ['null', false],
    ['true', false],
    ['[1]', false],
    ['{}', false],
    ['18446744073709551616', false],
    ['14630868576586246730', true],
    ['-5', true],
    ['-9223372036854775808', true],
    ['"A-z_09"', true],
  ])('%s as an id: %s', async (id, isLegal) => {
    const task = await server.done('POST', documents('ids', '?primaryKey=id'), typed(JSON_TYPE, `[{"id":${id}}]`))
    const path = documents(`ids/${id.replaceAll('"', '')}`)
    if (isLegal) expect((await server.send('GET', path)).text).toBe(`{"id":${id}}`)
    else expect(task).toMatchObject({ ...failed('invalid_document_id'), details: { indexedDocuments: 0 } })
  })

  test('with a dot is a path, and must lead to one value', async () => {
    await server.done('POST', '/indexes', { body: { uid: 'path', primaryKey: 'a.b' } })
    await server.add('path', [{ a: { b: 1 }, n: 1 }])
    await server.add('path', [{ 'a.b': 1, n: 2 }])
    expect(await server.list('path')).toEqual([{ 'a.b': 1, n: 2 }])
    expect(await server.add('path', [{ a: { b: 1 }, 'a.b': 2 }])).toMatchObject(failed('invalid_document_id'))
    expect(await server.add('path', [{ a: [{ b: 1 }] }])).toMatchObject(failed('missing_document_id'))
  })
})

describe('adding to documents that are there', () => {
  test('POST replaces, PUT merges top-level attributes', async () => {
    await server.add('merged', [{ id: 1, x: 1 }])
    await server.add('merged', [{ id: 1, y: 1 }])
    expect(await server.list('merged')).toEqual([{ id: 1, y: 1 }])
    await put('merged', [{ id: 1, x: { p: 1, q: 2 } }])
    expect(await server.list('merged')).toEqual([{ id: 1, x: { p: 1, q: 2 }, y: 1 }])
    await put('merged', [{ id: 1, x: { p: 9 }, 'x.q': 5 }])
    expect(await server.list('merged')).toEqual([{ id: 1, x: { p: 9 }, y: 1, 'x.q': 5 }])
    await put('merged', [{ id: 1, x: null }])
    expect(await server.list('merged')).toEqual([{ id: 1, x: null, y: 1, 'x.q': 5 }])
  })

  test('the same id twice in a payload: the last is kept, or both are merged', async () => {
    const twice = [
      { id: 1, a: 1 },
      { id: 1, b: 2 },
    ]
    expect(await server.add('twice', twice)).toMatchObject({ details: { receivedDocuments: 2, indexedDocuments: 1 } })
    expect(await server.list('twice')).toEqual([{ id: 1, b: 2 }])
    await put('twice', [
      { id: 2, a: 1 },
      { id: 2, b: 2 },
    ])
    expect(await server.list('twice')).toEqual([
      { id: 1, b: 2 },
      { id: 2, a: 1, b: 2 },
    ])
  })

  test('skipCreation changes what is there and creates nothing', async () => {
    await server.add('skipped', [{ id: 1 }])
    const task = await server.add('skipped', [{ id: 1, a: 1 }, { id: 2 }], '?skipCreation=true')
    expect(task).toMatchObject({ status: 'succeeded', details: { receivedDocuments: 2, indexedDocuments: 2 } })
    expect(await server.list('skipped')).toEqual([{ id: 1, a: 1 }])
    const alone = await server.add('skipped', [{ id: 9 }], '?skipCreation=true')
    expect(alone).toMatchObject({ details: { receivedDocuments: 1, indexedDocuments: 1 } })
    expect(await server.codeOf('GET', documents('skipped/9'))).toBe('document_not_found')
  })

  test('keys are shown in the order in which the index met them', async () => {
    await server.add('ordered', [{ id: 1, b: 1, a: 2 }])
    await server.done('POST', documents('ordered'), { body: [{ a: 5, c: { z: 1, y: 2 }, id: 2 }] })
    expect((await server.send('GET', documents('ordered/2'))).text).toBe('{"id":2,"a":5,"c":{"z":1,"y":2}}')
    await server.add('keyed', [{ b: 1, a: 1 }], '?primaryKey=a')
    expect((await server.send('GET', documents('keyed/1'))).text).toBe('{"a":1,"b":1}')
  })

  test('documents are listed by slot, and holes are filled first', async () => {
    const ids = async () => (await server.list('slots')).map((document) => (document as { id: string }).id).join('')
    await server.add('slots', [{ id: 'a' }, { id: 'b' }, { id: 'c' }])
    await server.done('DELETE', documents('slots/b'))
    await server.add('slots', [{ id: 'd' }, { id: 'e' }, { id: 'a', more: 1 }])
    expect(await ids()).toBe('adce')
    await server.done('POST', documents('slots/delete-batch'), { body: ['a', 'd'] })
    await server.add('slots', [{ id: 'f' }, { id: 'g' }], '?skipCreation=true')
    await server.add('slots', [{ id: 'g' }, { id: 'f' }, { id: 'h' }])
    expect(await ids()).toBe('gfceh')
  })
})

describe('several additions in one batch', () => {
  const send = (index: string, body: object, query = '') => server.send('POST', documents(index, query), { body })

  test('a bad document fails its own task only', async () => {
    const tasks = await server.together(async () => [
      await send('batch', [{ id: 1 }]),
      await send('batch', [{ id: 2 }, { name: 'none' }]),
      await send('batch', [{ id: 3 }]),
    ])
    expect(tasks).toMatchObject([{ status: 'succeeded' }, failed('missing_document_id'), { status: 'succeeded' }])
    expect(new Set(tasks.map(({ batchUid }) => batchUid)).size).toBe(1)
    expect(await server.list('batch')).toEqual([{ id: 1 }, { id: 3 }])
  })

  test('a position that is none fails them all', async () => {
    await server.done('PUT', '/indexes/geo-batch/settings/sortable-attributes', { body: ['_geo'] })
    const tasks = await server.together(async () => [
      await send('geo-batch', [{ id: 1 }]),
      await send('geo-batch', [{ id: 2, _geo: 'foobar' }]),
    ])
    expect(tasks).toMatchObject([failed('invalid_document_geo_field'), failed('invalid_document_geo_field')])
    expect(tasks[0]!.error.message).toMatch(/geo-batch.*2.*foobar/)
    expect(await server.list('geo-batch')).toEqual([])
  })

  test('the first key that can be guessed counts from there on', async () => {
    const tasks = await server.together(async () => [
      await send('inferred', [{ name: 1 }]),
      await send('inferred', []),
      await send('inferred', [{ sku_id: 1 }]),
      await send('inferred', [{ sku_id: 2, id: 7 }]),
    ])
    expect(tasks.map(({ status }) => status)).toEqual(['failed', 'succeeded', 'succeeded', 'succeeded'])
    expect(await primaryKeyOf('inferred')).toBe('sku_id')
    expect((await server.send('GET', documents('inferred/2'))).text).toBe('{"sku_id":2,"id":7}')
  })

  test('what an earlier task created or deleted counts for the later ones', async () => {
    await server.add('series', [{ id: 1, a: 1 }])
    await server.together(async () => [
      await server.send('DELETE', documents('series/1')),
      await server.send('PUT', documents('series'), { body: [{ id: 1, b: 1 }] }),
      await send('series', [{ id: 2 }]),
      await server.send('PUT', documents('series', '?skipCreation=true'), { body: [{ id: 2, c: 1 }, { id: 3 }] }),
    ])
    expect(await server.list('series')).toEqual([
      { id: 1, b: 1 },
      { id: 2, c: 1 },
    ])
  })
})

describe('deleting', () => {
  beforeAll(async () => {
    await server.done('PUT', '/indexes/pool/settings/filterable-attributes', { body: ['color'] })
  })
  const fill = () =>
    server.add('pool', [
      { id: 1, color: 'blue' },
      { id: 2, color: 'red' },
      { id: 3, color: 'Blue' },
    ])
  const byFilter = (filter: unknown) => server.done('POST', documents('pool/delete'), { body: { filter } })

  test('by id and by list', async () => {
    await fill()
    expect(await server.done('DELETE', documents('pool/1'))).toMatchObject({
      type: 'documentDeletion',
      details: { providedIds: 1, deletedDocuments: 1, originalFilter: null },
    })
    const list = typed(JSON_TYPE, '[1,"2",2,null,5.0]')
    expect(await server.done('POST', documents('pool/delete-batch'), list)).toMatchObject({
      details: { providedIds: 5, deletedDocuments: 1, originalFilter: null },
    })
    expect(await server.list('pool')).toEqual([{ id: 3, color: 'Blue' }])
    expect(await server.done('POST', documents('pool/delete-batch'), { body: [1, '1'] })).toMatchObject({
      status: 'succeeded',
      details: { providedIds: 2, deletedDocuments: 0 },
    })
    expect(await server.codeOf('POST', documents('pool/delete-batch'), typed(JSON_TYPE, '"doggo"'))).toBe('bad_request')
    expect(await server.codeOf('POST', documents('pool/delete-batch'), typed(JSON_TYPE, '[1'))).toBe(
      'malformed_payload',
    )
    expect(await server.codeOf('POST', documents('pool/delete-batch'), typed(JSON_TYPE, ''))).toBe('missing_payload')
    const missing = await server.done('POST', documents('missing/delete-batch'), { body: [] })
    expect(missing).toMatchObject({ ...failed('index_not_found'), details: { deletedDocuments: 0 } })
  })

  test.each([
    ['inside the task store', 1000],
    ['in a file', 10_000],
  ])('22.2.1: by a list that is kept %s until it is done', async (_place, count) => {
    await fill()
    const ids = Array.from({ length: count }, (_, i) => (i % 2 === 0 ? i : `${i}`))
    const tasks = await server.together(async () => [
      await server.send('POST', documents('pool/delete-batch'), { body: ids }),
      await server.send('DELETE', documents('pool/1')),
    ])
    expect(tasks).toMatchObject([
      { status: 'succeeded', details: { providedIds: count, deletedDocuments: 3, originalFilter: null } },
      { status: 'succeeded', details: { providedIds: 1, deletedDocuments: 0 } },
    ])
    expect(new Set(tasks.map(({ batchUid }) => batchUid)).size).toBe(1)
    expect(await server.list('pool')).toEqual([])
    // The file goes when the end of the task is already told.
    await expect.poll(() => readdirSync(join(server.folder, 'updates'))).toEqual([])
  })

  test('by filter', async () => {
    await fill()
    expect(await byFilter('color = blue')).toMatchObject({
      status: 'succeeded',
      details: { providedIds: 0, deletedDocuments: 2, originalFilter: '"color = blue"' },
    })
    expect(await server.list('pool')).toEqual([{ id: 2, color: 'red' }])
    expect(await byFilter([['color = green', 'color = red']])).toMatchObject({
      details: { deletedDocuments: 1, originalFilter: '[["color = green","color = red"]]' },
    })
    expect(await byFilter('size = 3')).toMatchObject({
      ...failed('invalid_document_filter'),
      details: { deletedDocuments: 0, originalFilter: '"size = 3"' },
    })
  })

  test.each<[object, string]>([
    [{}, 'missing_document_filter'],
    [{ filter: '' }, 'invalid_document_filter'],
    [{ filter: '  ' }, 'invalid_document_filter'],
    [{ filter: [] }, 'invalid_document_filter'],
    [{ filter: null }, 'invalid_document_filter'],
    [{ filter: true }, 'invalid_document_filter'],
    [{ filter: 'color =' }, 'invalid_document_filter'],
    [{ filter: 'a = 1', more: 1 }, 'bad_request'],
  ])('by filter is refused: %j is %s', async (body, code) => {
    expect(await server.codeOf('POST', documents('pool/delete'), { body })).toBe(code)
  })

  test('deletions of one batch count what each really removed, and fail alone', async () => {
    await fill()
    const tasks = await server.together(async () => [
      await server.send('DELETE', documents('pool/1')),
      await server.send('POST', documents('pool/delete'), { body: { filter: 'color = blue' } }),
      await server.send('POST', documents('pool/delete'), { body: { filter: 'size = 1' } }),
      await server.send('POST', documents('pool/delete-batch'), { body: [2, 3] }),
    ])
    expect(tasks).toMatchObject([
      { details: { deletedDocuments: 1 } },
      { details: { deletedDocuments: 1 } },
      failed('invalid_document_filter'),
      { details: { deletedDocuments: 1 } },
    ])
    expect(new Set(tasks.map(({ batchUid }) => batchUid)).size).toBe(1)
  })

  test('all documents: settings, key and names stay', async () => {
    await fill()
    expect(await server.done('DELETE', documents('pool'))).toMatchObject({ details: { deletedDocuments: 3 } })
    expect(await server.list('pool')).toEqual([])
    expect(await primaryKeyOf('pool')).toBe('id')
    expect((await server.send('GET', '/indexes/pool/settings/filterable-attributes')).json).toEqual(['color'])
    expect((await server.send('GET', '/indexes/pool/stats')).json).toMatchObject({ fieldDistribution: {} })
  })
})

describe('positions', () => {
  test('are not looked at while nobody asks for them, then by the settings task', async () => {
    expect(await server.add('places', [{ id: 1, _geo: 'foobar' }])).toMatchObject({ status: 'succeeded' })
    const enable = () => server.done('PUT', '/indexes/places/settings/sortable-attributes', { body: ['_geo'] })
    expect(await enable()).toMatchObject(failed('invalid_document_geo_field'))
    await server.add('places', [{ id: 1, _geo: { lat: '2', lng: 2 } }])
    expect(await enable()).toMatchObject({ status: 'succeeded' })
  })

  test.each<[unknown, string | null]>([
    ['foobar', 'foobar'],
    [{}, 'lat'],
    [{ doggos: 1 }, 'missing'],
    [{ lat: 1 }, 'lng'],
    [{ lng: 1 }, 'lat'],
    [{ lat: null, lng: 1 }, 'lat'],
    [{ lat: 1, lng: 'x' }, 'lng'],
    [{ lat: 'NaN', lng: [] }, 'lat'],
    [{ lat: 1, lng: 2, x: 3 }, 'x'],
    [null, null],
    [{ lat: '2', lng: '1e1' }, null],
    [{ lat: 999, lng: -999.5 }, null],
  ])('%j is refused because of %j', async (_geo, reason) => {
    await server.done('PUT', '/indexes/checked/settings/filterable-attributes', { body: ['_geo'] })
    const task = await server.add('checked', [{ id: 'spot', _geo }])
    if (reason === null) {
      expect(task.status).toBe('succeeded')
      expect(await server.list('checked')).toEqual([{ id: 'spot', _geo }])
      return
    }
    expect(task).toMatchObject(failed('invalid_document_geo_field'))
    for (const part of ['spot', reason]) expect(task.error.message).toContain(part)
  })
})

test('22.4.11: a dry run does not read NDJSON', async () => {
  const replica = await startIndexServer({ args: ['--experimental-replication-parameters'] })
  const dry = (type: string, body: string, headers: Record<string, string> = { DryRun: 'true' }) =>
    replica.send('POST', documents('dry'), typed(type, body, headers))
  const answer = await dry(NDJSON, '{"id":')
  expect([answer.status, answer.json.type]).toEqual([202, 'documentAdditionOrUpdate'])
  expect((await replica.send('GET', `/tasks/${answer.json.taskUid}`)).status).toBe(404)
  expect((await dry(JSON_TYPE, '{"id":')).json.code).toBe('malformed_payload')
  expect((await dry(NDJSON, '{"id":', { DryRun: 'false' })).json.code).toBe('malformed_payload')
})

test('a key without the right to create indexes cannot add to a missing one', async () => {
  const body = { actions: ['documents.add'], indexes: ['*'], expiresAt: null }
  const { key } = (await server.send('POST', '/keys', { body })).json
  const send = (index: string) => server.send('POST', documents(index), { body: [{ id: 1 }], key })
  const refused = await send('never-made')
  expect(await server.ended(refused.json.taskUid)).toMatchObject(failed('index_not_found'))
  expect(await server.codeOf('GET', '/indexes/never-made')).toBe('index_not_found')
  await server.done('POST', '/indexes', { body: { uid: 'made' } })
  const taken = await send('made')
  expect(await server.ended(taken.json.taskUid)).toMatchObject({ status: 'succeeded' })
})
