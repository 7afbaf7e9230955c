import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bestInterval } from './best-interval.js'
import { plainInterval } from './plain.twin.js'
import type { TextMatch } from './text-match.js'

interface Step {
  /** Words between a match and the one before. */
  readonly gap: number
  readonly words: number
  readonly ids: readonly number[]
}

function matchesOf(steps: readonly Step[]): (TextMatch & { readonly ids: readonly number[] })[] {
  let next = 0
  return steps.map(({ gap, words, ids }) => {
    const firstWord = next + gap
    const lastWord = firstWord + words - 1
    next = lastWord + 1
    const place = { firstToken: 0, lastToken: 0, start: 0, end: 0 }
    return { ids, term: { ids, smallestId: Math.min(...ids) }, firstWord, lastWord, ...place }
  })
}

const step = (gap: number, ...ids: number[]): Step => ({ gap, words: 1, ids })

test('more of the query wins, then nearness, then order, then the place in the text', () => {
  expect(bestInterval(matchesOf([step(0, 0), step(5, 0), step(0, 1)]), 3)).toEqual({ first: 1, last: 2 })
  expect(bestInterval(matchesOf([step(0, 0), step(1, 1), step(5, 0), step(0, 1)]), 3)).toEqual({ first: 2, last: 3 })
  expect(bestInterval(matchesOf([step(0, 1), step(0, 0), step(5, 0), step(0, 1)]), 3)).toEqual({ first: 2, last: 3 })
  expect(bestInterval(matchesOf([step(0, 0), step(0, 1), step(5, 0), step(0, 1)]), 3)).toEqual({ first: 0, last: 1 })
})

test('the best row of matches is that of the plain twin', () => {
  const someStep = fc.record({
    gap: fc.oneof(fc.nat(2), fc.nat(12)),
    words: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 6 })),
    ids: fc.uniqueArray(fc.nat(3), { minLength: 1, maxLength: 2 }),
  })
  fc.assert(
    fc.property(fc.array(someStep, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 30 }), (steps, size) => {
      const matches = matchesOf(steps)
      const { first, last } = bestInterval(matches, size)
      const expected = plainInterval(matches, size)
      expect([first, last]).toEqual([matches.indexOf(expected.first), matches.indexOf(expected.last)])
    }),
    { numRuns: 5000 },
  )
})
