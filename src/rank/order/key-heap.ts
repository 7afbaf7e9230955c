/** Indexes of keys in ascending order of the keys, each found when it is asked for: a heap of numbers. */
export class KeyHeap {
  private readonly indexes: Uint32Array
  private size: number

  constructor(private readonly keys: Float64Array) {
    this.indexes = new Uint32Array(keys.length)
    for (let i = 0; i < keys.length; i++) this.indexes[i] = i
    this.size = keys.length
    for (let i = (this.size >>> 1) - 1; i >= 0; i--) this.sink(i)
  }

  /** The index with the smallest key, -1 when there is none left. */
  get first(): number {
    return this.size === 0 ? -1 : this.indexes[0]!
  }

  removeFirst(): void {
    this.size--
    this.indexes[0] = this.indexes[this.size]!
    this.sink(0)
  }

  /** Lets the index at `from` change places with the smaller of its children until it is not larger than them. */
  private sink(from: number): void {
    const { keys, indexes, size } = this
    const index = indexes[from]!
    const key = keys[index]!
    let at = from
    for (let child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && keys[indexes[child + 1]!]! < keys[indexes[child]!]!) child++
      if (key <= keys[indexes[child]!]!) break
      indexes[at] = indexes[child]!
      at = child
    }
    indexes[at] = index
  }
}

/** The indexes of each key, smallest key first; those of one key in any order. */
export function* equalsInOrder(
  keys: Float64Array,
): Generator<{ readonly key: number; readonly indexes: number[] }, void> {
  const heap = new KeyHeap(keys)
  while (heap.first !== -1) {
    const key = keys[heap.first]!
    const indexes: number[] = []
    while (heap.first !== -1 && keys[heap.first] === key) {
      indexes.push(heap.first)
      heap.removeFirst()
    }
    yield { key, indexes }
  }
}
