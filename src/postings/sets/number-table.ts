const FREE = 0xffff_ffff

/** Numbers 32-bit keys in the order in which they come. 0xffffffff is no key. */
export class NumberTable {
  private slots = new Uint32Array(1 << 12).fill(FREE)
  private numbers = new Uint32Array(1 << 12)
  private inOrder = new Uint32Array(1 << 11)
  count = 0

  /** The number of a key; `count` becomes larger when it is new. */
  numberOf(key: number): number {
    const mask = this.slots.length - 1
    let at = hash(key) & mask
    while (this.slots[at] !== FREE) {
      if (this.slots[at] === key) return this.numbers[at]!
      at = (at + 1) & mask
    }
    if (this.count === this.inOrder.length) {
      this.grow()
      return this.numberOf(key)
    }
    this.slots[at] = key
    this.numbers[at] = this.count
    this.inOrder[this.count] = key
    return this.count++
  }

  /** By number. */
  get keys(): Uint32Array {
    return this.inOrder.subarray(0, this.count)
  }

  private grow(): void {
    const { keys } = this
    this.inOrder = new Uint32Array(keys.length * 2)
    this.inOrder.set(keys)
    this.slots = new Uint32Array(keys.length * 4).fill(FREE)
    this.numbers = new Uint32Array(keys.length * 4)
    const mask = this.slots.length - 1
    for (let number = 0; number < keys.length; number++) {
      let at = hash(keys[number]!) & mask
      while (this.slots[at] !== FREE) at = (at + 1) & mask
      this.slots[at] = keys[number]!
      this.numbers[at] = number
    }
  }
}

function hash(key: number): number {
  const mixed = Math.imul(key ^ (key >>> 16), 0x45d9_f3b)
  return mixed ^ (mixed >>> 15)
}
