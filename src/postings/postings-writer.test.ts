import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { IndexFolder } from '../folder/index.js'
import { temporaryIndex } from '../folder/temporary-index.fixture.js'
import { BlockReader } from './block-reader.js'
import { boundOf } from './posting-key.js'
import { positions, toPlain } from './postings.fixture.js'
import { PostingsWriter, type PostingsWriterOptions, type WordOutcome } from './postings-writer.js'
import { StoredWords } from './stored-words.js'
import { WordChanges } from './word-changes.js'

/** A word gains or loses positions in a document. */
interface Step {
  readonly word: string
  readonly docId: number
  readonly isLoss: boolean
  readonly positions: readonly number[]
}

const SMALL = { maxPairBytes: 100 }

/** Applies steps in one transaction. */
function apply(
  folder: IndexFolder,
  steps: readonly Step[],
  form: PostingsWriterOptions = {},
): Map<string, WordOutcome> {
  const changes = new WordChanges()
  for (const { word, docId, isLoss, positions } of steps) {
    changes.begin(changes.numberOf(word), docId, isLoss)
    for (const position of positions) changes.push(position)
  }
  const writer = new PostingsWriter(folder.databases.postings, form)
  const outcomes = new Map<string, WordOutcome>()
  folder.write(() => {
    changes.forEachWord((word, wordSteps) => outcomes.set(word, writer.apply(Buffer.from(word), wordSteps)))
  })
  return outcomes
}

/** What the index should hold: word to docId to positions. */
type Twin = Map<string, Map<number, Set<number>>>

function applyPlainly(twin: Twin, steps: readonly Step[]): void {
  for (const { word, docId, isLoss, positions } of steps) {
    const documents = twin.get(word) ?? new Map<number, Set<number>>()
    const held = documents.get(docId) ?? new Set<number>()
    for (const position of positions) isLoss ? held.delete(position) : held.add(position)
    if (held.size > 0) documents.set(docId, held)
    else documents.delete(docId)
    if (documents.size > 0) twin.set(word, documents)
    else twin.delete(word)
  }
}

const sorted = (numbers: Iterable<number>): number[] => [...numbers].sort((a, b) => a - b)

function plainTwin(twin: Twin, word: string): Map<number, number[]> {
  const documents = twin.get(word) ?? new Map<number, Set<number>>()
  return new Map(sorted(documents.keys()).map((docId) => [docId, sorted(documents.get(docId)!)]))
}

interface BlockFacts {
  readonly bound: number
  readonly sizeBytes: number
  readonly docIds: number[]
  readonly isSplit: boolean
}

function blocksOf(folder: IndexFolder, word: string): BlockFacts[] {
  const start = Buffer.from(`${word}\0`)
  const end = Buffer.from(`${word}\u0001`)
  return Array.from(folder.databases.postings.range({ start, end }), ({ key, value }) => {
    const reader = new BlockReader(boundOf(key), value)
    const docIds = new Uint32Array(reader.count)
    reader.readDocIds(docIds, 0)
    return { bound: reader.bound, sizeBytes: key.length + value.length, docIds: [...docIds], isSplit: reader.isSplit }
  })
}

/** Blocks part the docIds, none is empty, and the first one begins at zero and knows whether there are others. */
function expectWellFormed(blocks: readonly BlockFacts[], maxPairBytes: number): void {
  for (const [i, { bound, docIds, sizeBytes, isSplit }] of blocks.entries()) {
    expect(docIds.length).toBeGreaterThan(0)
    expect(docIds[0]).toBeGreaterThanOrEqual(bound)
    expect(docIds.at(-1)).toBeLessThan(blocks[i + 1]?.bound ?? 2 ** 32)
    if (docIds.length > 1) expect(sizeBytes).toBeLessThanOrEqual(maxPairBytes)
    if (i > 0) expect(isSplit).toBe(false)
  }
  if (blocks.length > 0) expect(blocks[0]!.bound).toBe(0)
  if (blocks.length > 1) expect(blocks[0]!.isSplit).toBe(true)
}

const WORDS = ['a', 'ab', 'ü', '😀']

const step: fc.Arbitrary<Step> = fc.record({
  word: fc.constantFrom(...WORDS),
  docId: fc.oneof({ weight: 9, arbitrary: fc.nat(60) }, { weight: 1, arbitrary: fc.nat(0xffff_fffe) }),
  isLoss: fc.boolean(),
  positions,
})

/** Half of the losses are real ones: all that the document has. */
function withRealLosses(steps: readonly Step[], twin: Twin): Step[] {
  return steps.map((given, i) => {
    const held = twin.get(given.word)?.get(given.docId)
    return given.isLoss && i % 2 === 0 && held !== undefined ? { ...given, positions: sorted(held) } : given
  })
}

describe('postings in blocks', () => {
  test('are those of a plain map through random batches, however small the blocks', () => {
    const folder = temporaryIndex()
    fc.assert(
      fc.property(
        fc.array(fc.array(step, { maxLength: 40 }), { maxLength: 8 }),
        fc.constantFrom(40, 90, 2030),
        fc.boolean(),
        (batches, size, hasFirsts) => {
          folder.write(() => folder.databases.postings.clear())
          const twin: Twin = new Map()
          for (const batch of batches) {
            const known = new Set(twin.keys())
            const steps = withRealLosses(batch, twin)
            applyPlainly(twin, steps)
            for (const [word, outcome] of apply(folder, steps, { maxPairBytes: size, hasFirsts })) {
              const change = Number(twin.has(word)) - Number(known.has(word))
              expect(outcome).toBe(change === 0 ? 'stayed' : change > 0 ? 'appeared' : 'vanished')
            }
            const words = new StoredWords(folder)
            for (const word of WORDS) {
              expectWellFormed(blocksOf(folder, word), size)
              expect(toPlain(words.postings(word))).toEqual(plainTwin(twin, word))
            }
          }
        },
      ),
      { numRuns: 40 },
    )
  })

  const gain = (docId: number): Step => ({ word: 'fox', docId, isLoss: false, positions: [1, 65_536] })
  const lose = (docId: number): Step => ({ ...gain(docId), isLoss: true })
  const numbers = (count: number, from = 0): number[] => Array.from({ length: count }, (_, i) => from + i)

  test('are filled up one after the other when documents come in their order', () => {
    const folder = temporaryIndex()
    for (let from = 0; from < 300; from += 10) apply(folder, numbers(10, from).map(gain), SMALL)
    const blocks = blocksOf(folder, 'fox')
    expectWellFormed(blocks, 100)
    for (const { sizeBytes } of blocks.slice(0, -1)) expect(sizeBytes).toBeGreaterThan(80)
  })

  test('are the same when it is known that no document is behind those that come', () => {
    const [asked, knowing] = [temporaryIndex(), temporaryIndex()]
    for (const [batch, size] of [3, 40, 1, 200, 7, 90].entries()) {
      const from = batch * 1000
      const steps = [...numbers(size, from), ...numbers(5, from + 500)].map(gain)
      apply(asked, steps, SMALL)
      apply(knowing, steps, { ...SMALL, isBehindAll: (docId) => docId >= from })
    }
    expect(blocksOf(knowing, 'fox').length).toBeGreaterThan(5)
    expect([...knowing.databases.postings.range()]).toEqual([...asked.databases.postings.range()])
  })

  test('are cut evenly when documents come between others', () => {
    const folder = temporaryIndex()
    apply(
      folder,
      numbers(100).map((i) => gain(i * 10)),
      SMALL,
    )
    const before = blocksOf(folder, 'fox').length
    apply(folder, [gain(5)], SMALL)
    const blocks = blocksOf(folder, 'fox')
    expect(blocks).toHaveLength(before + 1)
    expect(Math.abs(blocks[0]!.docIds.length - blocks[1]!.docIds.length)).toBeLessThanOrEqual(1)
  })

  test('of one document touch one block', () => {
    const folder = temporaryIndex()
    apply(folder, numbers(300).map(gain), SMALL)
    const before = [...folder.databases.postings.range()]
    apply(folder, [lose(150)], SMALL)
    const changed = [...folder.databases.postings.range()].filter(({ value }, i) => !value.equals(before[i]!.value))
    expect(changed).toHaveLength(1)
  })

  test('begin with a block at zero, also when that one becomes empty', () => {
    const folder = temporaryIndex()
    apply(folder, numbers(100).map(gain), SMALL)
    const [first, ...others] = blocksOf(folder, 'fox')
    expect(apply(folder, first!.docIds.map(lose), SMALL).get('fox')).toBe('stayed')
    expect(blocksOf(folder, 'fox').map(({ docIds }) => docIds)).toEqual(others.map(({ docIds }) => docIds))
    expectWellFormed(blocksOf(folder, 'fox'), 100)
    expect(
      apply(
        folder,
        others.flatMap(({ docIds }) => docIds.map(lose)),
        SMALL,
      ).get('fox'),
    ).toBe('vanished')
    expect(blocksOf(folder, 'fox')).toEqual([])
  })

  test('that are too many for one block in one document still have one', () => {
    const folder = temporaryIndex()
    const many = numbers(5000)
    apply(folder, [gain(1), { word: 'fox', docId: 2, isLoss: false, positions: many }, gain(3)])
    expect(toPlain(new StoredWords(folder).postings('fox')).get(2)).toEqual(many)
  })
})
