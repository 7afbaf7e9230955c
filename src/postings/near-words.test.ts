import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sortedUnique } from '../byte-order/index.js'
import { prefixTypoDistance, typoDistance } from '../text/index.js'
import { decodeDictionaryBlock, encodeDictionaryBlock } from './dictionary-block.js'
import type { NearSearch, NearWords } from './model.js'
import { findNear, type SortedBlocks } from './near-words.js'
import { DictionaryBlock, linksOf, lowsOf } from './word-block.js'

function blocksOf(words: readonly string[], perBlock = 7): SortedBlocks {
  const blocks: DictionaryBlock[] = []
  for (let first = 0; first < words.length; first += perBlock) {
    const part = words.slice(first, first + perBlock).map((text) => Buffer.from(text))
    blocks.push(new DictionaryBlock(part[0]!, 0, decodeDictionaryBlock(encodeDictionaryBlock(0, part))))
  }
  const links = linksOf(blocks)
  return { blocks, links, lows: lowsOf(blocks, links) }
}

const firstOf = (text: string): string => [...text][0] ?? ''

/** Word by word, as the table of spec 5 §4.3 and the limits of §4.4 say. */
function nearPlainly(words: readonly string[], { word, typos, isPrefix, isTolerant }: NearSearch): NearWords {
  const one: string[] = []
  const two: string[] = []
  for (const candidate of words.filter(isTolerant)) {
    const distance = (isPrefix ? prefixTypoDistance : typoDistance)(word, candidate, 2)
    const isSameFirst = firstOf(candidate) === firstOf(word)
    const isOne = isSameFirst && distance === 1
    const isTwo = typos === 2 && (isSameFirst ? distance === 2 : distance === 1)
    if (isTwo && two.length < 50) two.push(candidate)
    else if ((isOne || (isTwo && !isSameFirst)) && one.length < 150) one.push(candidate)
  }
  return { one, two }
}

const near = (words: readonly string[], search: Partial<NearSearch> & { word: string }, perBlock?: number): NearWords =>
  findNear(blocksOf(sortedUnique(words), perBlock), { typos: 2, isPrefix: false, isTolerant: () => true, ...search })

describe('words within typos', () => {
  test('are those that a plain distance finds', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é', '日', '😀'), minLength: 1, maxLength: 7 })
    const words = fc.uniqueArray(word, { minLength: 100, maxLength: 400 }).map(sortedUnique)
    fc.assert(
      fc.property(words, fc.array(word, { minLength: 10, maxLength: 10 }), fc.boolean(), (list, asked, isPrefix) => {
        const blocks = blocksOf(list)
        for (const text of asked) {
          for (const typos of [1, 2] as const) {
            const search = { word: text, typos, isPrefix, isTolerant: (found: string) => !found.endsWith('b') }
            expect(findNear(blocks, search)).toEqual(nearPlainly(list, search))
          }
        }
      }),
      { numRuns: 30 },
    )
  })

  // The examples of spec 5 §4.3.
  const list = [
    ...['smartphone', 'snartphone', 'smartphones', 'smartfone', 'smrtphne', 'martphone', 'xmartphone', 'msartphone'],
    ...['xmartphon', 'phone', 'phones', 'prone', 'pone', 'phnoe', 'phony', 'hone', 'iphone', 'photo', 'phonetic'],
    'phoenix',
  ]

  test('count a typo in the first character double', () => {
    expect(near(list, { word: 'smartphone' })).toEqual({
      one: ['smartphones', 'snartphone'],
      two: ['martphone', 'msartphone', 'smartfone', 'smrtphne', 'xmartphone'],
    })
    expect(near(list, { word: 'phone', typos: 1 })).toEqual({
      one: ['phnoe', 'phones', 'phony', 'pone', 'prone'],
      two: [],
    })
  })

  test('of a prefix are those of which some prefix is near', () => {
    expect(near(list, { word: 'phone', typos: 1, isPrefix: true })).toEqual({
      one: ['phnoe', 'phoenix', 'phony', 'pone', 'prone'],
      two: [],
    })
  })

  const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789']
  const pairs = letters.flatMap((a) => letters.map((b) => a + b))

  test('are the first 150 and the first 50, and words that are passed over do not count', () => {
    const ones = pairs.flatMap((_, i) => `m${'x'.repeat(6)}${String.fromCodePoint(0x4e00 + i)}`)
    const twos = pairs.map((pair) => `m${'x'.repeat(6)}${pair}`)
    const isTolerant = (found: string): boolean => !found.endsWith('a') && found !== ones[0]
    const search = { word: 'mxxxxxx', typos: 2, isPrefix: false, isTolerant } as const
    const all = sortedUnique([...ones, ...twos])
    const found = near(all, search)
    expect(found).toEqual(nearPlainly(all, search))
    expect([found.one.length, found.two.length]).toEqual([150, 50])
    expect(found.one[0]).toBe(ones[1])
  })

  test('that begin otherwise count as one typo when the list of two is full', () => {
    const others = letters.map((letter) => `${letter}yyyyyyyy`)
    const twos = pairs.map((pair) => `ayyyyyyyy${pair}`)
    const found = near([...others, ...twos], { word: 'ayyyyyyyy' }, 100)
    expect(found.two).toHaveLength(50)
    // The digits come first in byte order, and are two typos away.
    expect(found.two.slice(0, 10)).toEqual([...'0123456789'].map((digit) => `${digit}yyyyyyyy`))
    expect(found.one).toEqual([...'bcdefghijklmnopqrstuvwxyz'].map((letter) => `${letter}yyyyyyyy`))
  })

  test('of nothing are none', () => {
    expect(near([], { word: 'fox' })).toEqual({ one: [], two: [] })
    expect(near(['fox'], { word: 'fox' })).toEqual({ one: [], two: [] })
  })
})
