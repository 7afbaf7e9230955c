import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { IdExtractor, idFromValue } from './document-id.js'

/** Members are JSON texts, since numbers matter. */
function extract(primaryKey: string, members: Record<string, string>): string {
  const values = Object.values(members).map((text) => Buffer.from(text))
  const fields = { names: Object.keys(members), values, valueAt: (i: number) => values[i]! }
  const extractor = new IdExtractor(primaryKey)
  const id = extractor.extract(fields)
  expect(extractor.problemOf(fields)).toEqual(id.ok ? undefined : id.failure)
  return id.ok ? `ok ${id.value}` : id.failure.code
}

describe('the value of a key', () => {
  test.each([
    ['1', 'ok 1'],
    ['0', 'ok 0'],
    ['-5', 'ok -5'],
    ['18446744073709551615', 'ok 18446744073709551615'],
    ['-9223372036854775808', 'ok -9223372036854775808'],
    ['"1"', 'ok 1'],
    ['"01"', 'ok 01'],
    ['"A-z_09"', 'ok A-z_09'],
    [`"${'x'.repeat(511)}"`, `ok ${'x'.repeat(511)}`],
    [`"${'x'.repeat(512)}"`, 'invalid_document_id'],
    ['""', 'invalid_document_id'],
    ['" 1"', 'invalid_document_id'],
    ['"a.b"', 'invalid_document_id'],
    ['"é"', 'invalid_document_id'],
    ['"\\n"', 'invalid_document_id'],
    ['1.0', 'invalid_document_id'],
    ['-0.0', 'invalid_document_id'],
    ['1e+16', 'invalid_document_id'],
    ['1.8446744073709552e+19', 'invalid_document_id'],
    ['true', 'invalid_document_id'],
    ['null', 'invalid_document_id'],
    ['[1]', 'invalid_document_id'],
    ['{"id":1}', 'invalid_document_id'],
  ])('%s is %s, at the top and nested', (text, expected) => {
    expect(extract('id', { a: '1', id: text })).toBe(expected)
    expect(extract('a.id', { a: `{"id":${text}}` })).toBe(expected)
  })

  test('every legal text is itself, every other is refused', () => {
    const legal = /^[A-Za-z0-9_-]{1,511}$/
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[A-Za-z0-9_-]{1,600}$/)), (text) => {
        const expected = legal.test(text) ? `ok ${text}` : 'invalid_document_id'
        expect(extract('id', { id: JSON.stringify(text) })).toBe(expected)
        const requested = idFromValue(text)
        expect(requested?.ok ?? false).toBe(legal.test(text))
      }),
    )
  })

  test('ids of requests are integers or legal texts', () => {
    expect(idFromValue(5)).toEqual({ ok: true, value: '5' })
    expect(idFromValue(14_630_868_576_586_246_730n)).toEqual({ ok: true, value: '14630868576586246730' })
    for (const other of [null, true, [], new Map(), '', 'a/b']) expect(idFromValue(other)).toBeUndefined()
  })
})

describe('the way to it', () => {
  test.each<[string, Record<string, string>, string]>([
    ['id', { name: '1' }, 'missing_document_id'],
    ['id', {}, 'missing_document_id'],
    ['', { '': '7' }, 'ok 7'],
    ['a.b', { a: '{"b":1}' }, 'ok 1'],
    ['a.b', { 'a.b': '1' }, 'ok 1'],
    ['a.b', { a: '{"b":1}', 'a.b': '2' }, 'invalid_document_id'],
    ['a.b', { a: '{"b":1}', 'a.b': '1' }, 'invalid_document_id'],
    ['a.b', { a: '[{"b":1}]' }, 'missing_document_id'],
    ['a.b', { a: '1' }, 'missing_document_id'],
    ['a.b', { b: '1', ab: '1' }, 'missing_document_id'],
    ['a.b.c', { a: '{"b":{"c":1}}' }, 'ok 1'],
    ['a.b.c', { a: '{"b.c":1}' }, 'ok 1'],
    ['a.b.c', { 'a.b': '{"c":1}' }, 'ok 1'],
    ['a.b.c', { 'a.b.c': '1' }, 'ok 1'],
    ['a.b.c', { a: '{"b":{"c":1},"b.c":2}' }, 'invalid_document_id'],
    ['a.b.c', { a: '{"b":{"c":1}}', 'a.b': '{"d":1}' }, 'ok 1'],
    ['.', { '': '{"":1}' }, 'ok 1'],
  ])('%j in %j is %s', (primaryKey, members, expected) => {
    expect(extract(primaryKey, members)).toBe(expected)
  })

  test('messages name the key and what was found, in few words', () => {
    const values = [Buffer.from(JSON.stringify('x y '.repeat(10_000)))]
    const id = new IdExtractor('sku').extract({ names: ['sku'], values })
    const missing = new IdExtractor('id').extract({ names: ['sku'], values })
    for (const outcome of [id, missing]) {
      const message = outcome.ok ? '' : outcome.failure.message
      expect(message).toContain('x y')
      expect(message.length).toBeLessThan(500)
    }
    expect(id.ok ? '' : id.failure.message).toContain('`sku`')
  })
})
