import { ChosenDocs } from './chosen-docs.js'
import { CollectedBlocks } from './collected-blocks.js'
import { BlockBuffer } from './kept-positions.js'
import { PositionLog } from './position-log.js'
import { SharedSlabs } from './slabs.js'

/**
 * Memory in which postings are read, again and again. Beside the slabs nothing in it outlives the call that put it there:
 * whoever reads several indexes on one thread makes one for all of them.
 */
export class ReadingMemory {
  readonly collected = new CollectedBlocks()
  readonly buffer = new BlockBuffer()
  readonly chosen = new ChosenDocs()
  readonly log = new PositionLog()
  /** What is kept of short postings. */
  readonly slabs = new SharedSlabs()
}
