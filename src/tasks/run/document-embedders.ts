import { type EmbedderRequests, SyncEmbedders, type SyncEmbeddersOptions } from '../../embed/index.js'
import type { DocumentEmbedders } from '../../vectors/index.js'

/** What the indexing thread has to know to ask models. Plain data: it travels to the thread. */
export interface DocumentEmbeddingOptions extends Pick<SyncEmbeddersOptions, 'embedding' | 'networks' | 'userAgent'> {
  readonly ignoresTemplateFailures: boolean
}

export interface OpenDocumentEmbedders extends DocumentEmbedders {
  /** Requests to providers since `countFromZero`: another object after each, up to date while an answer is awaited. */
  readonly requests: EmbedderRequests
  countFromZero(): void
  close(): Promise<void>
}

/** The way to models for a thread that cannot await. Nothing is started before the first question. */
export function openDocumentEmbedders(options: DocumentEmbeddingOptions): OpenDocumentEmbedders {
  const { embedding, networks, userAgent, ignoresTemplateFailures } = options
  const embedders = SyncEmbedders.start({ embedding, networks, userAgent })
  return {
    ignoresTemplateFailures,
    get requests() {
      return embedders.requests
    },
    countFromZero: () => embedders.countFromZero(),
    dimensions: (name, config, isCancelled) => embedders.dimensions(name, config, isCancelled),
    embed: (name, config, inputs, isCancelled) => embedders.embed(name, config, inputs, isCancelled),
    close: () => embedders.close(),
  }
}
