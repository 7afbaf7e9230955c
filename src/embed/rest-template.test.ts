import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromPlain, type JsonValue, parse, print, toPlain } from '../json/index.js'
import { requestTemplate, responseTemplate } from './rest-template.js'

function fill(template: unknown, inputs: JsonValue[]): unknown {
  return toPlain(requestTemplate(fromPlain(template), '{{text}}')!.fill(inputs))
}

function read(template: unknown, answer: unknown) {
  const reading = responseTemplate(fromPlain(template))!.read(answer)
  return reading.ok ? reading.value.map((vector) => [...vector]) : reading.reason
}

test('one input takes the place of the placeholder, and all else stays', () => {
  expect(fill('{{text}}', ['a'])).toBe('a')
  const template = { a: ['see {{text}}', 1.5, { b: '{{text}}' }], '{{text}}': null }
  expect(fill(template, ['x'])).toEqual({ a: ['see {{text}}', 1.5, { b: 'x' }], '{{text}}': null })
})

test('the first element is repeated for each input, and what follows the mark is dropped', () => {
  expect(fill({ input: ['{{text}}', '{{..}}', 'dropped'] }, ['a', 'b'])).toEqual({ input: ['a', 'b'] })
  const nested = { m: 1, list: [{ kind: 'text', value: ['{{text}}'] }, '{{..}}'] }
  expect(fill(nested, ['a', 'b'])).toEqual({
    m: 1,
    list: [
      { kind: 'text', value: ['a'] },
      { kind: 'text', value: ['b'] },
    ],
  })
})

test('inputs that look like placeholders are inputs', () => {
  expect(fill(['{{text}}', '{{..}}'], ['{{text}}', '{{..}}'])).toEqual(['{{text}}', '{{..}}'])
})

test('a fragment is any JSON, and its numbers keep their kind', () => {
  const parsed = parse('{"a":[1.0,2,{"b":null}]}')
  if (!parsed.ok) throw new Error(parsed.reason)
  const filled = requestTemplate(fromPlain({ x: '{{fragment}}' }), '{{fragment}}')!.fill([parsed.value])
  expect(print(filled)).toBe('{"x":{"a":[1.0,2,{"b":null}]}}')
})

test('a template without its placeholder is none', () => {
  expect(requestTemplate('{{fragment}}', '{{text}}')).toBeUndefined()
  expect(responseTemplate('{{text}}')).toBeUndefined()
})

test('vectors are read where the placeholder stands', () => {
  expect(read('{{embedding}}', [1, 0.5])).toEqual([[1, 0.5]])
  expect(read({ out: [{ v: '{{embedding}}' }, '{{..}}'] }, { out: [{ v: [1] }, { v: [2] }], more: 1 })).toEqual([
    [1],
    [2],
  ])
  expect(read({ a: ['x', { b: '{{embedding}}' }] }, { a: [0, { b: [3] }] })).toEqual([[3]])
  expect(read({ __proto__x: '{{embedding}}' }, JSON.parse('{"__proto__x":[4]}'))).toEqual([[4]])
})

test.each([
  [{ data: '{{embedding}}' }, { dada: [1] }, /`response`.*`data`.*`dada` is near/],
  [{ data: '{{embedding}}' }, { output: [1] }, /`response`: the member `data` was expected, an object with `output`/],
  [{ toString: '{{embedding}}' }, {}, /the member `toString` was expected, an empty object/],
  [{ data: '{{embedding}}' }, [1], /an object with the member `data` was expected, an array of 1/],
  [{ data: '{{embedding}}' }, null, /null was found/],
  [{ data: '{{embedding}}' }, { data: 'x' }, /`response.data`: an array of numbers was expected, "x"/],
  [{ data: '{{embedding}}' }, { data: [] }, /an array of numbers was expected, an empty array/],
  [{ data: '{{embedding}}' }, { data: [1, null] }, /`response.data\[1\]`: a number was expected, null/],
  [{ data: '{{embedding}}' }, { data: [1e39] }, /`response.data\[0\]`: a number within/],
  [{ data: ['{{embedding}}', '{{..}}'] }, { data: {} }, /`response.data`: an array was expected/],
  [
    { data: [{ v: '{{embedding}}' }, '{{..}}'] },
    { data: [{ v: [1] }, { w: [1] }] },
    /`response.data\[1\]`: the member `v`/,
  ],
  [[1, '{{embedding}}'], [1], /`response`: an array with more than 1 elements was expected/],
])('an answer that does not fit %j is described: %j', (template, answer, reason) => {
  expect(read(template, answer)).toMatch(reason)
})

test('what is put into a request can be read back by the same template', () => {
  const vectors = fc.array(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 4,
  })
  const repeated = (mark: string) => ({ a: [{ b: { c: mark }, d: 1 }, '{{..}}'], e: [2] })
  fc.assert(
    fc.property(vectors, (lists) => {
      expect(read(repeated('{{embedding}}'), fill(repeated('{{text}}'), lists))).toEqual(lists)
    }),
  )
})
