import { expect, test } from 'vitest'
import { wordResources } from './job-services.js'

test('words take their part of the memory for indexing, and no more than makes anything faster', () => {
  const maxMegabytes = (memoryMegabytes: number) => wordResources(memoryMegabytes << 20).maxBytes! / (1 << 20)
  expect([32, 256, 1024].map(maxMegabytes)).toEqual([2, 16, 64])
  expect(maxMegabytes(2047)).toBe(64)
})
