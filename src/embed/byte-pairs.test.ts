import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Tokenizer } from './byte-pairs.js'
import { parseRanks } from './open-ai-tokens.js'

const BYTES = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte))

/** All single bytes, then some unions of tokens that were there before. */
const rankings = fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 30 }).map((pairs) => {
  const letters = ['a', 'b', 'c', ' ', '\xc3', '\xa9']
  const tokens = [...letters]
  for (const [i, j] of pairs) tokens.push(tokens[i % tokens.length]! + tokens[j % tokens.length]!)
  return new Map(
    [...new Set([...BYTES, ...tokens.filter(({ length }) => length < 40)])].map((token, rank) => [token, rank]),
  )
})

/** The plain way: look at all neighbours, unite the best two, begin again. */
function plainTokens(ranks: ReadonlyMap<string, number>, piece: string): number[] {
  const parts = [...Buffer.from(piece, 'utf8').toString('latin1')]
  for (;;) {
    const unions = parts.slice(1).map((part, i) => ranks.get(parts[i]! + part) ?? Number.POSITIVE_INFINITY)
    const best = Math.min(...unions)
    if (best === Number.POSITIVE_INFINITY) return parts.map((part) => ranks.get(part)!)
    const i = unions.indexOf(best)
    parts.splice(i, 2, parts[i]! + parts[i + 1]!)
  }
}

test('tokens are those of the plain way', () => {
  const words = fc
    .array(fc.constantFrom('a', 'b', 'c', 'é'), { minLength: 1, maxLength: 40 })
    .map((list) => list.join(''))
  fc.assert(
    fc.property(rankings, fc.array(words, { maxLength: 4 }), fc.nat(60), (ranks, list, limit) => {
      const plain = list.flatMap((word) => plainTokens(ranks, ` ${word}`)).slice(0, limit)
      expect(new Tokenizer(ranks).firstTokens(list.map((word) => ` ${word}`).join(''), limit)).toEqual(plain)
    }),
  )
})

test('a text is cut into words with the space before them, numbers of three digits, signs and blanks', () => {
  const pieces = ['It', "'s", ' a', ' test', '...\n', '123', '4', '  ', ' naïve', ' 東京', '\n\n', 'end', ' ']
  const ranks = new Map(
    [...BYTES, ...pieces.map((piece) => Buffer.from(piece).toString('latin1'))].map((token, i) => [token, i]),
  )
  const tokens = new Tokenizer(ranks).firstTokens(pieces.join(''), 100)
  expect(tokens).toEqual(pieces.map((piece) => ranks.get(Buffer.from(piece).toString('latin1'))))
})

test('a word without end is cut where enough tokens are found', () => {
  const ranks = new Map(BYTES.map((byte, i) => [byte, i]))
  expect(new Tokenizer(ranks).firstTokens('a'.repeat(5_000_000), 3)).toEqual([97, 97, 97])
})

test('the table of tokens is read from its lines', () => {
  expect([...parseRanks('! 0 IQ== Ig==\n! 7 YWI=')]).toEqual([
    ['!', 0],
    ['"', 1],
    ['ab', 7],
  ])
})
