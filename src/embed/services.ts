import type { Outbound, StartTimer } from '../outbound/index.js'
import type { Tokenizer } from './byte-pairs.js'
import type { LoadTransformers } from './transformers.js'

/** What the operator decides about embedding. */
export interface EmbeddingOptions {
  /** Vectors of query texts that each embedder remembers; 0: none (spec 7 §1.17). */
  readonly cacheEntries: number
  /** For one request while indexing. */
  readonly requestTimeoutMs: number
  /** The longest pause before a request is made again. */
  readonly maxRetryMs: number
  /** Documents of a request that failed for good get an empty vector instead of failing all (spec 7 §1.12). */
  readonly ignoresEmbedderFailures: boolean
  /** For `openAi` embedders without a key of their own. */
  readonly openAiApiKey: string | null
  /** For `ollama` embedders without a URL. */
  readonly ollamaUrl: string
}

/** What embedders need from the process. Clock, dice and packages are handed in by tests. */
export interface EmbedServices extends EmbeddingOptions {
  readonly client: Pick<Outbound, 'request'>
  /** Hears of each request that was made for documents: undefined when it went well, else why it failed. */
  readonly onRequest?: (problem: string | undefined) => void
  readonly startTimer?: StartTimer
  /** From 0 to 1, excluding 1. */
  readonly random?: () => number
  /** Milliseconds on the clock of deadlines. Default: `performance.now()`. */
  readonly now?: () => number
  readonly loadTokenizer?: () => Promise<Tokenizer | undefined>
  readonly loadTransformers?: LoadTransformers
}
