import { type Bitmap, StoredUnion } from '../../bitmap/index.js'
import type { Database } from '../../store/index.js'
import { checkBudget } from '../../threads/index.js'
import type { FactKey } from './facet-key.js'

/** Entries that are read at once: few as long as most are not wanted, more and more where they are. */
const FIRST_BATCH = 2
const LAST_BATCH = 512

/** How many sets are held before they are united. */
const SETS_AT_ONCE = 4096

/** The chunk behind a fact in a key. */
const CHUNK_BYTES = 2

/**
 * The documents of any of several facts, each of which may be stored or not, or come again. They are sorted in place. Both the facts and what is stored are gone
 * through in their order, once: from a fact to the first entry that is not before it, and from there to the next fact. So
 * it takes no more than to read all that is stored, and no more than to look up each fact.
 */
export function docIdsOfAny(database: Database, facts: FactKey[]): Bitmap {
  const inOrder = facts.sort()
  const found = new StoredUnion(SETS_AT_ONCE)
  let at = 0
  let size = FIRST_BATCH
  let start = bytesOf(inOrder[0] ?? '')
  while (at < inOrder.length) {
    checkBudget()
    const batch = [...database.range({ start, limit: size })]
    for (const { key, value } of batch) {
      const fact = factOf(key)
      while (at < inOrder.length && isPassed(inOrder[at]!, fact)) at++
      if (at < inOrder.length && isFrom(inOrder, at, fact)) found.add(value)
    }
    const last = batch.at(-1)?.key
    if (last === undefined || batch.length < size || at === inOrder.length) break
    const next = bytesOf(inOrder[at]!)
    const isFar = Buffer.compare(next, last) > 0
    start = isFar ? next : Buffer.concat([last, Buffer.of(0)])
    size = isFar ? Math.max(size >>> 1, FIRST_BATCH) : Math.min(2 * size, LAST_BATCH)
  }
  return found.docIds()
}

const bytesOf = (fact: FactKey): Buffer => Buffer.from(fact, 'latin1')

const factOf = (key: Buffer): FactKey => key.toString('latin1', 0, key.length - CHUNK_BYTES)

/**
 * Whether no entry of `wanted` comes behind one of `fact`. Behind a text with a zero inside there may be more chunks of the
 * text before the zero.
 */
const isPassed = (wanted: FactKey, fact: FactKey): boolean => wanted < fact && !fact.startsWith(wanted)

/** Whether `fact` is one of those from `at` on. It comes behind the first of them only where that is its beginning. */
function isFrom(inOrder: readonly FactKey[], at: number, fact: FactKey): boolean {
  if (inOrder[at]! >= fact) return inOrder[at] === fact
  let low = at
  let high = inOrder.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (inOrder[middle]! < fact) low = middle + 1
    else high = middle
  }
  return inOrder[low] === fact
}
