import { expect, test } from 'vitest'
import type { WordPostings } from './model.js'
import { PostingsCache } from './postings-cache.js'

const postings = (isLong: boolean, sizeBytes = 10) => ({ isLong, sizeBytes }) as WordPostings & { sizeBytes: number }

test('long postings stay, however many short ones come', () => {
  const cache = new PostingsCache(400)
  const frequent = postings(true)
  cache.set('frequent', frequent)
  for (let i = 0; i < 1000; i++) cache.set(`rare ${i}`, postings(false))
  expect(cache.get('frequent')).toBe(frequent)
  expect([cache.get('rare 0'), cache.keys().length, cache.sizeBytes]).toEqual([undefined, 31, 310])
})

test('neither take more than their part', () => {
  const cache = new PostingsCache(400)
  for (let i = 0; i < 100; i++) cache.set(`frequent ${i}`, postings(true))
  expect(cache.sizeBytes).toBe(100)
})

test('what is dropped is gone, whichever it was', () => {
  const cache = new PostingsCache(400)
  const all = () => ['a', 'b', 'c', 'd'].map((key) => cache.get(key)?.isLong)
  for (const [key, isLong] of [
    ['a', true],
    ['b', false],
    ['c', true],
    ['d', false],
  ] as const) {
    cache.set(key, postings(isLong))
  }
  cache.delete('a')
  cache.delete('b')
  expect(all()).toEqual([undefined, undefined, true, false])
  cache.clear()
  expect(all()).toEqual([undefined, undefined, undefined, undefined])
})
