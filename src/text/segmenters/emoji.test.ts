import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAnalyzer } from '../analyzer.js'
import { segmentAroundEmoji } from './emoji.js'

const analyzer = createAnalyzer()

function wordsOf(text: string): string[] {
  const words: string[] = []
  analyzer.positionWords({ text, locales: undefined, startPosition: 0 }, (word) => words.push(word))
  return words
}

const EMOJI = ['👨‍👩‍👧', '👍🏽', '🇩🇪', '❤️‍🔥', '1️⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '👩🏽‍🚀', '👍👍']

test.each(['Ａ', 'ｶﾞ', '한국', '日本語です', '中国', 'ж', 'ខ'])(
  'an emoji beside %s is the word that it is alone',
  (text) => {
    for (const emoji of EMOJI) {
      expect(wordsOf(emoji)).toEqual([emoji])
      for (const whole of [`${text} ${emoji}`, `${emoji} ${text}`]) expect(wordsOf(whole)).toContain(emoji)
    }
  },
)

test.each(['Ａ', '한국', '日本語です', '中国'])('without a space it is cut off, and %s is cut as before', (text) => {
  for (const emoji of EMOJI)
    expect(wordsOf(`${text}${emoji}${text}`)).toEqual([...wordsOf(text), emoji, ...wordsOf(text)])
})

test('pictures among the letters of a script are letters', () => {
  expect(wordsOf('㊗ 한')).toEqual(['祝', '한'.normalize('NFKD')])
})

test('segments are the whole text, whatever it holds, and never empty', () => {
  const part = fc.oneof(fc.constantFrom(...EMOJI, '한', '中', '\u200d', '\ufe0f', '9'), fc.string({ unit: 'binary' }))
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const text = parts.join('').toWellFormed()
      const asked: string[] = []
      const lengths = segmentAroundEmoji(text, (rest) => {
        asked.push(rest)
        return rest === '' ? [] : [rest.length]
      })
      expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(text.length)
      expect(lengths.every((length) => length > 0)).toBe(true)
      for (const rest of asked) expect(text).toContain(rest)
    }),
  )
})
