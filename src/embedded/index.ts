/** An index used from a program, without a server: open a folder, add documents, search. */
export { type AddOptions, Index } from './embedded-index.js'
export { EngineError } from './engine-error.js'
export type { Features } from './features.js'
export type { Documents } from './inbox.js'
export { type OpenOptions, openIndex } from './open-index.js'
export type * from './types.js'
export type { Change } from './writer.js'
