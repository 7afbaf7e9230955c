/** An index used from a program, without a server: open a folder, add documents, search. */
export { EngineError } from './engine-error.js'
export { openIndex } from './open-index.js'
export type * from './types.js'
