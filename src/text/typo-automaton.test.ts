import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildTypoAutomaton } from './typo-automaton.js'
import { prefixTypoDistance, typoDistance } from './typo-distance.js'

// A small alphabet, so that words resemble each other, with a character beyond the basic plane.
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é', '🦊'), maxLength: 9 })
const maxTypos = fc.constantFrom(0, 1, 2, 3)

/** The whole matrix, no early exit. */
function plainDistance(a: string, b: string): number {
  const x = [...a]
  const y = [...b]
  const cells = Array.from({ length: x.length + 1 }, (_, i) => Array.from({ length: y.length + 1 }, (_, j) => i + j))
  for (let i = 1; i <= x.length; i++) {
    for (let j = 1; j <= y.length; j++) {
      const cost = x[i - 1] === y[j - 1] ? 0 : 1
      let cell = Math.min(cells[i - 1]![j]! + 1, cells[i]![j - 1]! + 1, cells[i - 1]![j - 1]! + cost)
      if (i > 1 && j > 1 && x[i - 1] === y[j - 2] && x[i - 2] === y[j - 1])
        cell = Math.min(cell, cells[i - 2]![j - 2]! + 1)
      cells[i]![j] = cell
    }
  }
  return cells[x.length]![y.length]!
}

/** Straight from its definition: the first beginning from which no beginning of the word is nearer than all of it. */
function plainPrefixDistance(word: string, candidate: string, max: number): number {
  const beginnings = (text: string) =>
    Array.from({ length: [...text].length + 1 }, (_, i) => [...text].slice(0, i).join(''))
  for (const beginning of beginnings(candidate)) {
    const distance = plainDistance(word, beginning)
    const nearest = Math.min(...beginnings(word).map((part) => plainDistance(part, beginning)))
    if (distance <= max && nearest >= distance) return distance
  }
  return Math.min(plainDistance(word, candidate), max + 1)
}

function read(query: string, candidate: string, max: number, isPrefix: boolean) {
  const automaton = buildTypoAutomaton(query, max, isPrefix)
  let state = automaton.start
  const states = [state]
  for (const character of candidate) states.push((state = automaton.step(state, character.codePointAt(0)!)))
  return { automaton, state, states }
}

describe('typoDistance', () => {
  test.each([
    ['phone', 'phone', 0],
    ['phone', 'phones', 1],
    ['phone', 'prone', 1],
    ['phone', 'pone', 1],
    ['phone', 'phnoe', 1],
    ['phone', 'photo', 2],
    ['ca', 'abc', 3],
    ['smartphone', 'smartfone', 2],
    ['smartphone', 'smrtphne', 2],
    ['smartphone', 'msartphone', 1],
    ['', 'ab', 2],
    ['🦊a', 'a🦊', 1],
  ])('%s and %s are %i apart', (a, b, distance) => {
    expect(typoDistance(a, b, 9)).toBe(distance)
    expect(typoDistance(b, a, 9)).toBe(distance)
  })

  test('it says one more than the bound when there are more typos', () => {
    expect(typoDistance('phone', 'table', 2)).toBe(3)
    expect(typoDistance('a', 'abcdefgh', 1)).toBe(2)
  })

  test('it agrees with the whole matrix', () => {
    fc.assert(
      fc.property(word, word, maxTypos, (a, b, max) => {
        expect(typoDistance(a, b, max)).toBe(Math.min(plainDistance(a, b), max + 1))
      }),
      { numRuns: 1000 },
    )
  })

  test('the best beginning of phoenix is one typo from phone', () => {
    expect(prefixTypoDistance('phone', 'phoenix', 2)).toBe(1)
    expect(prefixTypoDistance('phone', 'phonetic', 2)).toBe(0)
    expect(prefixTypoDistance('marriage', 'martialed', 2)).toBe(2)
    // `marrie` is two typos away, but one more letter might have brought it nearer.
    expect(prefixTypoDistance('marriage', 'married', 2)).toBe(3)
    expect(prefixTypoDistance('claudine', 'claude', 2)).toBe(2)
    expect(prefixTypoDistance('claudine', 'claudette', 2)).toBe(3)
  })

  test('the distance of beginnings agrees with trying all', () => {
    fc.assert(
      fc.property(word, word, maxTypos, (query, candidate, max) => {
        expect(prefixTypoDistance(query, candidate, max)).toBe(plainPrefixDistance(query, candidate, max))
      }),
      { numRuns: 1000 },
    )
  })
})

describe('the typo automaton', () => {
  test('its distance is the typo distance', () => {
    fc.assert(
      fc.property(word, word, maxTypos, (query, candidate, max) => {
        const { automaton, state } = read(query, candidate, max, false)
        expect(automaton.distance(state)).toBe(typoDistance(query, candidate, max))
      }),
      { numRuns: 1500 },
    )
  })

  test('for a prefix its distance is that of beginnings', () => {
    fc.assert(
      fc.property(word, word, maxTypos, (query, candidate, max) => {
        const { automaton, state } = read(query, candidate, max, true)
        expect(automaton.distance(state)).toBe(prefixTypoDistance(query, candidate, max))
      }),
      { numRuns: 1500 },
    )
  })

  test('it never gives up on the beginning of a word that matches', () => {
    fc.assert(
      fc.property(word, word, maxTypos, fc.boolean(), (query, candidate, max, isPrefix) => {
        const { automaton, state, states } = read(query, candidate, max, isPrefix)
        if (automaton.distance(state) > max) return
        expect(states.every((passed) => automaton.canMatch(passed))).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  test('it gives up as soon as no ending can help', () => {
    const { automaton, states } = read('phone', 'tab', 1, false)
    expect(states.map((state) => automaton.canMatch(state))).toEqual([true, true, false, false])
  })

  test('reading the same candidate again gives the same states', () => {
    const automaton = buildTypoAutomaton('smartphone', 2, true)
    const walk = (text: string) =>
      [...text].reduce((state, c) => automaton.step(state, c.codePointAt(0)!), automaton.start)
    expect(walk('smatrphone')).toBe(walk('smatrphone'))
    expect(automaton.distance(walk('smatrphones'))).toBe(1)
  })

  test('long words of equal letters stay cheap', () => {
    const automaton = buildTypoAutomaton('a'.repeat(250), 2, true)
    let state = automaton.start
    for (let i = 0; i < 249; i++) state = automaton.step(state, 0x61)
    expect(automaton.distance(state)).toBe(1)
  })
})
