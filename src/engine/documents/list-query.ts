import type { FieldSelection } from '../../documents/index.js'
import type { JsonValue } from '../../json/index.js'

/** A list of documents, whichever way it was asked for (spec 3 §4.4). */
export interface ListRequest {
  readonly offset: number
  readonly limit: number
  readonly fields: FieldSelection
  readonly retrieveVectors: boolean
  readonly ids: readonly JsonValue[] | null
  readonly filter: JsonValue
  readonly sort: readonly string[] | null
  readonly useNetwork: boolean | null
}
