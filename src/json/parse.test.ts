import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_DEPTH, parse, parseBytes } from './parse.js'
import { print, printStart } from './print.js'
import { Float, fromPlain, type JsonValue, toPlain } from './value.js'

function read(text: string): JsonValue {
  const parsed = parse(text)
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.value
}

test('what JSON.parse reads is read the same, and what it refuses is refused', () => {
  const scraps = fc.array(
    fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '"', '1', '-', '0', '.5', 'e3', 'null', ' '),
  )
  const text = fc.oneof(
    fc.json({ stringUnit: 'binary' }),
    scraps.map((parts) => parts.join('')),
    fc.string(),
  )
  fc.assert(
    fc.property(text, (json) => {
      const parsed = parse(json)
      let expected: unknown
      try {
        expected = JSON.parse(json)
      } catch {
        return !parsed.ok
      }
      expect(parsed.ok && JSON.stringify(toPlain(parsed.value))).toBe(JSON.stringify(toPlain(fromPlain(expected))))
      return true
    }),
    { numRuns: 1000 },
  )
})

const jsonValue = fc.letrec<{ any: JsonValue }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<JsonValue>(null, true, false),
    fc.maxSafeInteger(),
    fc.bigInt({ min: 2n ** 60n, max: 2n ** 64n - 1n }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((double) => new Float(double)),
    fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
    fc.array(tie('any'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.constantFrom('a', '__proto__', '1', '0', 'toString'), tie('any')), { maxLength: 4 })
      .map((members) => new Map(members)),
  ),
})).any

test('what is printed is read back as it was', () => {
  fc.assert(fc.property(jsonValue, (sent) => void expect(read(print(sent))).toEqual(sent)))
})

test('the start of a printed value is the start of its text, with a mark where it is cut', () => {
  fc.assert(
    fc.property(jsonValue, fc.nat(60), (value, most) => {
      const text = print(value)
      expect(printStart(value, most)).toBe(text.length <= most ? text : `${text.slice(0, most)}…`)
    }),
  )
})

test('22.2.7: the start of a huge value costs no more than what is shown of it', () => {
  // The text of it would have ten trillion characters.
  const twice = (value: JsonValue): JsonValue[] => [value, value]
  let huge: JsonValue = new Map([['0', 'x'.repeat(10_000_000)]])
  for (let level = 0; level < 20; level++) huge = twice(huge)
  expect(printStart(huge, 30)).toBe(`${'['.repeat(20)}{"0":"xxxx…`)
})

test('names that every JavaScript object has are names, in the order of the text', () => {
  const value = read('{"b":1,"__proto__":{"x":1},"1":2}')
  expect([...(value as Map<string, JsonValue>).keys()]).toEqual(['b', '__proto__', '1'])
  expect(print(value)).toBe('{"b":1,"__proto__":{"x":1},"1":2}')
})

test('five and five point zero stay apart', () => {
  expect([read('5'), read('5.0'), read('5e0')]).toEqual([5, new Float(5), new Float(5)])
  expect(read('18446744073709551615')).toBe(2n ** 64n - 1n)
  expect(read('18446744073709551616')).toEqual(new Float(2 ** 64))
})

test('depth has a limit, and no depth is a matter of the stack', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  expect(parse(nested(MAX_DEPTH - 1)).ok).toBe(true)
  expect(parse(nested(MAX_DEPTH)).ok).toBe(false)
  expect(parse('['.repeat(10_000_000)).ok).toBe(false)
  expect(parse('{"a":'.repeat(1_000_000)).ok).toBe(false)
})

test('bytes that are not UTF-8 are refused', () => {
  expect(parseBytes(Buffer.from([0x22, 0xff, 0x22]))).toMatchObject({
    ok: false,
    reason: 'the text is not valid UTF-8',
  })
})

test('22.2.1: the values of a body have a limit that a million ids do not meet', () => {
  const list = (item: string, count: number) => Buffer.from(`[${`${item},`.repeat(count - 1)}${item}]`)
  const tooHeavy = { ok: false, isTooHeavy: true }
  expect(parseBytes(list('"id"', 1_000_000)).ok).toBe(true)
  expect(parseBytes(list('{}', 1_000_000))).toMatchObject(tooHeavy)
  // The list itself weighs five.
  for (const [item, weight] of [
    ['1', 1],
    ['[]', 5],
    ['{}', 13],
    ['{"a":"b"}', 18],
  ] as const) {
    expect(parseBytes(list(item, 100), { maxWeight: 5 + 100 * weight }).ok).toBe(true)
    expect(parseBytes(list(item, 100), { maxWeight: 4 + 100 * weight })).toMatchObject(tooHeavy)
  }
})

test('22.2.1: where a text is wrong is counted without a list of its lines', () => {
  expect(parse(`${'\n'.repeat(5_000_000)}\n x`)).toMatchObject({
    reason: expect.stringMatching(/line 5000002 column 2$/),
  })
})
