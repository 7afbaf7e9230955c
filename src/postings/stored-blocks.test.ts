import fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryIndex } from '../folder/temporary-index.fixture.js'
import { BlockEncoder } from './block-encoder.js'
import type { BlockReader } from './block-reader.js'
import { postingKey, postingsEnd } from './posting-key.js'
import { toColumns } from './postings.fixture.js'
import { StoredBlocks } from './stored-blocks.js'

const COUNT = 2000

/** Words around a word of many blocks, each of one document. */
function manyBlocks() {
  const folder = temporaryIndex()
  const { postings } = folder.databases
  const put = (word: string, docId: number) => {
    const columns = toColumns(new Map([[docId, [docId % 50]]]))
    const bytes = new BlockEncoder().encode({ columns, first: 0, end: 1, bound: docId, isSplit: docId === 0 })
    postings.put(postingKey(Buffer.from(word), docId), bytes)
  }
  folder.write(() => {
    for (const word of ['fo', 'fow', 'foxa', 'fp']) put(word, 0)
    for (let docId = 0; docId < COUNT; docId++) put('fox', docId)
  })
  const fox = Buffer.from('fox')
  return new StoredBlocks(postings, { start: postingKey(fox, 0), end: postingsEnd(fox) })
}

const docIdOf = (block: BlockReader): number => {
  const docIds = new Uint32Array(1)
  block.readDocIds(docIds, 0)
  return docIds[0]!
}

const ALL = Array.from({ length: COUNT }, (_, i) => i)

test('all blocks are read, and again those that are wanted, one by one or in runs', () => {
  const blocks = manyBlocks()
  const first: number[] = []
  blocks.each((block) => first.push(docIdOf(block)))
  expect(first).toEqual(ALL)
  const runs = fc.array(fc.tuple(fc.nat(60), fc.nat(40), fc.integer({ min: 1, max: 3 })), { maxLength: 12 })
  fc.assert(
    fc.property(runs, fc.boolean(), (list, isToTheEnd) => {
      const numbers: number[] = []
      let next = 0
      for (const [gap, length, step] of list) {
        next += gap + 1
        for (let i = 0; i < length; i++, next += step) numbers.push(next)
      }
      const wanted = numbers.filter((number) => number < COUNT - 20)
      if (isToTheEnd) wanted.push(...ALL.slice(-20))
      const read: number[] = []
      blocks.some(wanted, (block) => read.push(docIdOf(block)))
      expect(read).toEqual(wanted)
    }),
  )
})

test('few blocks are copied, many are not', () => {
  const blocks = manyBlocks()
  expect(blocks.upTo(1 << 20)!.map(docIdOf)).toEqual(ALL)
  expect(blocks.upTo(1000)).toBeUndefined()
})
