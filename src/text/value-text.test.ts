import { expect, test } from 'vitest'
import { Float } from '../json/index.js'
import { valueText } from './value-text.js'

// Spec 5 §2.2.
test.each([
  ['red fox', 'red fox'],
  [-5, '-5'],
  [10, '10'],
  [new Float(10), '10.0'],
  [new Float(3.14), '3.14'],
  [new Float(1e20), '1e+20'],
  [new Float(0.000001), '1e-6'],
  [12345678901234567890n, '12345678901234567890'],
  [true, 'true'],
  [null, undefined],
  [[], undefined],
  [new Map(), undefined],
])('the text of %o is %s', (value, text) => {
  expect(valueText(value)).toBe(text)
})
