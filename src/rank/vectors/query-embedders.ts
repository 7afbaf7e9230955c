import type { Result } from '../../errors/index.js'
import type { JsonValue } from '../../json/index.js'
import type { Embedder } from '../../settings/index.js'

/** A query whose meaning is wanted. */
export interface EmbeddedQuery {
  /** All of the index: one that cannot be made ready makes the others fail too (spec 7 §1.1). */
  readonly embedders: ReadonlyMap<string, Embedder>
  /** Which of them is asked. */
  readonly name: string
  /** As it was typed; null when there is none. */
  readonly q: string | null
  /** Null when there is none. */
  readonly media: JsonValue
  /** On the clock of `performance.now()`. */
  readonly deadline: number
}

/** Turns queries into vectors. Handed in from above: what it takes to reach a model is nothing that a search knows. */
export interface QueryEmbedders {
  embed(query: EmbeddedQuery): Promise<Result<Float32Array>>
}
