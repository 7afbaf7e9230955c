import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sortedUnique } from '../byte-order/index.js'
import { WordChanges } from './word-changes.js'

interface Step {
  readonly word: string
  readonly docId: number
  readonly isLoss: boolean
  readonly positions: readonly number[]
}

function tell(steps: readonly Step[]): WordChanges {
  const changes = new WordChanges()
  for (const { word, docId, isLoss, positions } of steps) {
    changes.begin(changes.numberOf(word), docId, isLoss)
    for (const position of positions) changes.push(position)
  }
  return changes
}

function told(changes: WordChanges): Step[] {
  const steps: Step[] = []
  changes.forEachWord((word, { order, first, end }) => {
    for (const step of order.subarray(first, end)) {
      const positions = [...changes.chunkOf(step).subarray(changes.positionsFrom(step), changes.positionsTo(step))]
      steps.push({ word, docId: changes.docIdOf(step), isLoss: changes.isLoss(step), positions })
    }
  })
  return steps
}

/** By word, then by document, then as they were told. */
function sortPlainly(steps: readonly Step[]): Step[] {
  return sortedUnique(steps.map(({ word }) => word)).flatMap((word) =>
    steps.filter((step) => step.word === word).sort((a, b) => a.docId - b.docId),
  )
}

test('steps come back by word and document, in the order in which they were told', () => {
  const step = fc.record({
    word: fc.constantFrom('a', 'b', '42', '__proto__', 'constructor', '日', '😀', '\uffff'),
    docId: fc.oneof(fc.nat(5), fc.nat(0xffff_ffff)),
    isLoss: fc.boolean(),
    // Some steps are longer than what is left of the first chunks.
    positions: fc.oneof(
      { weight: 20, arbitrary: fc.array(fc.nat(0xffff_ffff), { maxLength: 5 }) },
      { weight: 1, arbitrary: fc.nat(9000).map((count) => Array.from({ length: count }, (_, i) => i)) },
    ),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      expect(told(tell(steps))).toEqual(sortPlainly(steps))
    }),
  )
})

test('many steps and very long ones are kept, and what they take is known', () => {
  const many = Array.from({ length: 30_000 }, (_, i) => ({
    word: `w${i % 7}`,
    docId: i,
    isLoss: false,
    positions: [i, i + 1],
  }))
  const long = { word: 'long', docId: 30_000, isLoss: true, positions: Array.from({ length: 1_200_000 }, (_, i) => i) }
  const changes = tell([...many, long, ...many])
  expect(changes.sizeBytes).toBeGreaterThan(4 * (1_200_000 + 2 * 30_000 * 5))
  const steps = told(changes)
  expect(steps).toHaveLength(60_001)
  expect(steps[0]!.positions.length).toBe(1_200_000)
  expect(steps[0]!.positions.at(-1)).toBe(1_199_999)
  expect(steps[1]).toEqual({ word: 'w0', docId: 0, isLoss: false, positions: [0, 1] })
})

test('words that were numbered but never told of do not appear', () => {
  const changes = new WordChanges()
  changes.numberOf('seen')
  expect(changes.isEmpty).toBe(true)
  expect(told(changes)).toEqual([])
})
