import type { Database } from '../../store/index.js'

/**
 * When documents of an index came that lies in parts on several servers, for each docId a number that is the same
 * wherever the document is. One index with all documents would have numbered them in this order, so that documents which
 * nothing else tells apart can be put into it. Under the shards, in their database:
 *
 * ```
 * 'a' docId / 1024(4 bytes, big-endian)  to  1024 doubles, big-endian; 0 where nothing is known
 * ```
 */
const BLOCK_BITS = 10
const DOUBLE = 8
const BLOCK_BYTES = DOUBLE << BLOCK_BITS
const MARK = 0x61

/** Documents of one task get numbers that leave room for this many of them. */
const MOST_OF_TASK = 2 ** 25

/** Those that were there before any task was told apart come first, in the order of their docIds. */
const BEFORE_TASKS = -(2 ** 32)

/** Keeps the numbers of documents that come, inside the transaction of the documents. */
export class ArrivalWriter {
  private next = 0
  private readonly blocks = new Map<number, Buffer>()

  constructor(private readonly database: Database) {}

  /** A task brings documents. Its number is the same on all servers. */
  begin(task: number): void {
    this.next = task * MOST_OF_TASK
  }

  /** It brings one more, be it for another server. */
  pass(): void {
    this.next++
  }

  /** The last one is stored here. */
  put(docId: number): void {
    this.write(docId, this.next)
  }

  /** It came to another server before. */
  putAs(docId: number, arrival: number): void {
    this.write(docId, arrival)
  }

  /** It was there before, unless more is known of it. */
  putEarlier(docId: number): void {
    const isKnown = this.blockOf(docId).readDoubleBE(placeOf(docId)) !== 0
    if (!isKnown) this.write(docId, BEFORE_TASKS + docId)
  }

  get isEmpty(): boolean {
    return this.blocks.size === 0
  }

  flush(): void {
    for (const [number, block] of this.blocks) this.database.put(keyOf(number), block)
    this.blocks.clear()
  }

  private write(docId: number, arrival: number): void {
    this.blockOf(docId).writeDoubleBE(arrival, placeOf(docId))
  }

  private blockOf(docId: number): Buffer {
    const number = docId >>> BLOCK_BITS
    const block = this.blocks.get(number) ?? Buffer.from(this.database.get(keyOf(number)) ?? Buffer.alloc(BLOCK_BYTES))
    this.blocks.set(number, block)
    return block
  }
}

/** The numbers of documents as of the last commit. Few documents are asked for: those of one page. */
export class StoredArrivals {
  private readonly blocks = new Map<number, Buffer | undefined>()

  constructor(private readonly database: Database) {}

  /** Undefined where the index is all there is. */
  of(docId: number): number | undefined {
    const number = docId >>> BLOCK_BITS
    if (!this.blocks.has(number)) this.blocks.set(number, this.database.get(keyOf(number)))
    return this.blocks.get(number)?.readDoubleBE(placeOf(docId))
  }

  /** For a server that the document is handed to. */
  ofMoved(docId: number): number {
    return this.of(docId) || BEFORE_TASKS + docId
  }
}

const placeOf = (docId: number): number => (docId & ((1 << BLOCK_BITS) - 1)) * DOUBLE

function keyOf(block: number): Buffer {
  const key = Buffer.alloc(5)
  key[0] = MARK
  key.writeUInt32BE(block, 1)
  return key
}
