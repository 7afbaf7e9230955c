import { ByteReader, ByteWriter, CorruptBytes } from '../../bytes/index.js'
import { ESCAPE, SymbolTrie } from './symbol-trie.js'
import type { UnpackBuffer } from './unpack-buffer.js'

/** Longest symbol in bytes: four of the 32-bit words that `unpack` writes. */
export const MAX_SYMBOL_BYTES = 16
/** Codes are bytes, and one of them is the escape. */
export const MAX_SYMBOLS = 255

const VERSION = 1
const WORDS = MAX_SYMBOL_BYTES / 4

/** Of so many packed bytes each may stand for the longest symbol without taking up much room. */
const SHORT_BYTES = 4096

/**
 * A static table of symbols: sequences of 1 to 16 bytes that are frequent in the values of an index, each with a code
 * of one byte ("FSST: Fast Random Access String Compression", Boncz, Neumann, Leis, 2020). With the symbols `the `,
 * `the`, `n` and `on` as 0 to 3:
 *
 * ```
 * value    t h e _   o n   _     t h e   n
 * packed   0         3     255 _ 1       2      the blank that is no part of a symbol is escaped
 * ```
 *
 * Each value is packed by itself, so any of them is read without the others. The table's own stored form:
 *
 * ```
 * version(1 byte) count(1 byte) { size(1 byte) }* { symbol }*
 * ```
 */
export class SymbolTable {
  /** Made when it is first needed: readers never do. */
  private trie: SymbolTrie | undefined
  /** By code; 0 for the escape and for codes without a symbol. */
  private readonly sizes = new Uint8Array(256)
  /** By code, four words each: the bytes of the symbol in little-endian order. */
  private readonly words = new Uint32Array(256 * WORDS)

  /** `symbols[i]` gets the code i. There are at most 255, none empty, longer than 16 bytes or there twice. */
  constructor(readonly symbols: readonly Uint8Array[]) {
    const padded = new DataView(new ArrayBuffer(MAX_SYMBOL_BYTES))
    for (const [code, symbol] of symbols.entries()) {
      this.sizes[code] = symbol.length
      for (let i = 0; i < MAX_SYMBOL_BYTES; i++) padded.setUint8(i, symbol[i] ?? 0)
      for (let i = 0; i < WORDS; i++) this.words[code * WORDS + i] = padded.getUint32(i * 4, true)
    }
  }

  static decode(bytes: Uint8Array): SymbolTable {
    const reader = new ByteReader(bytes)
    const version = reader.byte()
    if (version !== VERSION) throw new CorruptBytes(`a symbol table has version ${version}`)
    const sizes = reader.raw(reader.byte())
    if (sizes.length > MAX_SYMBOLS || sizes.some((size) => size === 0 || size > MAX_SYMBOL_BYTES))
      throw new CorruptBytes('a symbol table has symbols of a wrong size')
    // Copies: the bytes may be borrowed.
    const symbols = Array.from(sizes, (size) => Uint8Array.from(reader.raw(size)))
    if (!reader.isAtEnd) throw new CorruptBytes('a symbol table is too long')
    return new SymbolTable(symbols)
  }

  encode(): Buffer {
    const writer = new ByteWriter()
    writer.byte(VERSION)
    writer.byte(this.symbols.length)
    for (const symbol of this.symbols) writer.byte(symbol.length)
    for (const symbol of this.symbols) writer.raw(symbol)
    return writer.take()
  }

  /**
   * Writes the packed value to `out` from `start` on, where there is room for twice its length, and returns its size.
   * Takes the longest symbol at every place.
   */
  pack(value: Uint8Array, out: Uint8Array, start = 0): number {
    const { next, longest, pairs } = (this.trie ??= new SymbolTrie(this.symbols))
    const last = value.length - 1
    let end = start
    for (let at = 0; at <= last; ) {
      const first = value[at]!
      let found = at === last ? longest[next[first]!]! : pairs[(first << 8) | value[at + 1]!]!
      if (found > 0xffff) {
        let node = found >>> 16
        for (let i = at + 2; i <= last; i++) {
          const child = next[(node << 8) | value[i]!]!
          if (child === 0) break
          node = child
        }
        found = longest[node]!
      }
      out[end++] = found & 0xff
      if ((found & 0xff) === ESCAPE) out[end++] = first
      at += found >> 8
    }
    return end - start
  }

  /**
   * Appends what the packed bytes from `start` to `end` stand for. Symbols are written as whole words; what is too much
   * of one is written over by the next, or left behind the end.
   */
  unpack(packed: Uint8Array, start: number, end: number, out: UnpackBuffer): void {
    out.reserve(this.mostBytes(packed, start, end))
    const { sizes, words } = this
    const { view } = out
    let length = out.length
    let at = start
    // Damage is looked for behind the loop, which is a quarter slower with a look at every escape.
    let unknown = 0
    while (at < end) {
      const code = packed[at++]!
      const size = sizes[code]!
      if (size === 0) {
        unknown |= code ^ ESCAPE
        view.setUint8(length++, packed[at++]!)
        continue
      }
      const word = code * WORDS
      view.setUint32(length, words[word]!, true)
      if (size > 4) {
        view.setUint32(length + 4, words[word + 1]!, true)
        if (size > 8) {
          view.setUint32(length + 8, words[word + 2]!, true)
          view.setUint32(length + 12, words[word + 3]!, true)
        }
      }
      length += size
    }
    if (unknown !== 0) throw new CorruptBytes('a packed value has a code without a symbol')
    if (at > end) throw new CorruptBytes('a packed value ends in an escape')
    out.length = length
  }

  /** Room for the unpacked value and for the words that stand over its end. Long values are looked at for it. */
  private mostBytes(packed: Uint8Array, start: number, end: number): number {
    if (end - start <= SHORT_BYTES) return (end - start) * MAX_SYMBOL_BYTES
    let total = MAX_SYMBOL_BYTES
    for (let at = start; at < end; at++) total += this.sizes[packed[at]!]! || 1
    return total
  }
}
