import { expect, test } from 'vitest'
import { wordResources } from './job-services.js'

test('words take their part of the memory for indexing, and no more than makes anything faster', () => {
  const maxMegabytes = (memoryMegabytes: number) =>
    wordResources({ maxMemoryBytes: memoryMegabytes << 20, maxThreads: 2 }).maxBytes! / (1 << 20)
  expect([32, 256, 1024].map(maxMegabytes)).toEqual([2, 16, 64])
  expect(maxMegabytes(2047)).toBe(64)
})

test('who may use one thread only gets no helper', () => {
  expect(wordResources({ maxMemoryBytes: 1 << 30, maxThreads: 1 }).thread).toBeUndefined()
})
