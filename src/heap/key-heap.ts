/**
 * Ids by a number each, the smallest first. A heap of its own beside `Heap`, as numbers are compared several times as fast
 * where no function has to be called for it.
 */
export class KeyHeap {
  private keys: Float64Array
  private ids: Uint32Array
  private count: number

  constructor(capacity = 16) {
    this.keys = new Float64Array(capacity)
    this.ids = new Uint32Array(capacity)
    this.count = 0
  }

  /** Takes the keys over. The id of each is its index. */
  static of(keys: Float64Array): KeyHeap {
    const heap = new KeyHeap(0)
    heap.keys = keys
    heap.ids = new Uint32Array(keys.length)
    heap.count = keys.length
    for (let i = 0; i < keys.length; i++) heap.ids[i] = i
    for (let at = (keys.length >>> 1) - 1; at >= 0; at--) heap.sink(at, heap.ids[at]!, keys[at]!)
    return heap
  }

  get size(): number {
    return this.count
  }

  /** The id with the smallest key, -1 when there is none left. */
  get first(): number {
    return this.count === 0 ? -1 : this.ids[0]!
  }

  /** The smallest key; there must be one. */
  get firstKey(): number {
    return this.keys[0]!
  }

  /** All ids, in no order. Valid until the next change. */
  get allIds(): Uint32Array {
    return this.ids.subarray(0, this.count)
  }

  push(id: number, key: number): void {
    if (this.count === this.keys.length) this.grow()
    const { keys, ids } = this
    let at = this.count++
    while (at > 0) {
      const parent = (at - 1) >>> 1
      if (keys[parent]! <= key) break
      keys[at] = keys[parent]!
      ids[at] = ids[parent]!
      at = parent
    }
    keys[at] = key
    ids[at] = id
  }

  removeFirst(): void {
    this.count--
    this.sink(0, this.ids[this.count]!, this.keys[this.count]!)
  }

  replaceFirst(id: number, key: number): void {
    this.sink(0, id, key)
  }

  /** Puts an id at `from` or below; whoever has a smaller key moves up. */
  private sink(from: number, id: number, key: number): void {
    const { keys, ids, count } = this
    let at = from
    for (let child = 2 * at + 1; child < count; child = 2 * at + 1) {
      if (child + 1 < count && keys[child + 1]! < keys[child]!) child++
      if (key <= keys[child]!) break
      keys[at] = keys[child]!
      ids[at] = ids[child]!
      at = child
    }
    keys[at] = key
    ids[at] = id
  }

  private grow(): void {
    const { keys, ids } = this
    this.keys = new Float64Array(Math.max(16, keys.length * 2))
    this.keys.set(keys)
    this.ids = new Uint32Array(this.keys.length)
    this.ids.set(ids)
  }
}

/** The indexes of each key, smallest key first; those of one key in any order. Takes the keys over. */
export function* equalsInOrder(
  keys: Float64Array,
): Generator<{ readonly key: number; readonly indexes: number[] }, void> {
  const heap = KeyHeap.of(keys)
  while (heap.size > 0) {
    const key = heap.firstKey
    const indexes: number[] = []
    while (heap.size > 0 && heap.firstKey === key) {
      indexes.push(heap.first)
      heap.removeFirst()
    }
    yield { key, indexes }
  }
}
