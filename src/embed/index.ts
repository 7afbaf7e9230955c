/**
 * Embedders at run time: which vector belongs to a text, a fragment or a query (spec 7 §1).
 *
 * `Embedders` opens configurations and shares what is identical; an `Embedder` asks a provider over HTTP, with retries
 * that keep to the caller's patience, or runs a model in this process. `SyncEmbedders` is the same for a thread that
 * cannot await. Nothing here stores or compares vectors, and documents are rendered elsewhere.
 */
export type { EmbedderConfig } from './config.js'
export type { Embedder, EmbedInput } from './embedder.js'
export { Embedders } from './embedders.js'
export type { EmbeddingOptions, EmbedServices } from './services.js'
export { type EmbedderRequests, SyncEmbedders, type SyncEmbeddersOptions } from './sync-embedders.js'
