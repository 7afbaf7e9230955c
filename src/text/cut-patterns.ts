/** What stands in the table for a UTF-16 unit that starts no pattern, is one, or may start a longer one. */
export const NO_CUT = 0
export const SINGLE_CUT = 1
const LONGER_CUT = 2

interface TrieNode {
  isEnd: boolean
  /** Most nodes are the end of a single character and have none. */
  next: Map<number, TrieNode> | undefined
}

/**
 * The strings that are cut out of a text: separators and dictionary entries (spec 5 §1.4). Matching is leftmost first,
 * and at one start the longest. A look-up costs at most the length of the longest pattern.
 */
export class CutPatterns {
  /** By UTF-16 unit: `NO_CUT`, `SINGLE_CUT`, or another number when `longestMatch` has to be asked. */
  readonly firstUnits = new Uint8Array(0x10000)
  private readonly root: TrieNode = newNode()

  /** Empty patterns and those with half a surrogate pair, which no text contains, are left out. */
  constructor(patterns: Iterable<string>) {
    for (const pattern of patterns) if (pattern !== '' && pattern.isWellFormed()) this.add(pattern)
  }

  private add(pattern: string): void {
    let node = this.root
    for (let i = 0; i < pattern.length; i++) node = childOf(node, pattern.charCodeAt(i))
    node.isEnd = true
    const first = pattern.charCodeAt(0)
    this.firstUnits[first] = pattern.length > 1 ? LONGER_CUT : Math.max(this.firstUnits[first]!, SINGLE_CUT)
  }

  /** Where the longest pattern at `start` ends, `start` itself when there is none. It never reaches beyond `limit`. */
  longestMatch(units: Uint16Array, start: number, limit: number): number {
    let node: TrieNode | undefined = this.root
    let end = start
    for (let i = start; i < limit; i++) {
      node = node.next?.get(units[i]!)
      if (node === undefined) break
      if (node.isEnd) end = i + 1
    }
    return end
  }
}

function newNode(): TrieNode {
  return { isEnd: false, next: undefined }
}

function childOf(node: TrieNode, unit: number): TrieNode {
  node.next ??= new Map()
  const known = node.next.get(unit)
  if (known !== undefined) return known
  const made = newNode()
  node.next.set(unit, made)
  return made
}
