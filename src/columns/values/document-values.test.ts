import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareBytes } from '../../byte-order/index.js'
import type { FieldId } from '../../documents/index.js'
import { FieldRegistry } from '../../documents/index.js'
import { compileFieldRoles, defaultSettings } from '../../settings/index.js'
import type { ColumnRow } from '../column-value.js'
import { ValueReader } from './document-values.js'
import { factRules } from './fact-rules.js'

const A = 0 as FieldId

interface PlainValues {
  readonly row: ColumnRow
  readonly isNull: boolean
  readonly isEmpty: boolean
}

type Value = null | boolean | number | string | Value[]

/** What is in a value, by the words of the specification. */
function plainValues(value: Value): PlainValues {
  const scalars = [value].flat(5 as 1) as (null | boolean | number | string)[]
  const numbers = new Set(scalars.filter((scalar) => typeof scalar === 'number').map((number) => number + 0))
  const texts = new Map<string, string>()
  for (const scalar of scalars) {
    const spelling = typeof scalar === 'boolean' ? String(scalar) : scalar
    if (typeof spelling !== 'string' || spelling === '') continue
    texts.set(spelling.trim().normalize('NFKD').toLowerCase(), spelling)
  }
  const row = [
    ...[...numbers].sort((a, b) => a - b),
    ...[...texts].sort(([a], [b]) => compareBytes(a, b)).map(([norm, spelling]) => ({ norm, spelling })),
  ]
  return { row, isNull: value === null, isEmpty: value === '' || (Array.isArray(value) && value.length === 0) }
}

const scalar: fc.Arbitrary<null | boolean | number | string> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('red', 'Red', 'blue', 'Ä', 'ä', ' red ', '', 'say "x"', 'a\\b', '[', ',', '日本'),
  },
  { weight: 2, arbitrary: fc.constantFrom(0, -0, 1, 1.5, -7, 1e21, 12_345_678) },
  fc.constantFrom(null, true, false),
)
const value: fc.Arbitrary<Value> = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 6 }),
  fc.array(fc.oneof(scalar, fc.array(scalar, { maxLength: 2 })), { maxLength: 4 }),
)

test('values are those of the parsed text, whether it has to be parsed or not', () => {
  const settings = { ...defaultSettings, sortableAttributes: ['a'] }
  const reader = new ValueReader(factRules(new FieldRegistry(['a']), compileFieldRoles(settings), settings))
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 8 }), (list) => {
      for (const each of list) {
        const read = reader.read([{ fieldId: A, value: Buffer.from(JSON.stringify(each)) }]).get(A)!
        const { row, isNull, isEmpty } = read
        expect({ row, isNull, isEmpty }).toEqual(plainValues(each))
      }
    }),
    { numRuns: 300 },
  )
})
