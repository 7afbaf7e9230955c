import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CorruptBytes } from '../../bytes/index.js'
import { MAX_SYMBOL_BYTES, MAX_SYMBOLS, SymbolTable } from './symbol-table.js'
import { UnpackBuffer } from './unpack-buffer.js'

/** Few different bytes, so that symbols match often. */
const narrow = fc.constantFrom(0, 0x61, 0x62, 0x63, 0xff)
const bytes = (maxLength: number) =>
  fc.oneof(
    fc.uint8Array({ maxLength }),
    fc.array(narrow, { maxLength }).map((list) => Uint8Array.from(list)),
  )
const symbol = bytes(MAX_SYMBOL_BYTES).filter(({ length }) => length > 0)
const tables = fc
  .uniqueArray(symbol, { selector: (one) => one.join(), maxLength: MAX_SYMBOLS })
  .map((symbols) => new SymbolTable(symbols))

const table = (...symbols: string[]): SymbolTable => new SymbolTable(symbols.map((text) => Buffer.from(text)))

function packed(by: SymbolTable, value: Uint8Array): Uint8Array {
  const out = new Uint8Array(value.length * 2)
  return out.subarray(0, by.pack(value, out))
}

function unpacked(by: SymbolTable, value: Uint8Array): Buffer {
  const out = new UnpackBuffer(1)
  by.unpack(value, 0, value.length, out)
  return out.take()
}

/** The longest symbol at every place, word by word. */
function plainTwin(by: SymbolTable, value: Uint8Array): number[] {
  const codes: number[] = []
  for (let at = 0; at < value.length; ) {
    const fits = (one: Uint8Array): boolean => one.every((byte, i) => value[at + i] === byte)
    const code = by.symbols.reduce(
      (best, one, i) => (fits(one) && one.length > (by.symbols[best]?.length ?? 0) ? i : best),
      -1,
    )
    if (code === -1) codes.push(255, value[at]!)
    else codes.push(code)
    at += by.symbols[code]?.length ?? 1
  }
  return codes
}

describe('packing', () => {
  test('takes the longest symbols and escapes what has none', () => {
    const by = table('the ', 'the', 'n', 'on')
    expect([...packed(by, Buffer.from('the on then'))]).toEqual([0, 3, 255, 0x20, 1, 2])
  })

  test('any bytes with any table agrees with the plain twin, and unpacks to the same bytes', () => {
    fc.assert(
      fc.property(tables, bytes(300), (by, value) => {
        const short = packed(by, value)
        expect([...short]).toEqual(plainTwin(by, value))
        expect(unpacked(by, short)).toEqual(Buffer.from(value))
      }),
    )
  })

  test('long values, of which some are made of the longest symbols only, unpack too', () => {
    const by = table('sixteen letters.', 'a')
    for (const text of ['a'.repeat(50_000), 'sixteen letters.'.repeat(20_000), 'b'.repeat(50_000), '\xff'.repeat(9000)])
      expect(unpacked(by, packed(by, Buffer.from(text))).toString()).toBe(text)
  })

  test('unpacks a part of the bytes it is given behind what is there already', () => {
    const by = table('ab')
    const out = new UnpackBuffer()
    by.unpack(Uint8Array.of(9, 0, 255, 0x63, 9), 1, 4, out)
    by.unpack(Uint8Array.of(0), 0, 1, out)
    expect(out.take().toString()).toBe('abcab')
    expect(out.take()).toHaveLength(0)
  })
})

describe('damaged bytes', () => {
  test('are refused when a code has no symbol or an escape has no byte', () => {
    const by = table('a', 'b')
    for (const damaged of [[2], [0, 254, 1], [255], [0, 255]])
      expect(() => unpacked(by, Uint8Array.from(damaged))).toThrow(CorruptBytes)
    const long = new Uint8Array(10_000).fill(1)
    expect(() => unpacked(by, Uint8Array.of(...long, 255))).toThrow(CorruptBytes)
  })

  test('that belong to the next value are not read', () => {
    const out = new UnpackBuffer()
    expect(() => table('a').unpack(Uint8Array.of(0, 255, 0x61), 0, 2, out)).toThrow(CorruptBytes)
  })

  test('of any kind are unpacked or refused', () => {
    fc.assert(
      fc.property(tables, fc.uint8Array({ maxLength: 5000 }), (by, damaged) => {
        try {
          expect(unpacked(by, damaged).length).toBeLessThanOrEqual(damaged.length * MAX_SYMBOL_BYTES)
        } catch (error) {
          expect(error).toBeInstanceOf(CorruptBytes)
        }
      }),
    )
  })
})

describe('the stored table', () => {
  test('is the table', () => {
    fc.assert(
      fc.property(tables, (by) => {
        const read = SymbolTable.decode(by.encode())
        expect(read.symbols.map((one) => [...one])).toEqual(by.symbols.map((one) => [...one]))
      }),
    )
  })

  test('of another version, cut off, too long or with impossible sizes is refused', () => {
    const stored = table('ab', 'c').encode()
    expect(() => SymbolTable.decode(Buffer.concat([Buffer.of(9), stored.subarray(1)]))).toThrow(/version 9/)
    for (let size = 0; size < stored.length; size++)
      expect(() => SymbolTable.decode(stored.subarray(0, size))).toThrow(CorruptBytes)
    for (const damaged of [
      [...stored, 0],
      [1, 1, 0],
      [1, 1, 17, ...new Uint8Array(17)],
    ])
      expect(() => SymbolTable.decode(Uint8Array.from(damaged))).toThrow(CorruptBytes)
  })

  test('made of any bytes is read or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (rest) => {
        try {
          SymbolTable.decode(Uint8Array.of(1, ...rest))
        } catch (error) {
          expect(error).toBeInstanceOf(CorruptBytes)
        }
      }),
    )
  })
})
