import type { IndexFolder } from '../../folder/index.js'
import { JobCancelled } from '../../threads/index.js'
import { BlockReader } from '../block-reader.js'
import { DecodedPostings } from '../decoded-postings.js'
import { boundOf, TAIL_BYTES } from '../posting-key.js'
import { ReadingMemory } from '../reading-memory.js'
import { writeJournal } from '../word-journal.js'
import { PrefixWriter } from './prefix-writer.js'
import { clearPrefixes, hasPrefixPostings, markPrefixes } from './short-prefix.js'

/** Smaller indexes read the words below a short prefix in a few milliseconds. */
const MANY_DOCUMENTS = 1 << 16

/** Positions that are put in order at a time: some 100 MB. */
const MAX_PLACES = 4_000_000

/** Blocks between two looks at the cancelation flag. */
const CHECK_EVERY = 1024

export interface PrefixNeeds {
  readonly documentCount: number
  /** Whether anybody looks for prefixes. Small indexes are not asked. */
  readonly isPrefixSearched: () => boolean
  /** From so many documents on something is kept, `MANY_DOCUMENTS` unless given. */
  readonly manyDocuments?: number | undefined
  readonly isCancelled: () => boolean
}

/**
 * Inside a transaction, behind all changes: an index that has grown large gets its short prefixes. Readers learn it from
 * the journal: what they know of prefixes was put together from words, or points to blocks that are gone.
 */
export function followPrefixes(folder: IndexFolder, needs: PrefixNeeds): void {
  const { documentCount, isPrefixSearched, manyDocuments = MANY_DOCUMENTS } = needs
  const isKept = hasPrefixPostings(folder)
  if (!isKept && documentCount < manyDocuments) return
  const isWanted = isPrefixSearched()
  if (isKept === isWanted) return
  if (isKept) clearPrefixes(folder)
  else {
    writeAll(folder, needs.isCancelled)
    markPrefixes(folder)
  }
  writeJournal(folder.databases.wordJournal, folder.nextContentVersion(), 'everything')
}

function writeAll({ databases }: IndexFolder, isCancelled: () => boolean): void {
  const writer = new PrefixWriter(databases.prefixes, { maxPositions: MAX_PLACES })
  const memory = new ReadingMemory()
  let blocks = 0
  for (const { key, value } of databases.postings.range()) {
    if (++blocks % CHECK_EVERY === 0 && isCancelled()) throw new JobCancelled()
    const word = key.subarray(0, key.length - TAIL_BYTES)
    writer.addGains(word, DecodedPostings.of([new BlockReader(boundOf(key), value)], memory))
  }
  writer.endRun()
}
