import { expect, test } from 'vitest'
import { UnpackBuffer } from './unpack-buffer.js'

test('what is written is taken as a copy, short or long, and the buffer starts anew', () => {
  const out = new UnpackBuffer(1)
  const long = Buffer.alloc(3 << 20, 'long')
  for (const value of [Buffer.from('short'), long, Buffer.from('short again')]) {
    out.raw(Buffer.from('ab'), 0, 2)
    out.raw(value, 1, value.length)
    const taken = out.take()
    expect(taken.equals(Buffer.concat([Buffer.from('ab'), value.subarray(1)]))).toBe(true)
    expect(out.length).toBe(0)
  }
})

test('room that was reserved can be written to', () => {
  const out = new UnpackBuffer(1)
  out.raw(Buffer.from('a'), 0, 1)
  out.reserve(4)
  out.view.setUint32(out.length, 0x62636465)
  out.length += 4
  expect(out.take().toString()).toBe('abcde')
})
