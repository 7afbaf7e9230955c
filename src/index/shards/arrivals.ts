import type { Database } from '../../store/index.js'

/**
 * When documents of an index came that lies in parts on several servers, for each docId a number that is the same
 * wherever the document is. One index with all documents would have numbered them in this order, so that documents which
 * nothing else tells apart can be put into it. Under the shards, in their database:
 *
 * ```
 * 'a' docId / 1024(4 bytes, big-endian)  to  1024 doubles, big-endian
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

  putEarlier(docId: number): void {
    this.write(docId, BEFORE_TASKS + docId)
  }

  flush(): void {
    for (const [number, block] of this.blocks) this.database.put(keyOf(number), block)
    this.blocks.clear()
  }

  private write(docId: number, arrival: number): void {
    const number = docId >>> BLOCK_BITS
    const block = this.blocks.get(number) ?? Buffer.from(this.database.get(keyOf(number)) ?? Buffer.alloc(BLOCK_BYTES))
    this.blocks.set(number, block)
    block.writeDoubleBE(arrival, placeOf(docId))
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
}

const placeOf = (docId: number): number => (docId & ((1 << BLOCK_BITS) - 1)) * DOUBLE

function keyOf(block: number): Buffer {
  const key = Buffer.alloc(5)
  key[0] = MARK
  key.writeUInt32BE(block, 1)
  return key
}
