import type { Result } from '../errors/index.js'
import type { JsonValue } from '../json/index.js'
import type { Embedder } from '../settings/index.js'

/** What is made of a document to embed it: a text, or one of its fragments. */
export interface EmbeddingInput {
  readonly text?: string
  readonly fragment?: JsonValue
}

/** Turns texts into vectors. Handed in from above: what it takes to reach a model is nothing that an index knows. */
export interface DocumentEmbedders {
  /** How many numbers its vectors have. Asks the model where the settings do not say. */
  dimensions(name: string, config: Embedder, isCancelled: () => boolean): Result<number>
  /**
   * A vector for each input, in their order; waits until they are there. An empty one stands for an input that failed
   * where that does not matter (spec 7 §1.12). Cancelled calls fail, whatever they say.
   */
  embed(
    name: string,
    config: Embedder,
    inputs: readonly EmbeddingInput[],
    isCancelled: () => boolean,
  ): Result<Float32Array[]>
  /** Documents whose template fails get no vector, and nobody hears of it (spec 7 §1.12). */
  readonly ignoresTemplateFailures: boolean
}
