import { type JsonValue, toDouble } from '../../json/index.js'
import type { FacetKeys } from '../model.js'
import { readKeys } from './other-candidates.js'

/** The member of an answer with them. */
export const TIED = 'tiedDocuments'

/** A document that a server took beyond its hits: nothing tells it from the last of them. */
export interface TiedDocument {
  readonly arrival: number
  /** What it has in the attribute of which each value comes once. */
  readonly keys: FacetKeys
}

/** With a comma before it, or nothing. Each document as `[7,["red"]]`. */
export function printTied(tied: readonly TiedDocument[]): string {
  return tied.length === 0 ? '' : `,"${TIED}":${JSON.stringify(tied.map(({ arrival, keys }) => [arrival, keys]))}`
}

/** Undefined for what is something else. */
export function readTied(json: JsonValue | undefined): TiedDocument[] | undefined {
  if (json === undefined) return []
  const read = Array.isArray(json) ? json.map(readDocument) : [undefined]
  return read.includes(undefined) ? undefined : (read as TiedDocument[])
}

function readDocument(json: JsonValue): TiedDocument | undefined {
  const [first, keys = null] = Array.isArray(json) ? json : []
  const arrival = toDouble(first ?? null)
  return arrival === undefined ? undefined : { arrival, keys: readKeys(keys) }
}
