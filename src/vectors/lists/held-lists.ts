import { decodeEntries, type ListEntries } from './list-layout.js'

/** Says whether more memory may be taken. */
export interface ListMemory {
  hasRoomFor(lists: HeldLists): boolean
}

/** Of the objects around the bytes of a list; roughly. */
const OBJECT_BYTES = 800

/**
 * Lists of one embedder in memory, of one state of the store: a search among a part of the documents opens hundreds.
 * They take a twentieth of what the vectors take.
 */
export class HeldLists {
  private readonly lists = new Map<number, ListEntries>()
  private heldBytes = 0
  /** For lists that there is no room for. */
  private scratch = new Uint8Array(16 * 1024)

  constructor(
    private readonly dimensions: number,
    private readonly memory: ListMemory,
  ) {}

  get sizeBytes(): number {
    return this.heldBytes + this.scratch.length
  }

  get(row: number): ListEntries | undefined {
    return this.lists.get(row)
  }

  /** Takes a copy of the bytes of a list. The answer is valid until the next call. */
  put(row: number, borrowed: Buffer): ListEntries {
    // Borrowed bytes have more memory than their length says.
    const bytes = borrowed.subarray(0, borrowed.length)
    if (!this.memory.hasRoomFor(this)) return decodeEntries(this.copyToScratch(bytes), this.dimensions)
    const entries = decodeEntries(new Uint8Array(bytes), this.dimensions)
    this.lists.set(row, entries)
    this.heldBytes += bytes.length + OBJECT_BYTES
    return entries
  }

  private copyToScratch(bytes: Uint8Array): Uint8Array {
    if (this.scratch.length < bytes.length) this.scratch = new Uint8Array(bytes.length * 2)
    this.scratch.set(bytes)
    return this.scratch.subarray(0, bytes.length)
  }
}
