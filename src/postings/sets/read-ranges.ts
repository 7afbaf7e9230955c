import type { IndexFolder } from '../../folder/index.js'
import type { Database } from '../../store/index.js'
import { BlockReader } from '../block-reader.js'
import { boundOf, postingKey, postingsEnd, TAIL_BYTES } from '../posting-key.js'
import { RangeLog } from './range-log.js'
import { RANGE_SIZE, rangeOf } from './set-key.js'
import type { TermLists } from './term-lists.js'

export interface ReadingOptions {
  readonly lists: TermLists
  /** Of all logs together, roughly. */
  readonly maxBytes: number
  /** Of one log, roughly. */
  readonly maxRangePlaces: number
  /** Called now and then. */
  readonly check: () => void
}

/**
 * Turns postings around: what words say of some documents, which ascend, by range. One walk over all words, however many
 * documents it is for. Undefined when it takes too many bytes.
 */
export function readRanges(
  { databases: { postings } }: IndexFolder,
  docIds: Uint32Array,
  { lists, maxBytes, maxRangePlaces, check }: ReadingOptions,
): ReadonlyMap<number, RangeLog> | undefined {
  const reading = new RangeReading(docIds, lists)
  const isTooMuch = () => reading.sizeBytes > maxBytes || reading.mostPlaces > maxRangePlaces
  let start: Buffer | undefined = Buffer.alloc(0)
  let blocks = 0
  while (start !== undefined) {
    let skip: SkippedBlocks | undefined
    postings.eachBorrowed({ start }, (key, bytes) => {
      if (++blocks % CHECK_EVERY === 0) check()
      skip = reading.add(key, bytes)
      return skip === undefined && !isTooMuch() ? undefined : 'enough'
    })
    if (isTooMuch()) return undefined
    start = skip && behind(postings, skip)
  }
  return reading.logs
}

/** Blocks between two looks at the cancelation flag. */
const CHECK_EVERY = 1024

/** Blocks of a word before the one with a document. Infinity: all that are left. */
interface SkippedBlocks {
  readonly word: Buffer
  readonly docId: number
}

function behind(postings: Database, { word, docId }: SkippedBlocks): Buffer {
  if (docId === Number.POSITIVE_INFINITY) return postingsEnd(word)
  const [key] = postings.keys({ start: postingKey(word, docId), reverse: true, limit: 1 })
  return key!
}

/** To look for a key takes as long as to read so many blocks. */
const WORTH_SKIPPING = 8

class RangeReading {
  readonly logs = new Map<number, RangeLog>()
  sizeBytes = 0
  /** Of one range. */
  mostPlaces = 0
  private readonly first: number
  private readonly last: number
  /** By docId less the first one: 1 when the document is wanted. */
  private readonly isWanted: Uint8Array
  /** A key of the word at hand, and how many of its bytes are the word. */
  private wordKey: Buffer = Buffer.alloc(0)
  private wordSize = 0
  private word = 0
  private list = -1
  private docIds = new Uint32Array(1024)
  private columns = { starts: new Uint32Array(1025), positions: new Uint32Array(4096) }

  constructor(
    wanted: Uint32Array,
    private readonly lists: TermLists,
  ) {
    this.first = wanted[0]!
    this.last = wanted[wanted.length - 1]!
    this.isWanted = new Uint8Array(this.last - this.first + 1)
    for (const docId of wanted) this.isWanted[docId - this.first] = 1
  }

  /** Answers which blocks need not be read, if there are many. */
  add(key: Buffer, bytes: Buffer): SkippedBlocks | undefined {
    const bound = boundOf(key)
    const size = key.length - TAIL_BYTES
    if (size !== this.wordSize || key.compare(this.wordKey, 0, size, 0, size) !== 0) {
      this.wordKey = key
      this.wordSize = size
      this.word++
      this.list = this.lists.listOf(key, size)
    }
    const { first, last } = this
    if (bound > last) return { word: key.subarray(0, size), docId: Number.POSITIVE_INFINITY }
    if (this.list < 0) return undefined
    const block = new BlockReader(bound, bytes)
    const lastRead = this.addBlock(block)
    const isFarBefore = bound === 0 && block.isSplit && first > (lastRead + 1) * WORTH_SKIPPING
    return isFarBefore ? { word: key.subarray(0, size), docId: first } : undefined
  }

  /** Answers the last document of the block. */
  private addBlock(block: BlockReader): number {
    const { count, positionCount } = block
    if (count > this.docIds.length) {
      this.docIds = new Uint32Array(count * 2)
      this.columns.starts = new Uint32Array(count * 2 + 1)
    }
    block.readDocIds(this.docIds, 0)
    const lastRead = this.docIds[count - 1]!
    if (lastRead < this.first) return lastRead
    const { columns } = this
    if (positionCount > columns.positions.length) columns.positions = new Uint32Array(positionCount * 2)
    block.readPositions(columns, 0, 0)
    columns.starts[count] = positionCount
    this.copy(count)
    return lastRead
  }

  private copy(count: number): void {
    const { docIds, isWanted, first, last, word, list } = this
    const { starts, positions } = this.columns
    for (let i = 0; i < count; i++) {
      const docId = docIds[i]!
      if (docId < first || docId > last || isWanted[docId - first] === 0) continue
      const log = this.logOf(rangeOf(docId))
      const before = log.sizeBytes
      log.add(word, list, docId % RANGE_SIZE, positions, starts[i]!, starts[i + 1]!)
      this.sizeBytes += log.sizeBytes - before
      this.mostPlaces = Math.max(this.mostPlaces, log.count)
    }
  }

  private logOf(range: number): RangeLog {
    const known = this.logs.get(range)
    if (known !== undefined) return known
    const made = new RangeLog()
    this.logs.set(range, made)
    return made
  }
}
