import { MAX_SYMBOL_BYTES, MAX_SYMBOLS, SymbolTable } from './symbol-table.js'
import { ESCAPE } from './symbol-trie.js'

/** Symbols at most double in length with each round. Further rounds gain less than a hundredth. */
const ROUNDS = 6

/** A pair that is seen less often is chance. */
const MIN_PAIRS = 5

/** Codes as they are counted: 0 to 255 are escaped bytes, 256 and more the symbols. */
const COUNTED = 256 + MAX_SYMBOLS

/**
 * Learns the symbols of a table from values. Starts with none; in each round the sample is packed, and the best of the
 * symbols that were used and of all neighbours put together become the table of the next. Always the same for the same
 * sample; takes some tens of milliseconds for 64 KiB.
 */
export function trainTable(sample: readonly Uint8Array[]): SymbolTable {
  let table = new SymbolTable([])
  const counts = new CodeCounts()
  for (let round = 1; round <= ROUNDS; round++) {
    counts.count(table, sample)
    const candidates = new Candidates(table, counts)
    candidates.addUsed()
    // What is new in the last round would stay untried.
    if (round < ROUNDS) candidates.addPairs()
    table = new SymbolTable(candidates.best())
  }
  return table
}

/** How often codes, and codes next to each other, are used in the packed sample. */
class CodeCounts {
  readonly single = new Uint32Array(COUNTED)
  /** By first code times `COUNTED` plus second. */
  readonly pairs = new Uint32Array(COUNTED * COUNTED)
  private packed = new Uint8Array(4096)

  count(table: SymbolTable, sample: readonly Uint8Array[]): void {
    this.single.fill(0)
    this.pairs.fill(0)
    for (const value of sample) {
      if (this.packed.length < value.length * 2) this.packed = new Uint8Array(value.length * 2)
      this.countPacked(table.pack(value, this.packed))
    }
  }

  private countPacked(size: number): void {
    const { packed, single, pairs } = this
    let before = -1
    for (let i = 0; i < size; i++) {
      const code = packed[i] === ESCAPE ? packed[++i]! : 256 + packed[i]!
      single[code]!++
      if (before >= 0) pairs[before * COUNTED + code]!++
      before = code
    }
  }
}

/** What each code stands for, one character for each byte: such texts are good keys. */
function textsOfCodes(table: SymbolTable): string[] {
  const bytes = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte))
  return [...bytes, ...table.symbols.map((symbol) => Buffer.from(symbol).toString('latin1'))]
}

class Candidates {
  private readonly worth = new Map<string, number>()
  private readonly texts: readonly string[]

  constructor(
    table: SymbolTable,
    private readonly counts: CodeCounts,
  ) {
    this.texts = textsOfCodes(table)
  }

  addUsed(): void {
    const { single } = this.counts
    for (const [code, text] of this.texts.entries()) if (single[code]! > 0) this.add(text, single[code]!)
  }

  addPairs(): void {
    const { texts, counts } = this
    for (let first = 0; first < texts.length; first++) {
      if (counts.single[first]! < MIN_PAIRS) continue
      for (let second = 0; second < texts.length; second++) {
        const count = counts.pairs[first * COUNTED + second]!
        if (count >= MIN_PAIRS) this.add(texts[first]! + texts[second]!, count)
      }
    }
  }

  /**
   * The gain of a symbol is its count times the codes that it replaces, which nobody knows before the others are
   * chosen. The root of its length comes closer than the length does, or 1.
   */
  private add(symbol: string, count: number): void {
    if (symbol.length > MAX_SYMBOL_BYTES) return
    this.worth.set(symbol, (this.worth.get(symbol) ?? 0) + count * Math.sqrt(symbol.length))
  }

  best(): Uint8Array[] {
    const ranked = [...this.worth].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1))
    return ranked.slice(0, MAX_SYMBOLS).map(([symbol]) => Buffer.from(symbol, 'latin1'))
  }
}
