import { lowestBit } from '../../bitmap/index.js'
import { RANGE_SIZE } from './set-key.js'

/** Documents of one range, told in any order. */
export class DocMarks {
  private readonly words = new Uint32Array(RANGE_SIZE / 32)
  isEmpty = true

  add(doc: number): void {
    this.isEmpty = false
    this.words[doc >>> 5] = this.words[doc >>> 5]! | (1 << (doc & 31))
  }

  /** All of them, ascending; none are left. */
  take(): Uint16Array {
    const { words } = this
    let count = 0
    for (let i = 0; i < words.length; i++) {
      for (let rest = words[i]! | 0; rest !== 0; rest &= rest - 1) found[count++] = i * 32 + lowestBit(rest)
    }
    words.fill(0)
    this.isEmpty = true
    return found.slice(0, count)
  }
}

const found = new Uint16Array(RANGE_SIZE)
