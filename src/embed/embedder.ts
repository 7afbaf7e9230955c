import type { Result } from '../errors/index.js'
import type { JsonValue } from '../json/index.js'

/** What is embedded: the rendered text or fragment of a document; of a query its `text` (`q`) and `media`. */
export interface EmbedInput {
  readonly text?: string
  readonly fragment?: JsonValue
  readonly media?: JsonValue
}

export interface Embedder {
  readonly name: string
  readonly dimensions: number
  /**
   * One vector for each input, in order; the failure is the one that the task shows. Where failures of embedders are
   * ignored (spec 7 §1.12), an empty vector stands for an input whose request failed.
   */
  embedDocuments(inputs: readonly EmbedInput[], signal: AbortSignal): Promise<Result<Float32Array[]>>
  /** `deadline` is on the clock of `performance.now()`: requests and pauses end there (spec 7 §1.3). */
  embedQuery(input: EmbedInput, deadline: number): Promise<Result<Float32Array>>
}

/** An embedder without a name: identical configurations share one (spec 7 §1.1). */
export type Source = Omit<Embedder, 'name'>
