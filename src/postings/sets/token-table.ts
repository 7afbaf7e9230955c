import type { IndexFolder } from '../../folder/index.js'
import type { Database } from '../../store/index.js'
import { BlockReader } from '../block-reader.js'
import { boundOf, postingKey, postingsEnd, TAIL_BYTES } from '../posting-key.js'
import type { TermLists } from './term-lists.js'

/** Lists of terms are numbered below. */
const LIST_LIMIT = 1 << 16

/**
 * What stands in some documents, in its order: postings turned around. Each token is a number of 48 bits, its position
 * times 65,536 plus the list of terms that its word stands for; those of the i-th document from `starts[i]` up to
 * `starts[i + 1]`, ascending.
 */
export interface TokenTable {
  readonly starts: Uint32Array
  readonly tokens: Float64Array
}

export const positionOf = (token: number): number => Math.floor(token / LIST_LIMIT)
export const listOf = (token: number): number => token % LIST_LIMIT

export interface TokenOptions {
  readonly lists: TermLists
  /** Of all documents together, roughly. */
  readonly maxTokens: number
  /** Called now and then. */
  readonly check: () => void
}

/** Reads the words of some documents, which ascend. Undefined when there are too many. */
export function readTokens(
  { databases: { postings } }: IndexFolder,
  docIds: Uint32Array,
  { lists, maxTokens, check }: TokenOptions,
): TokenTable | undefined {
  const reading = new TokenReading(docIds, lists)
  let start: Buffer | undefined = Buffer.alloc(0)
  let blocks = 0
  while (start !== undefined) {
    let skip: SkippedBlocks | undefined
    postings.eachBorrowed({ start }, (key, bytes) => {
      if (++blocks % CHECK_EVERY === 0) check()
      skip = reading.add(key, bytes)
      return skip === undefined && reading.count <= maxTokens ? undefined : 'enough'
    })
    if (reading.count > maxTokens) return undefined
    start = skip && behind(postings, skip)
  }
  return reading.table()
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

class TokenReading {
  private readonly first: number
  private readonly last: number
  /** By docId less the first one: the place of a document among those that are wanted, plus one. */
  private readonly ordinals: Uint32Array
  /** A key of the word at hand, and how many of its bytes are the word. */
  private wordKey: Buffer = Buffer.alloc(0)
  private wordSize = 0
  private list = -1
  private docIds = new Uint32Array(1024)
  private columns = { starts: new Uint32Array(1025), positions: new Uint32Array(4096) }
  /** Tokens as they come, and the ordinals of their documents. */
  private tokens = new Float64Array(1 << 16)
  private docs = new Uint32Array(1 << 16)
  count = 0

  constructor(
    private readonly wanted: Uint32Array,
    private readonly lists: TermLists,
  ) {
    this.first = wanted[0]!
    this.last = wanted[wanted.length - 1]!
    this.ordinals = new Uint32Array(this.last - this.first + 1)
    for (let i = 0; i < wanted.length; i++) this.ordinals[wanted[i]! - this.first] = i + 1
  }

  /** Answers which blocks need not be read, if there are many. */
  add(key: Buffer, bytes: Buffer): SkippedBlocks | undefined {
    const bound = boundOf(key)
    const size = key.length - TAIL_BYTES
    if (size !== this.wordSize || key.compare(this.wordKey, 0, size, 0, size) !== 0) {
      this.wordKey = key
      this.wordSize = size
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
    this.reserve(positionCount)
    this.copy(count)
    return lastRead
  }

  private copy(count: number): void {
    const { docIds, ordinals, first, last, tokens, docs, list } = this
    const { starts, positions } = this.columns
    let at = this.count
    for (let i = 0; i < count; i++) {
      const docId = docIds[i]!
      const ordinal = docId < first || docId > last ? 0 : ordinals[docId - first]!
      if (ordinal === 0) continue
      for (let p = starts[i]!; p < starts[i + 1]!; p++) {
        tokens[at] = positions[p]! * LIST_LIMIT + list
        docs[at++] = ordinal - 1
      }
    }
    this.count = at
  }

  private reserve(more: number): void {
    if (this.count + more <= this.tokens.length) return
    const size = Math.max(this.count + more, this.tokens.length * 2)
    const [tokens, docs] = [new Float64Array(size), new Uint32Array(size)]
    tokens.set(this.tokens.subarray(0, this.count))
    docs.set(this.docs.subarray(0, this.count))
    this.tokens = tokens
    this.docs = docs
  }

  /** Tokens by document, and of each document by position. */
  table(): TokenTable {
    const { count, docs, tokens } = this
    const starts = new Uint32Array(this.wanted.length + 1)
    for (let i = 0; i < count; i++) starts[docs[i]! + 1]!++
    for (let i = 1; i < starts.length; i++) starts[i] = starts[i]! + starts[i - 1]!
    const sorted = new Float64Array(count)
    const next = starts.slice()
    for (let i = 0; i < count; i++) sorted[next[docs[i]!]!++] = tokens[i]!
    for (let i = 0; i + 1 < starts.length; i++) sorted.subarray(starts[i]!, starts[i + 1]!).sort()
    return { starts, tokens: sorted }
  }
}
