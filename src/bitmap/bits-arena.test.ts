import { expect, test } from 'vitest'
import { BitsArena, SpareBits } from './bits-arena.js'
import { DenseDocSet } from './dense-doc-set.js'

const LIMIT = 5_000

test('memory that was taken back is used again, and clean', () => {
  const arena = new BitsArena(new SpareBits())
  const first = arena.take(100).fill(7)
  arena.release()
  const again = arena.take(100)
  expect(again).toBe(first)
  expect(again.every((word) => word === 0)).toBe(true)
  expect(arena.take(100)).not.toBe(first)
})

test('a set that outlives its arena is left alone, others made of it are not', () => {
  const spare = new SpareBits()
  const arena = new BitsArena(spare)
  const kept = new DenseDocSet(LIMIT, arena)
  kept.addAll(Uint32Array.of(1, 4_000))
  const copy = kept.copy()
  kept.outliveArena()
  arena.release()
  const next = new DenseDocSet(LIMIT, new BitsArena(spare))
  next.addAll(Uint32Array.of(5))
  expect([...kept.toArray()]).toEqual([1, 4_000])
  expect([...copy.toArray()]).toEqual([5])
})

test('arrays of another length are not mixed with those that are kept', () => {
  const arena = new BitsArena(new SpareBits())
  const [long, short] = [arena.take(200), arena.take(100)]
  arena.release()
  expect([arena.take(200).length, arena.take(100).length]).toEqual([200, 100])
  expect([long.length, short.length]).toEqual([200, 100])
})
