import fc from 'fast-check'
import { expect, test } from 'vitest'
import { segmentThai } from './thai.js'

function cut(text: string): string[] {
  let start = 0
  return segmentThai(text).map((length) => {
    start += length
    return text.slice(start - length, start)
  })
}

test('compounds that the dictionary has as one word are cut into their words', () => {
  expect(cut('ประเทศไทย')).toEqual(['ประเทศ', 'ไทย'])
  expect(cut('โรงเรียน')).toEqual(['โรง', 'เรียน'])
  expect(cut('ภาษาไทย')).toEqual(['ภาษา', 'ไทย'])
})

test('short words, and words that are not made of others, stay whole', () => {
  for (const word of ['ไทย', 'ประเทศ', 'สวัสดี', 'คอมพิวเตอร์', 'รัฐบาล']) expect(cut(word)).toEqual([word])
})

test('letters that mean nothing stay whole', () => {
  expect(cut('ฮฮฮฮฮฮฮฮฮ')).toEqual(['ฮฮฮฮฮฮฮฮฮ'])
})

test('a word of a compound is cut as it is alone', () => {
  for (const word of cut('ธนาคารแห่งประเทศไทย มหาวิทยาลัย กรุงเทพมหานคร')) expect(cut(word)).toEqual([word])
})

test('segments are the whole text and never empty', () => {
  const letter = fc.integer({ min: 0xe01, max: 0xe5b }).map((unit) => String.fromCharCode(unit))
  const part = fc.oneof(fc.constantFrom('ประเทศไทย', 'โรงเรียน', 'และ', 'a', ' '), letter)
  fc.assert(
    fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
      const text = parts.join('')
      expect(cut(text).join('')).toBe(text)
      expect(segmentThai(text).every((length) => length > 0)).toBe(true)
    }),
  )
})
