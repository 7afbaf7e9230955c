import { expect, test } from 'vitest'
import { isNumeric } from './numeric.js'

test('digits of all scripts and ascii punctuation make a number, letters do not', () => {
  expect(['12345678', '3.14', '-5', '٣', 'Ⅷ½', '$10'].map(isNumeric)).toEqual([true, true, true, true, true, true])
  expect(['', '5°', '1e', '10€'].map(isNumeric)).toEqual([false, false, false, false])
})
