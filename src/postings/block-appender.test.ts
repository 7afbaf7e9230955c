import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { IndexFolder } from '../folder/index.js'
import { temporaryIndex } from '../folder/temporary-index.fixture.js'
import { PartReader, PartWriter } from './parallel/part-codec.js'
import { positions } from './postings.fixture.js'
import { PostingsWriter } from './postings-writer.js'
import { WordChanges } from './word-changes.js'

interface Gain {
  readonly word: string
  readonly docId: number
  readonly positions: readonly number[]
}

/** Gains of one batch; documents are counted from behind all others, or, where that is not said, from the first one. */
interface Batch {
  readonly isBehind: boolean
  readonly gains: readonly Gain[]
}

const gain: fc.Arbitrary<Gain> = fc.record({
  word: fc.constantFrom('a', 'ab', 'ü'),
  docId: fc.oneof({ weight: 9, arbitrary: fc.nat(120) }, { weight: 1, arbitrary: fc.nat(100_000) }),
  positions,
})
const batch: fc.Arbitrary<Batch> = fc.record({
  isBehind: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  gains: fc.uniqueArray(gain, { maxLength: 60, selector: ({ word, docId }) => `${word} ${docId}` }),
})

function changesOf(gains: readonly Gain[]): WordChanges {
  const changes = new WordChanges()
  for (const { word, docId, positions } of gains) {
    changes.begin(changes.numberOf(word), docId, false)
    for (const position of positions) changes.push(position)
  }
  return changes
}

interface Form {
  readonly maxPairBytes: number
  readonly isBehindAll: (docId: number) => boolean
}

/** Decoded, merged and coded again. */
function applyPlainly(folder: IndexFolder, gains: readonly Gain[], { maxPairBytes }: Form): void {
  const writer = new PostingsWriter(folder.databases.postings, { maxPairBytes })
  folder.write(() => changesOf(gains).forEachWord((word, steps) => writer.apply(Buffer.from(word), steps)))
}

/** As blocks that are put behind others. */
function applyMade(folder: IndexFolder, gains: readonly Gain[], form: Form): void {
  const writer = new PostingsWriter(folder.databases.postings, form)
  const part = new PartWriter(form.maxPairBytes)
  changesOf(gains).forEachWord((word, steps) => part.add(word, steps))
  const target = {
    writePacked: (word: Parameters<typeof writer.applyMade>[0]) => void writer.applyMade(word),
    writeSteps: () => expect.unreachable(),
  }
  folder.write(() => new PartReader().read(part.take(), target))
}

test('blocks that are put behind others are those of all documents, coded anew', () => {
  const [plain, made] = [temporaryIndex(), temporaryIndex()]
  fc.assert(
    fc.property(fc.array(batch, { maxLength: 8 }), fc.constantFrom(60, 90, 200, 1006), (batches, maxPairBytes) => {
      for (const folder of [plain, made]) folder.write(() => folder.databases.postings.clear())
      let end = 0
      for (const { isBehind, gains } of batches) {
        const from = isBehind ? end : 0
        const moved = gains.map((one) => ({ ...one, docId: one.docId + from }))
        const form = { maxPairBytes, isBehindAll: (docId: number) => docId >= end }
        applyPlainly(plain, moved, form)
        applyMade(made, moved, form)
        end = Math.max(end, ...moved.map(({ docId }) => docId + 1))
        expect([...made.databases.postings.range()]).toEqual([...plain.databases.postings.range()])
      }
    }),
    { numRuns: 150 },
  )
})
