import { sortedUnique } from '../byte-order/index.js'
import { decodeJson, encodeJson } from '../folder/index.js'
import type { Database } from '../store/index.js'
import type { ListsRecord } from './lists/list-layout.js'

/** What is stored about an embedder besides its vectors. */
export interface EmbedderRecord {
  readonly name: string
  /** Stands for the embedder in the keys of its vectors: 0 to 255. */
  readonly id: number
  readonly dimensions: number
  /** Vectors are stored as bits. */
  readonly isQuantized: boolean
  /** The fragment that each slot belongs to, null for one that is free. Empty without fragments. */
  readonly fragments: readonly (string | null)[]
  /** Vectors of all documents. */
  readonly vectorCount: number
  /** Lists of neighbours, once there are many vectors. */
  readonly lists?: ListsRecord
}

/** Ids are one byte. */
const MAX_EMBEDDERS = 256

/** The entry `embedders` of the database `main`: a list of records as JSON behind a version byte. */
const KEY = Buffer.from('embedders')

export function readEmbedders(main: Database): EmbedderRecord[] {
  const bytes = main.get(KEY)
  return bytes === undefined ? [] : decodeJson<EmbedderRecord[]>(bytes, 'the list of embedders')
}

export function writeEmbedders(main: Database, records: readonly EmbedderRecord[]): void {
  if (records.length === 0) main.delete(KEY)
  else main.put(KEY, encodeJson(records))
}

/** The lowest number that no embedder has. */
export function freeEmbedderId(records: Iterable<EmbedderRecord>): number {
  const taken = new Set(Array.from(records, ({ id }) => id))
  for (let id = 0; id < MAX_EMBEDDERS; id++) if (!taken.has(id)) return id
  throw new Error('an index has more embedders than numbers for them')
}

/** Fragments keep their slots; new ones take the lowest that is free, in the order of their names (spec 7 §1.7). */
export function assignSlots(before: readonly (string | null)[], names: readonly string[]): (string | null)[] {
  const slots = before.map((name) => (name !== null && names.includes(name) ? name : null))
  for (const name of sortedUnique(names)) {
    if (slots.includes(name)) continue
    const free = slots.indexOf(null)
    if (free === -1) slots.push(name)
    else slots[free] = name
  }
  return slots
}
