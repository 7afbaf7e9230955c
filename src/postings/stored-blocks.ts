import type { Database, KeyRange } from '../store/index.js'
import { BlockReader } from './block-reader.js'
import type { BlockSource } from './long-postings.js'
import { grown } from './posting-buffer.js'
import { boundOf } from './posting-key.js'

/** The blocks between two keys of a database. */
export class StoredBlocks implements BlockSource {
  private keys: PackedKeys | undefined

  constructor(
    private readonly database: Database,
    private readonly range: KeyRange,
  ) {}

  get sizeBytes(): number {
    return this.keys?.sizeBytes ?? 0
  }

  each(visit: (block: BlockReader) => void): void {
    const keys = this.keys === undefined ? new PackedKeys() : undefined
    this.database.eachBorrowed(this.range, (key, borrowed) => {
      keys?.add(key)
      visit(new BlockReader(boundOf(key), borrowed))
    })
    keys?.end()
    this.keys ??= keys
  }

  some(numbers: readonly number[], visit: (block: BlockReader) => void): void {
    for (let from = 0, to = 0; from < numbers.length; from = to) {
      to = from + 1
      while (to < numbers.length && numbers[to]! - numbers[to - 1]! <= NEAR) to++
      if (to - from >= LONG_RUN) this.readRun(numbers.slice(from, to), visit)
      else for (let i = from; i < to; i++) visit(this.at(numbers[i]!))
    }
  }

  /** Going on to the next block takes a third of the time of looking for one. */
  private readRun(numbers: readonly number[], visit: (block: BlockReader) => void): void {
    const keys = this.keys!
    let number = numbers[0]!
    let next = 0
    const start = keys.get(number)
    const end = keys.get(numbers.at(-1)! + 1) ?? this.range.end
    this.database.eachBorrowed({ start, ...(end && { end }) }, (key, borrowed) => {
      if (number++ !== numbers[next]) return
      next++
      visit(new BlockReader(boundOf(key), borrowed))
    })
  }

  private at(number: number): BlockReader {
    const key = this.keys!.get(number)!
    return new BlockReader(boundOf(key), this.database.getBorrowed(key)!)
  }

  /** All of them, copied; undefined when they take more than `maxBytes`. */
  upTo(maxBytes: number): BlockReader[] | undefined {
    const copied = new CopiedBlocks()
    this.database.eachBorrowed(this.range, (key, borrowed) => {
      copied.add(boundOf(key), borrowed)
      return copied.sizeBytes > maxBytes ? 'enough' : undefined
    })
    return copied.sizeBytes > maxBytes ? undefined : copied.readers()
  }
}

/** Blocks are read in a run when no more than one is passed over between two of them, and when there are enough. */
const NEAR = 2
const LONG_RUN = 8

/** Blocks in one piece of memory: a prefix may have thousands of them, and memory for each takes longer than its bytes. */
class CopiedBlocks {
  private bytes = new Uint8Array(1 << 12)
  private readonly bounds: number[] = []
  private readonly ends: number[] = []
  sizeBytes = 0

  add(bound: number, bytes: Uint8Array): void {
    const start = this.sizeBytes
    this.sizeBytes += bytes.length
    if (this.sizeBytes > this.bytes.length) this.bytes = roomFor(this.bytes, this.sizeBytes)
    this.bytes.set(bytes, start)
    this.bounds.push(bound)
    this.ends.push(this.sizeBytes)
  }

  readers(): BlockReader[] {
    const { buffer } = this.bytes.slice(0, this.sizeBytes)
    let from = 0
    return this.bounds.map((bound, i) => {
      const bytes = new Uint8Array(buffer, from, this.ends[i]! - from)
      from = this.ends[i]!
      return new BlockReader(bound, bytes)
    })
  }
}

function roomFor(bytes: Uint8Array, needed: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(needed, bytes.length * 2))
  larger.set(bytes)
  return larger
}

/** Many short keys in one piece of memory. */
class PackedKeys {
  private bytes = Buffer.allocUnsafe(1 << 14)
  private ends = new Uint32Array(1024)
  private count = 0

  get sizeBytes(): number {
    return this.bytes.length + this.ends.byteLength
  }

  add(key: Uint8Array): void {
    const start = this.startOf(this.count)
    if (start + key.length > this.bytes.length) this.bytes = Buffer.concat([this.bytes], this.bytes.length * 2)
    if (this.count === this.ends.length) this.ends = grown(this.ends, this.count + 1)
    this.bytes.set(key, start)
    this.ends[this.count++] = start + key.length
  }

  /** There are no others. */
  end(): void {
    this.bytes = Buffer.from(this.bytes.subarray(0, this.startOf(this.count)))
    this.ends = this.ends.slice(0, this.count)
  }

  get(at: number): Buffer | undefined {
    return at < this.count ? this.bytes.subarray(this.startOf(at), this.ends[at]!) : undefined
  }

  private startOf(at: number): number {
    return at === 0 ? 0 : this.ends[at - 1]!
  }
}
