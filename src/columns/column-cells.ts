import { CHUNK_DOCUMENTS, type ChunkOrdinals } from './column-chunk.js'
import { copyTo } from './copy-to.js'

/** What is noted of a chunk. */
const CHUNK_BYTES = 20

/** Lists that nobody reads do not matter up to this size. */
const MUCH_LEFT = 10_000

/** No version of an index. */
const NEVER = 0xffff_ffff

/** The cell of a document without values. */
export const NO_VALUE = -1

/** Where the list of a cell is. */
export const listAt = (cell: number): number => -2 - cell

/**
 * The ordinals of the values of documents, for all chunks that were put in, so that whoever looks at a document with
 * one value reads one place of memory:
 *
 *     cells[docId]   the ordinal of its only value, -1 when it has none, or -2 - i when it has several
 *     lists[i]       how many they are, the ordinals of all of them following
 *
 * Both arrays may be other ones after a chunk was put.
 */
export class ColumnCells {
  cells = new Int32Array(0)
  lists = new Int32Array(0)
  /** How many places of `lists` are taken, and how many of these by chunks that have moved away. */
  private used = 0
  private left = 0
  /** For each chunk: which one it is, when it was last known to be that, its different values, and its part of `lists`. */
  private stamps = new Uint32Array(0)
  private versions = new Uint32Array(0)
  private valueCounts = new Uint32Array(0)
  private places = new Uint32Array(0)
  private rooms = new Uint32Array(0)
  /** Different values, chunk by chunk. */
  tableSize = 0

  get sizeBytes(): number {
    return this.cells.byteLength + this.lists.byteLength + this.stamps.length * CHUNK_BYTES
  }

  /** Most of the memory for lists is of no use any more, and it is not just a little. */
  get isMostlyLeft(): boolean {
    return this.left > MUCH_LEFT && 2 * this.left > this.used
  }

  /** Whether the chunk is here, as of this version. */
  isOf(chunk: number, version: number): boolean {
    return this.versions[chunk] === version
  }

  /** Whether the chunk is here, as of some version. */
  has(chunk: number): boolean {
    return chunk < this.versions.length && this.versions[chunk] !== NEVER
  }

  /** Whether the chunk has not changed: then it is of this version as well. */
  isStill(chunk: number, stamp: number, version: number): boolean {
    if (!this.has(chunk) || this.stamps[chunk] !== stamp) return false
    this.versions[chunk] = version
    return true
  }

  /** Keeps a chunk. */
  put(chunk: number, read: ChunkOrdinals, { stamp, version }: { stamp: number; version: number }): void {
    this.reserve(chunk + 1)
    this.places[chunk] = this.placeFor(chunk, listSize(read))
    this.lay(chunk, read, this.places[chunk]!)
    this.tableSize += read.valueCount - this.valueCounts[chunk]!
    this.valueCounts[chunk] = read.valueCount
    this.stamps[chunk] = stamp
    this.versions[chunk] = version
  }

  /** Makes the cells of a chunk that is not here readable until the next one comes. */
  putForNow(chunk: number, read: ChunkOrdinals): void {
    this.reserve(chunk + 1)
    this.lay(chunk, read, this.used)
  }

  /** Makes room for so many chunks. */
  reserve(chunkCount: number): void {
    const known = this.versions.length
    if (chunkCount <= known) return
    const size = Math.max(chunkCount, known + (known >>> 3))
    this.cells = copyTo(new Int32Array(size * CHUNK_DOCUMENTS), this.cells)
    this.stamps = copyTo(new Uint32Array(size), this.stamps)
    this.versions = copyTo(new Uint32Array(size), this.versions).fill(NEVER, known)
    this.valueCounts = copyTo(new Uint32Array(size), this.valueCounts)
    this.places = copyTo(new Uint32Array(size), this.places)
    this.rooms = copyTo(new Uint32Array(size), this.rooms)
  }

  /**
   * Sets the bits of the documents that have a value which is wanted; all of those below `32 * words.length` are here.
   * Four at a time: that takes half as long.
   */
  markDocuments(areWanted: Uint8Array, words: Uint32Array): void {
    const { cells } = this
    for (let word = 0; word < words.length; word++) {
      let bits = 0
      for (let i = 0; i < 32; i += 4) {
        const at = 32 * word + i
        const a = cells[at]!
        const b = cells[at + 1]!
        const c = cells[at + 2]!
        const d = cells[at + 3]!
        if ((a | b | c | d) < 0) bits |= this.fourBits(at, areWanted) << i
        else bits |= (areWanted[a]! | (areWanted[b]! << 1) | (areWanted[c]! << 2) | (areWanted[d]! << 3)) << i
      }
      words[word] = bits
    }
  }

  /** Of four documents, not all of which have one value. */
  private fourBits(first: number, areWanted: Uint8Array): number {
    let bits = 0
    for (let i = 0; i < 4; i++) {
      const cell = this.cells[first + i]!
      bits |= (cell >= 0 ? areWanted[cell]! : cell === NO_VALUE ? 0 : this.hasWanted(cell, areWanted)) << i
    }
    return bits
  }

  private hasWanted(cell: number, areWanted: Uint8Array): number {
    const { lists } = this
    const at = listAt(cell)
    let isWanted = 0
    for (let i = at + lists[at]!; i > at; i--) isWanted |= areWanted[lists[i]!]!
    return isWanted
  }

  /** Where a chunk has been, if there is room, or else behind all others: one that has grown will grow again. */
  private placeFor(chunk: number, size: number): number {
    const room = this.rooms[chunk]!
    if (this.has(chunk) && size <= room) return this.places[chunk]!
    const place = this.used
    this.left += room
    this.rooms[chunk] = this.has(chunk) ? 2 * size : size
    this.used += this.rooms[chunk]!
    return place
  }

  private lay(chunk: number, read: ChunkOrdinals, place: number): void {
    this.reserveLists(place + listSize(read))
    const { starts, ordinals } = read
    const { cells, lists } = this
    const first = chunk * CHUNK_DOCUMENTS
    let next = place
    for (let low = 0; low < CHUNK_DOCUMENTS; low++) {
      const [start, end] = [starts[low]!, starts[low + 1]!]
      if (end - start <= 1) cells[first + low] = start === end ? NO_VALUE : ordinals[start]!
      else {
        cells[first + low] = -2 - next
        lists[next++] = end - start
        for (let i = start; i < end; i++) lists[next++] = ordinals[i]!
      }
    }
  }

  private reserveLists(size: number): void {
    if (size <= this.lists.length) return
    this.lists = copyTo(new Int32Array(Math.max(size, 2 * this.lists.length)), this.lists)
  }
}

/** What documents with several values take in `lists`. */
function listSize({ starts }: ChunkOrdinals): number {
  let size = 0
  for (let low = 0; low < CHUNK_DOCUMENTS; low++) {
    const count = starts[low + 1]! - starts[low]!
    if (count > 1) size += 1 + count
  }
  return size
}
