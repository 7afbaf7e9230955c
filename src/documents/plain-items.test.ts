import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PlainItems } from './plain-items.js'

const items = new PlainItems()

function found(json: string): unknown[] | undefined {
  const value = Buffer.from(json)
  if (!items.find(value)) return undefined
  return Array.from({ length: items.count }, (_, i) =>
    JSON.parse(value.toString('utf8', items.starts[i], items.ends[i])),
  )
}

const scalar = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', ',', ']', '"', '\\', 'é', '日', ' '), maxLength: 4 }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const other = fc.oneof(fc.boolean(), fc.constant(null), fc.array(scalar, { maxLength: 2 }), fc.object({ maxDepth: 1 }))

const isPlain = (value: unknown): boolean =>
  (typeof value === 'string' && !/["\\]/.test(value)) || typeof value === 'number'

test('plain values are found as they parse, and no others', () => {
  fc.assert(
    fc.property(fc.oneof(scalar, other, fc.array(fc.oneof(scalar, other), { maxLength: 5 })), (value) => {
      const list = Array.isArray(value) ? value : [value]
      const json = JSON.stringify(value)
      const expected = list.length > 0 && list.every(isPlain) ? JSON.parse(JSON.stringify(list)) : undefined
      expect(found(json)).toEqual(expected)
    }),
    { numRuns: 1000 },
  )
})
