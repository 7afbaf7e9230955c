/** The code behind which a byte stands for itself. */
export const ESCAPE = 255

/**
 * The symbols by their bytes. Node 0 is the root, and `next[node * 256 + byte]` the node that follows, 0 when none
 * does. `longest` has for each node the longest symbol on the way to it: its code, plus its size times 256. Where no
 * symbol has ended yet that is the escape, of one byte.
 */
export class SymbolTrie {
  readonly next: Uint16Array
  readonly longest: Uint16Array
  /**
   * By the first byte times 256 plus the second: what `longest` says behind both. Where longer symbols begin like that,
   * the node behind both times 65,536 is added. Most codes are found with this one look.
   */
  readonly pairs = new Uint32Array(1 << 16)
  private readonly parents: number[] = [0]

  constructor(symbols: readonly Uint8Array[]) {
    const mostNodes = symbols.reduce((total, symbol) => total + symbol.length, 1)
    this.next = new Uint16Array(mostNodes * 256)
    this.longest = new Uint16Array(mostNodes)
    for (const [code, symbol] of symbols.entries()) this.longest[this.nodeOf(symbol)] = code | (symbol.length << 8)
    this.longest[0] = ESCAPE | (1 << 8)
    // A node has a higher number than its parent, so parents come first.
    for (const [node, parent] of this.parents.entries()) this.longest[node] ||= this.longest[parent]!
    this.fillPairs()
  }

  private fillPairs(): void {
    const { next, longest, pairs } = this
    const inner = new Set(this.parents)
    pairs.fill(longest[0]!)
    for (let first = 0; first < 256; first++) {
      const behindOne = next[first]!
      if (behindOne === 0) continue
      pairs.fill(longest[behindOne]!, first << 8, (first + 1) << 8)
      if (!inner.has(behindOne)) continue
      for (let second = 0; second < 256; second++) {
        const node = next[(behindOne << 8) | second]!
        if (node !== 0) pairs[(first << 8) | second] = longest[node]! | ((inner.has(node) ? node : 0) << 16)
      }
    }
  }

  private nodeOf(symbol: Uint8Array): number {
    let node = 0
    for (const byte of symbol) {
      const edge = node * 256 + byte
      if (this.next[edge] === 0) this.next[edge] = this.parents.push(node) - 1
      node = this.next[edge]!
    }
    return node
  }
}
