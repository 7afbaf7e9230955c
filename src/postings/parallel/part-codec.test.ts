import fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryIndex } from '../../folder/temporary-index.fixture.js'
import { postingKey } from '../posting-key.js'
import { PostingsWriter } from '../postings-writer.js'
import { WordChanges, type WordSteps } from '../word-changes.js'
import { PartReader, PartWriter } from './part-codec.js'

interface Step {
  readonly word: string
  readonly docId: number
  readonly isLoss: boolean
  readonly positions: number[]
}

const positions = fc.uniqueArray(fc.oneof(fc.nat(40), fc.nat(0xffff_ffff)), { minLength: 1, maxLength: 5 })

const step: fc.Arbitrary<Step> = fc.record({
  word: fc.constantFrom('a', 'fox', 'süß', '日本'),
  docId: fc.oneof(fc.nat(20), fc.nat(0xffff_fffe)),
  isLoss: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  positions: positions.map((list) => list.sort((a, b) => a - b)),
})

function toldOf(steps: readonly Step[]): WordChanges {
  const changes = new WordChanges()
  for (const { word, docId, isLoss, positions } of steps) {
    changes.begin(changes.numberOf(word), docId, isLoss)
    for (const position of positions) changes.push(position)
  }
  return changes
}

function plain({ changes, order, first, end }: WordSteps): unknown[] {
  return Array.from(order.subarray(first, end), (step) => [
    changes.docIdOf(step),
    changes.isLoss(step),
    [...changes.chunkOf(step).subarray(changes.positionsFrom(step), changes.positionsTo(step))],
  ])
}

test('words come back with their steps', () => {
  const reader = new PartReader()
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.constantFrom(40, 1010), (steps, maxPairBytes) => {
      const writer = new PartWriter(maxPairBytes)
      const told: unknown[] = []
      toldOf(steps).forEachWord((word, of) => {
        told.push([word, plain(of)])
        writer.add(word, of)
      })
      const read: unknown[] = []
      reader.read(writer.take(), {
        writePacked: ({ word, steps }) => read.push([word.toString(), plain(steps())]),
        writeSteps: (word, steps) => read.push([word.toString(), plain(steps)]),
      })
      expect(read).toEqual(told)
    }),
  )
})

test('the blocks of a word that comes to documents are those that are stored for a new word', () => {
  const { folder, stored } = storedBlocks()
  const gain = step.map((each) => ({ ...each, word: 'fox', isLoss: false }))
  const gains = fc.uniqueArray(gain, { selector: ({ docId }) => docId, minLength: 1, maxLength: 80 })
  fc.assert(
    fc.property(gains, fc.constantFrom(40, 1010), (steps, maxPairBytes) => {
      const writer = new PartWriter(maxPairBytes)
      toldOf(steps).forEachWord((word, of) => {
        writer.add(word, of)
        folder.write(() => {
          folder.databases.postings.clear()
          new PostingsWriter(folder.databases.postings, { maxPairBytes }).create(Buffer.from(word), of)
        })
      })
      const packed: unknown[] = []
      new PartReader().read(writer.take(), {
        writePacked({ word, blocks }) {
          for (const { bound, bytes } of blocks) packed.push([postingKey(word, bound), Buffer.from(bytes)])
        },
        writeSteps: () => packed.push('steps'),
      })
      expect(packed).toEqual(stored())
    }),
    { numRuns: 40 },
  )
})

function storedBlocks() {
  const folder = temporaryIndex()
  const stored = () => Array.from(folder.databases.postings.range(), ({ key, value }) => [key, value])
  return { folder, stored }
}
