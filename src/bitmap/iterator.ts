import { lowestBit } from './bits.js'
import { ARRAY, BITS, BITSET_WORDS, type Container, KEY_SPAN } from './container.js'

/**
 * Walks the ids in increasing order. `next` gives back the same object every time, changed: good for `for...of`,
 * spreading and `Array.from`, which read it at once. The bitmap must not change meanwhile.
 */
export class IdIterator implements IterableIterator<number> {
  private index = -1
  private container: Container | undefined
  /** ARRAY: index of the next value. BITS: index of the current word. RUNS: index of the current run. */
  private position = 0
  private end = 0
  /** BITS: what is left of the current word. RUNS: how many values of the current run are done. */
  private rest = 0
  private readonly result: { value: number; done?: boolean } = { value: 0, done: false }

  constructor(private readonly list: readonly Container[]) {
    this.enterNext()
  }

  [Symbol.iterator](): this {
    return this
  }

  next(): IteratorResult<number, undefined> {
    let value = this.nextValue()
    while (value < 0 && this.container !== undefined) {
      this.enterNext()
      value = this.nextValue()
    }
    if (value < 0) return { value: undefined, done: true }
    this.result.value = value
    return this.result as IteratorYieldResult<number>
  }

  private enterNext(): void {
    const container = this.list[++this.index]
    this.container = container
    if (container === undefined) return
    const { kind, start, count, slots, words } = container
    this.position = start
    this.end = start + (kind === ARRAY ? count : kind === BITS ? BITSET_WORDS : slots)
    this.rest = kind === BITS ? words[start]! : 0
  }

  /** The next id of the current container, or -1. */
  private nextValue(): number {
    const container = this.container
    if (container === undefined) return -1
    const base = container.key * KEY_SPAN
    if (container.kind === ARRAY) return this.position < this.end ? base + container.values[this.position++]! : -1
    return container.kind === BITS ? this.nextBit(container, base) : this.nextInRun(container, base)
  }

  private nextBit({ words, start }: Container, base: number): number {
    while (this.rest === 0) {
      if (++this.position === this.end) return -1
      this.rest = words[this.position]!
    }
    const bit = lowestBit(this.rest)
    this.rest &= this.rest - 1
    return base + ((this.position - start) << 5) + bit
  }

  private nextInRun({ values }: Container, base: number): number {
    if (this.position === this.end) return -1
    const id = base + values[this.position]! + this.rest
    if (this.rest++ === values[this.position + 1]!) {
      this.position += 2
      this.rest = 0
    }
    return id
  }
}
