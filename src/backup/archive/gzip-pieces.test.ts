import { execFileSync } from 'node:child_process'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GzipSink, PieceLine } from './gzip-pieces.js'

async function compressed(chunks: readonly Uint8Array[], level: number): Promise<Buffer> {
  const target = new PassThrough()
  const result = buffer(target)
  const sink = new GzipSink(target)
  const line = new PieceLine(level, (piece) => sink.put(piece))
  for (const chunk of chunks) await line.take(chunk)
  await line.flush()
  await sink.finish()
  return result
}

const chunk = fc
  .tuple(fc.uint8Array({ maxLength: 50 }), fc.constantFrom(0, 1, 20_000, 60_000))
  .map(([bytes, times]) => Buffer.concat(Array.from({ length: times }, () => bytes)))

test('pieces make one gzip member with everything in it, in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { maxLength: 5 }), fc.nat(9), async (chunks, level) => {
      expect(gunzipSync(await compressed(chunks, level)).equals(Buffer.concat(chunks))).toBe(true)
    }),
    { numRuns: 20 },
  )
})

test('gzip itself finds it whole', async () => {
  const chunks = Array.from({ length: 5 }, (_, i) => Buffer.alloc((1 << 20) + i, `text ${i} `))
  const file = await compressed(chunks, 1)
  expect(execFileSync('gzip', ['-dc'], { input: file, maxBuffer: 1 << 24 }).equals(Buffer.concat(chunks))).toBe(true)
})
