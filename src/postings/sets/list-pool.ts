const EMPTY = -1

/** Of the first piece of memory of a list, as a power of two. */
const FIRST_ROOM = 2

/** Many lists of 16-bit numbers that grow at their ends, in one piece of memory. */
export class ListPool {
  private memory = new Uint16Array(1 << 16)
  private end = 0
  private starts = new Uint32Array(1024)
  private sizes = new Uint32Array(1024)
  private rooms = new Uint8Array(1024)
  private lasts = new Int32Array(1024)
  /** Pieces of memory that lists have outgrown, by size as a power of two. */
  private readonly spare: number[][] = Array.from({ length: 18 }, () => [])
  count = 0

  newList(): number {
    if (this.count === this.starts.length) this.makeRoomForLists()
    const list = this.count++
    this.rooms[list] = FIRST_ROOM
    this.starts[list] = this.take(FIRST_ROOM)
    this.sizes[list] = 0
    this.lasts[list] = EMPTY
    return list
  }

  /** The last number of a list, -1 when it is empty. */
  last(list: number): number {
    return this.lasts[list]!
  }

  push(list: number, value: number): void {
    const size = this.sizes[list]!
    if (size === 1 << this.rooms[list]!) this.grow(list)
    this.memory[this.starts[list]! + size] = value
    this.sizes[list] = size + 1
    this.lasts[list] = value
  }

  pop(list: number): void {
    const size = this.sizes[list]! - 1
    this.sizes[list] = size
    this.lasts[list] = size === 0 ? EMPTY : this.memory[this.starts[list]! + size - 1]!
  }

  /** No list is left. */
  clear(): void {
    this.count = 0
    this.end = 0
    for (const pieces of this.spare) pieces.length = 0
  }

  /** Good until a list grows. */
  view(list: number): Uint16Array {
    return this.memory.subarray(this.starts[list]!, this.starts[list]! + this.sizes[list]!)
  }

  private grow(list: number): void {
    const room = this.rooms[list]!
    const before = this.starts[list]!
    const start = this.take(room + 1)
    this.memory.copyWithin(start, before, before + (1 << room))
    this.spare[room]!.push(before)
    this.starts[list] = start
    this.rooms[list] = room + 1
  }

  private take(room: number): number {
    const spare = this.spare[room]!.pop()
    if (spare !== undefined) return spare
    const start = this.end
    this.end += 1 << room
    if (this.end > this.memory.length) {
      const larger = new Uint16Array(Math.max(this.end, this.memory.length * 2))
      larger.set(this.memory)
      this.memory = larger
    }
    return start
  }

  private makeRoomForLists(): void {
    const size = this.starts.length * 2
    const copy = <T extends Uint32Array | Uint8Array | Int32Array>(larger: T, list: T): T => {
      larger.set(list)
      return larger
    }
    this.starts = copy(new Uint32Array(size), this.starts)
    this.sizes = copy(new Uint32Array(size), this.sizes)
    this.rooms = copy(new Uint8Array(size), this.rooms)
    this.lasts = copy(new Int32Array(size), this.lasts)
  }
}
