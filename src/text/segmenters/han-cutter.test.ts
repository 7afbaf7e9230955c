import { createRequire } from 'node:module'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readDictionary } from './chinese.js'
import { HanCutter, isHan } from './han-cutter.js'
import { WordList } from './word-list.js'

const { Jieba } = createRequire(import.meta.url)('@node-rs/jieba') as typeof import('@node-rs/jieba')
const dictionary = readDictionary()
const jieba = Jieba.withDict(dictionary)
const list = new WordList(dictionary)
const cutter = new HanCutter(list)

const lines = dictionary.toString('utf8').trimEnd().split('\n')
const words = lines.map((line) => line.slice(0, line.indexOf(' ')))
const hanWords = words.filter(isHan)

test('the dictionary is in the order of its bytes', () => {
  const isOrdered = words.every(
    (word, i) => i === 0 || Buffer.compare(Buffer.from(words[i - 1]!), Buffer.from(word)) < 0,
  )
  expect(isOrdered).toBe(true)
})

test('text is cut as the library cuts it', () => {
  const word = fc.nat(hanWords.length - 1).map((i) => hanWords[i]!)
  const character = fc.integer({ min: 0x4e00, max: 0x9fff }).map((unit) => String.fromCharCode(unit))
  const part = fc.oneof({ weight: 4, arbitrary: word }, { weight: 1, arbitrary: character })
  const text = fc.array(part, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, (text) => {
      expect(cutter.cut(text)).toEqual(jieba.cut(text, false))
    }),
    { numRuns: 500 },
  )
})

test('a list knows its words and no others', () => {
  const known = new Set(words)
  const text = fc.oneof(
    fc.nat(words.length - 1).map((i) => words[i]!),
    fc.nat(words.length - 1).map((i) => words[i]!.slice(0, -1)),
    fc.string({ unit: fc.constantFrom('中', '国', 'A', '~', '\uffff', ' '), minLength: 1, maxLength: 3 }),
  )
  fc.assert(
    fc.property(
      text.filter((text) => text !== ''),
      (text) => {
        expect(list.has(text)).toBe(known.has(text))
      },
    ),
    { numRuns: 500 },
  )
  expect(list.totalFrequency()).toBe(lines.reduce((sum, line) => sum + Number(line.split(' ')[1]), 0))
})

test('words before the first and behind the last are not there', () => {
  const few = new WordList(Buffer.from('b 1 x\nbc 20 x'))
  expect(['a', 'b', 'bb', 'bc', 'bcd', 'c'].map((word) => few.has(word))).toEqual([
    false,
    true,
    false,
    true,
    false,
    false,
  ])
  expect(few.totalFrequency()).toBe(21)
})
