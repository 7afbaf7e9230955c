import { expect, test } from 'vitest'
import { KnownScalars } from './known-scalars.js'

test('what a text stands for stays the same while others take its slot and the table grows', () => {
  const known = new KnownScalars((json) => Number(Buffer.from(json).toString()))
  // More than the table ever has slots for, each twice and out of order, among other bytes.
  for (let i = 0; i < 200_000; i++) {
    const number = (i * 7919) % 100_000
    const text = Buffer.from(`[${number}]`)
    if (known.of(text, 1, text.length - 1) !== number) throw new Error(`${number} stands for something else`)
  }
})

test('a text is decoded once as long as it is remembered, however it is surrounded', () => {
  const decoded: string[] = []
  const known = new KnownScalars((json) => decoded.push(Buffer.from(json).toString()))
  const long = `"${'x'.repeat(70)}"`
  for (const text of ['"a"', '"b"', '"a"', long, long]) {
    const before = Buffer.from(`[1,${text}`)
    known.of(before, 3, before.length)
    const after = Buffer.from(`${text},2]`)
    known.of(after, 0, Buffer.byteLength(text))
  }
  expect(decoded).toEqual(['"a"', '"b"', long, long, long, long])
})
