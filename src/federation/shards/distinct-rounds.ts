import type { DistinctQuestion } from '../../answer/index.js'
import { compareParts, compareRanks } from '../compare.js'
import { mergeByScore } from '../merge.js'
import type { FacetKeys, FederatedHit, Scored } from '../model.js'
import type { TiedDocument } from './tied-documents.js'

/** A search of all shards in which each value of an attribute comes once. */
export interface DistinctSearch {
  readonly attribute: string
  /** How many documents are wanted, from the first on. */
  readonly depth: number
}

/** What one server found of an index in which each value of an attribute comes once. */
export interface DistinctPart {
  /** None where it does not say: then nothing can be told about it. */
  readonly shards: readonly string[]
  readonly hits: readonly FederatedHit[]
  readonly pins: readonly unknown[]
  readonly tied: readonly TiedDocument[]
}

/** What is known of the values that are gone. */
export interface TakenValues {
  readonly parts: readonly TakenPart[]
  /** All documents are known that come before the end of the page: the parts have to count what they leave over. */
  readonly isSettled: boolean
}

/** The documents of one server that are taken, be there others. */
interface TakenPart {
  readonly shards: readonly string[]
  readonly values: FacetKeys
  readonly count: number
}

/**
 * A server drops what is like one of its own documents, although that one may fall to a document of another server: then
 * what it dropped comes back. So the lists hold as far as nobody falls who had more to give than what made it fall, and no
 * list ends that might go on; the values up to there are told to all, who make their lists anew. When the lists hold up to
 * the end of the page, all are told once more: what they leave over is what one index would count.
 *
 * Undefined where the lists are all there is, and fit on the page. The last time that all can be asked the lists are taken
 * as they are.
 */
export function nextTaken(
  parts: readonly DistinctPart[],
  { attribute, depth }: DistinctSearch,
  isLast: boolean,
): TakenValues | undefined {
  // Documents that rules put at their places are not among those that are alike.
  if (parts.some(({ shards, pins }) => shards.length === 0 || pins.length > 0)) return undefined
  const lists = parts.map((part, place) => entriesOf(part, place, { attribute, depth }))
  const { taken, isSettled, isAll } = takeInOrder(lists, depth, isLast)
  if (isAll && taken.length <= depth && !parts.some(({ hits }) => hits.length >= depth)) return undefined
  return {
    parts: parts.map(({ shards }, place) => {
      const own = taken.filter((entry) => entry.place === place)
      return { shards, values: own.flatMap(({ keys }) => keys), count: own.length }
    }),
    isSettled,
  }
}

/** What a server is told that is asked for some shards; undefined before anybody was. */
export function questionFor(taken: TakenValues | undefined, shards: readonly string[]): DistinctQuestion | undefined {
  if (taken === undefined) return undefined
  // Another server may answer for shards than before: what those had is not gone for it.
  const isOwn = (part: TakenPart) => part.shards.some((shard) => shards.includes(shard))
  const own = taken.parts.find(
    (part) => part.shards.length === shards.length && part.shards.every((each) => shards.includes(each)),
  )
  return {
    taken: taken.parts.filter((part) => !isOwn(part)).flatMap(({ values }) => values),
    most: taken.isSettled ? (own?.count ?? null) : null,
  }
}

interface Entry extends Scored {
  readonly place: number
  readonly keys: FacetKeys
  /** Its server may have more behind it. */
  readonly isEndOfMore: boolean
}

function entriesOf({ hits, tied }: DistinctPart, place: number, { attribute, depth }: DistinctSearch): Entry[] {
  const entries = hits.map((hit) => {
    const { values, score, queryPosition, arrival } = hit
    return { values, score, queryPosition, arrival, place, keys: hit.keysOf(attribute), isEndOfMore: false }
  })
  const last = entries.at(-1)
  if (last === undefined || hits.length < depth) return entries
  const all = [...entries, ...tied.map(({ arrival, keys }) => ({ ...last, arrival, keys }))]
  return all.with(-1, { ...all.at(-1)!, isEndOfMore: true })
}

interface Taking {
  readonly taken: readonly Entry[]
  readonly isSettled: boolean
  /** None was left over. */
  readonly isAll: boolean
}

/** As one index takes them: up to the end of the page, and all that nothing tells from the last of it. */
function takeInOrder(lists: readonly (readonly Entry[])[], depth: number, isLast: boolean): Taking {
  const taken: Entry[] = []
  const seen = new Set<number | string>()
  for (const entry of mergeByScore(lists, compareParts)) {
    if (taken.length >= depth && !isTied(entry, taken[depth - 1])) return { taken, isSettled: true, isAll: false }
    const gone = entry.keys.filter((key) => seen.has(key)).length
    if (gone > 0 && gone < entry.keys.length && !isLast) return { taken, isSettled: false, isAll: false }
    if (gone === 0) {
      taken.push(entry)
      for (const key of entry.keys) seen.add(key)
    }
    if (entry.isEndOfMore && taken.length < depth && !isLast) return { taken, isSettled: false, isAll: false }
  }
  return { taken, isSettled: true, isAll: true }
}

/** Where there are no rules, one index takes documents one by one. */
const isTied = (entry: Entry, last: Entry | undefined): boolean =>
  last !== undefined && last.values.length > 0 && compareRanks(entry, last) === 0
