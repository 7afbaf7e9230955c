/**
 * Findling as a library: an index in a folder, in this process. No port, no server, and no thread unless asked for.
 *
 * ```ts
 * import { openIndex } from 'findling/engine'
 *
 * await using index = await openIndex('./movies', { primaryKey: 'id' })
 * await index.addDocuments([{ id: 1, title: 'Red Fox' }])
 * const { hits } = await index.search({ q: 'red foks' })
 * ```
 */
export * from './embedded/index.js'
