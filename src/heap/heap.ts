/** A binary heap: the first of its items by an order is always at hand. */
export class Heap<T> {
  /** Takes the list over. `compare` is negative when `a` comes before `b`. */
  constructor(
    private readonly items: T[],
    private readonly compare: (a: T, b: T) => number,
  ) {
    for (let at = (items.length >>> 1) - 1; at >= 0; at--) this.sink(at, items[at]!)
  }

  /** Undefined when there is none left. */
  get first(): T | undefined {
    return this.items[0]
  }

  removeFirst(): void {
    const last = this.items.pop()!
    if (this.items.length > 0) this.sink(0, last)
  }

  /** The same item may come again when its place in the order has changed. */
  replaceFirst(item: T): void {
    this.sink(0, item)
  }

  /** Puts an item at `from` or below; whoever comes before it moves up. */
  private sink(from: number, item: T): void {
    const { items, compare } = this
    let at = from
    for (let child = 2 * at + 1; child < items.length; child = 2 * at + 1) {
      if (child + 1 < items.length && compare(items[child + 1]!, items[child]!) < 0) child++
      if (compare(item, items[child]!) <= 0) break
      items[at] = items[child]!
      at = child
    }
    items[at] = item
  }
}
