import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse, print } from '../json/index.js'
import { documentLine } from './document-line.js'
import type { PayloadFormat } from './intake.js'
import { receivePayload } from './receive.js'
import { readRecords } from './record.js'

const json: PayloadFormat = { name: 'json' }
const ndjson: PayloadFormat = { name: 'ndjson' }
const csv = (delimiter = ','): PayloadFormat => ({ name: 'csv', delimiter })

/** The documents of a body as text, or the code of its refusal. */
async function receive(format: PayloadFormat, body: string | Uint8Array, chunkBytes = 7): Promise<string[] | string> {
  const bytes = Buffer.from(body)
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, i) =>
    bytes.subarray(i * chunkBytes, (i + 1) * chunkBytes),
  )
  const written: Buffer[] = []
  const outcome = await receivePayload(format, chunks, { write: async (part) => void written.push(Buffer.from(part)) })
  if (!outcome.ok) return outcome.failure.code
  let next = 0
  const documents = [...readRecords(() => written[next++])].map((record) => {
    if ('isTooWide' in record) return 'too wide'
    if ('broken' in record) return `broken: ${record.broken}`
    const { names, values } = record.document
    return `{${names.map((name, i) => `${JSON.stringify(name)}:${Buffer.from(values[i]!).toString()}`).join(',')}}`
  })
  expect(documents.length).toBe(outcome.value)
  return documents
}

const plainJson = fc.json({ maxDepth: 4 }).map((text) => JSON.parse(text) as unknown)
const document = fc.dictionary(
  fc.string({ unit: 'grapheme' }).filter((name) => name !== '__proto__'),
  plainJson,
  { maxKeys: 6 },
)

test('records are read the same however their bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(document), fc.array(fc.integer({ min: 1, max: 40 })), async (documents, cuts) => {
      const written: Buffer[] = []
      const sink = { write: async (part: Uint8Array) => void written.push(Buffer.from(part)) }
      await receivePayload(json, [Buffer.from(JSON.stringify(documents))], sink)
      const whole = Buffer.concat(written)
      let at = 0
      const next = () => (at >= whole.length ? undefined : whole.subarray(at, (at += cuts.shift() ?? whole.length)))
      const lines = (readMore: () => Buffer | undefined) => {
        return Array.from(readRecords(readMore), (record) => 'document' in record && documentLine(record.document))
      }
      const wanted = lines(() => written.shift())
      expect(lines(next)).toEqual(wanted)
      expect(wanted.length).toBe(documents.length)
    }),
  )
})

test('while a large body arrives, others get their turn', async () => {
  let turns = 0
  const count = () => {
    turns++
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  const body = Buffer.from(JSON.stringify(Array.from({ length: 16 }, (_, id) => ({ id, text: 'x'.repeat(65_500) }))))
  const chunks = Array.from({ length: 16 }, (_, i) => body.subarray(i * 65_600, (i + 1) * 65_600))
  const outcome = await receivePayload(json, chunks, { write: async () => {} })
  clearImmediate(timer)
  expect(outcome).toEqual({ ok: true, value: 16 })
  expect(turns).toBeGreaterThanOrEqual(6)
})

test('a list of documents is the same in any chunks, minified or pretty, as JSON or NDJSON', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(document),
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 0, max: 3 }),
      async (documents, chunkBytes, indent) => {
        const wanted = await receive(json, JSON.stringify(documents), 1 << 20)
        expect(await receive(json, JSON.stringify(documents, null, indent), chunkBytes)).toEqual(wanted)
        const lines = documents.map((one) => JSON.stringify(one)).join('\n')
        expect(lines === '' ? [] : await receive(ndjson, lines, chunkBytes)).toEqual(wanted)
        const read = (wanted as string[]).map((text) => JSON.parse(text) as unknown)
        expect(read).toEqual(JSON.parse(JSON.stringify(documents)))
      },
    ),
  )
})

test('a value in canonical form is taken as it is, any other is brought into it', async () => {
  const literal = fc.oneof(
    fc.stringMatching(/^-?(0|[1-9]\d{0,17})(\.\d{1,18})?([eE][+-]?\d{1,2})?$/),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.stringMatching(/^-?0\.0{0,6}[0-9]{1,4}$/),
  )
  const text = fc
    .string({ unit: fc.constantFrom(...'ab "\\\n\u0001/é漢😀\u007f\u0080') })
    .map((one) => JSON.stringify(one))
  const escaped = fc.constantFrom('"\\u00e9"', '"\\/"', '"a b\\" c"', '"\\ud83d\\ude00"')
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(literal, text, escaped)),
      fc.integer({ min: 1, max: 40 }),
      async (values, chunkBytes) => {
        const wanted = values.map((one) => print(must(parse(one))))
        const list = `[${wanted.join(',')}]`
        const spaced = `[ ${values.join(' ,\t')}\n]`
        const one = `{"list":[${values.join(',')}],"spaced":${spaced},"object":{"a": ${spaced}}}`
        expect(await receive(ndjson, one, chunkBytes)).toEqual([
          `{"list":${list},"spaced":${list},"object":{"a":${list}}}`,
        ])
      },
    ),
  )
})

const must = (parsed: ReturnType<typeof parse>) => {
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.value
}

test('strings end where they end, wherever they lie in memory', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: fc.constantFrom(...'abcdefgh "\\\n!é漢') }), { maxLength: 12 }),
      fc.integer({ min: 0, max: 9 }),
      async (texts, shift) => {
        const body = `${' '.repeat(shift)}{"texts":${JSON.stringify(texts)}}`
        expect(await receive(json, body, 1 << 20)).toEqual([`{"texts":${JSON.stringify(texts)}}`])
      },
    ),
  )
})

test('numbers are kept as they will be shown', async () => {
  const body =
    '[{"a":1.50,"b":1e3,"c":12345678901234567890,"d":-0,"e":18446744073709551616,"f":-9223372036854775808,"g":[1.0, 2]}]'
  expect(await receive(json, body)).toEqual([
    '{"a":1.5,"b":1000.0,"c":12345678901234567890,"d":-0.0,"e":1.8446744073709552e+19,"f":-9223372036854775808,"g":[1.0,2]}',
  ])
})

test('the last of doubled members wins at the place of the first, also inside', async () => {
  expect(await receive(json, '{"a":1,"b":2,"a":3}')).toEqual(['{"a":3,"b":2}'])
  expect(await receive(json, '{"o":{"a":1,"b":2,"a":3}}')).toEqual(['{"o":{"a":3,"b":2}}'])
  const many = Array.from({ length: 40 }, (_, i) => `"k${i % 20}":${i}`).join(',')
  expect(await receive(json, `{"o":{${many}}}`)).toEqual([`{"o":${JSON.stringify(JSON.parse(`{${many}}`))}}`])
})

test('escapes are written the short way', async () => {
  expect(await receive(json, '{"a":"\\u00e9\\/\\n\\u0007","\\u0062":1}')).toEqual(['{"a":"é/\\n\\u0007","b":1}'])
})

test.each([
  ['[{"id":1},{id:2}]', 'malformed_payload'],
  ['"text"', 'malformed_payload'],
  ['null', 'malformed_payload'],
  [' ', 'malformed_payload'],
  ['[{"id":1}', 'malformed_payload'],
  ['[{"id":1},]', 'malformed_payload'],
  ['[{"id":1} {"id":2}]', 'malformed_payload'],
  ['[1]', 'malformed_payload'],
  ['{"id":1}x', 'malformed_payload'],
  ['{"id":01}', 'malformed_payload'],
  ['{"id":1e400}', 'malformed_payload'],
  ['{"id":"\u0001"}', 'malformed_payload'],
  ['', 'missing_payload'],
])('the JSON body %j is refused', async (body, code) => {
  expect(await receive(json, body)).toBe(code)
})

test('bytes that are not UTF-8 are refused', async () => {
  expect(await receive(json, Buffer.from('5b7b2261223a22ff227d5d', 'hex'))).toBe('malformed_payload')
})

test('text after a list is ignored', async () => {
  expect(await receive(json, '[{"id":1}] and more')).toEqual(['{"id":1}'])
})

test('NDJSON needs no line ends, and blanks alone are no documents', async () => {
  expect(await receive(ndjson, '{"id":1}{"id":2}\n\n {"id":3} ')).toEqual(['{"id":1}', '{"id":2}', '{"id":3}'])
  expect(await receive(ndjson, ' \n')).toEqual([])
  expect(await receive(ndjson, '{"id":1}\n[1]')).toBe('malformed_payload')
  expect(await receive(ndjson, '{"id":1')).toBe('malformed_payload')
})

test('too deep or too large values spoil their document in a list, and a single object at once', async () => {
  const deep = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`
  expect(await receive(json, `[${deep(127)}]`)).toHaveLength(1)
  expect(
    ((await receive(json, `[${deep(128)},{"a":1e400}]`)) as string[]).every((one) => one.startsWith('broken')),
  ).toBe(true)
  expect(await receive(json, deep(126))).toHaveLength(1)
  expect(await receive(json, deep(127))).toBe('malformed_payload')
  expect(await receive(json, '['.repeat(100_000), 1 << 20)).toBe('malformed_payload')
  expect(await receive(json, `[{"a":${'['.repeat(100_000)}`, 1 << 20)).toBe('malformed_payload')
})

test('CSV has typed columns, quotes and any line ends', async () => {
  expect(await receive(csv(), '#id:number,age:number,cute:boolean\n1,,\n')).toEqual([
    '{"#id":1,"age":null,"cute":null}',
  ])
  expect(await receive(csv(), 'a,b\r\n"a, ""b""",x\r\n\r\n1,"2\n3"')).toEqual([
    '{"a":"a, \\"b\\"","b":"x"}',
    '{"a":"1","b":"2\\n3"}',
  ])
  expect(await receive(csv(), 'a:b:number,id:Number\n1.5,2')).toEqual(['{"a:b":1.5,"id:Number":"2"}'])
  expect(await receive(csv('|'), 'a|b\rx|y\r')).toEqual(['{"a":"x","b":"y"}'])
  expect(await receive(csv(), '\ufeffa\n"x"y\nq"q\n"open')).toEqual(['{"a":"xy"}', '{"a":"q\\"q"}', '{"a":"open"}'])
  expect(await receive(csv(), 'a:number\n1e3\n+5\n.5\ninf\n-0\n007')).toEqual(
    ['1000.0', '5', '0.5', 'null', '0', '7'].map((number) => `{"a":${number}}`),
  )
  expect(await receive(csv(), 'a,a\n1,2')).toEqual(['{"a":"2"}'])
  expect(await receive(csv(), 'a,b')).toEqual([])
})

test.each([
  ['a,b\n1,2,3', 'malformed_payload'],
  ['a:boolean\nmaybe', 'malformed_payload'],
  ['a:number\nx', 'malformed_payload'],
  ['', 'missing_payload'],
])('the CSV body %j is refused', async (body, code) => {
  expect(await receive(csv(), body)).toBe(code)
})

const members = (count: number, start = 0) => Array.from({ length: count }, (_, i) => `"f${start + i}":${i}`).join(',')

test('22.2.1: a document that brings more names than an index can hold is marked, and nothing is kept of it', async () => {
  expect(await receive(ndjson, `{${members(65_536)}}{"f0":1}`, 1 << 20)).toEqual([expect.any(String), '{"f0":1}'])
  expect(await receive(ndjson, `{${members(65_537)}}{"f0":1}{"new":1}`, 1 << 20)).toEqual([
    'too wide',
    '{"f0":1}',
    'too wide',
  ])
})

test('22.2.1: a document of too many values is refused', async () => {
  const list = (item: string, count: number) => `{"id":1,"list":[${`${item},`.repeat(count - 1)}${item}]}`
  expect(await receive(ndjson, list('1', 1_900_000), 1 << 20)).toHaveLength(1)
  for (const body of [list('1', 2_000_001), list('{}', 500_000), list('[]', 500_000)])
    for (const format of [json, ndjson]) expect(await receive(format, body, 1 << 20)).toBe('malformed_payload')
  expect(await receive(ndjson, `{"nested":{${members(500_000)}}}`, 1 << 20)).toBe('malformed_payload')
})

test('22.2.1: a CSV body has no more columns than an index can hold names', async () => {
  const header = (count: number) => Array.from({ length: count }, (_, i) => `f${i}`).join(',')
  expect(await receive(csv(), `${header(65_536)}\n${header(65_536)}`, 1 << 20)).toHaveLength(1)
  expect(await receive(csv(), `${header(65_537)}\n${header(65_537)}`, 1 << 20)).toBe('malformed_payload')
  expect(await receive(csv(), `a,b\n${','.repeat(10_000_000)}`, 1 << 20)).toBe('malformed_payload')
})
