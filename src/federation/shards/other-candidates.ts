import { isObject, type JsonValue, toDouble } from '../../json/index.js'
import type { CountedDocument, FacetKeys } from '../model.js'

/** The member of an answer with them. */
export const OTHER_CANDIDATES = 'otherCandidates'

/**
 * The candidates of one query beside its hits, where each value of an attribute counts once: only all servers together know
 * which of them are alike. Of each document what it has in some attributes.
 */
export interface OtherCandidates {
  readonly indexUid: string
  readonly queryPosition: number
  readonly attributes: readonly string[]
  readonly documents: readonly (readonly FacetKeys[])[]
  /** Of each document when it came: of those that are alike the first counts. */
  readonly arrivals: readonly number[]
}

/** One of them. */
export interface OtherCandidate extends CountedDocument {
  readonly arrival: number
}

export function countedDocuments({
  indexUid,
  queryPosition,
  attributes,
  documents,
  arrivals,
}: OtherCandidates): OtherCandidate[] {
  return documents.map((keys, i) => {
    const keysOf = (attribute: string): FacetKeys => keys[attributes.indexOf(attribute)] ?? []
    return { indexUid, queryPosition, arrival: arrivals[i] ?? 0, keysOf, shownKeysOf: keysOf }
  })
}

/** With a comma before it, or nothing. */
export function printOtherCandidates(lists: readonly OtherCandidates[]): string {
  return lists.length === 0 ? '' : `,"${OTHER_CANDIDATES}":${JSON.stringify(lists)}`
}

/** Undefined for what is something else. */
export function readOtherCandidates(json: JsonValue | undefined): OtherCandidates[] | undefined {
  if (json === undefined) return []
  const read = Array.isArray(json) ? json.map(readList) : [undefined]
  return read.includes(undefined) ? undefined : (read as OtherCandidates[])
}

function readList(list: JsonValue): OtherCandidates | undefined {
  if (!isObject(list)) return undefined
  const indexUid = list.get('indexUid')
  const queryPosition = toDouble(list.get('queryPosition') ?? null)
  const attributes = list.get('attributes')
  const documents = list.get('documents')
  const arrivals = list.get('arrivals')
  if (typeof indexUid !== 'string' || queryPosition === undefined) return undefined
  if (!Array.isArray(attributes) || !Array.isArray(documents) || !Array.isArray(arrivals)) return undefined
  return {
    indexUid,
    queryPosition,
    attributes: attributes.map(String),
    documents: documents.map(readDocument),
    arrivals: arrivals.map((arrival) => toDouble(arrival) ?? 0),
  }
}

const readDocument = (document: JsonValue): FacetKeys[] => (Array.isArray(document) ? document.map(readKeys) : [])

export function readKeys(keys: JsonValue): FacetKeys {
  return (Array.isArray(keys) ? keys : []).flatMap((key) => (typeof key === 'string' ? key : (toDouble(key) ?? [])))
}
