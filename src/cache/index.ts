/**
 * What is remembered until an index changes, as far as memory goes. From the plainest way to the dearest:
 *
 * - `derive`: made once for each version of an index, and forgotten with it. For what depends on settings or names, or is
 *   made anew faster than it could be followed.
 * - `VersionCache`: the same for many values of one kind, by text, within a limit of bytes. For results of what is asked.
 * - `carry`: brought up to date, not made anew. For structures that know by themselves which of their parts have changed
 *   (facet columns by the stamps of their chunks, positions by comparing them).
 * - journals, in the rooms whose structures they are of (`postings/word-journal.ts`, `vectors/vector-journal.ts`): the
 *   writer notes what each version changes, and a reader drops just that. For caches of single entries that cannot tell
 *   by themselves: postings of a word, vectors of a document.
 *
 * `src/server/search/warm-and-cold.test.ts` changes indexes in every way and compares all of it with a reader that
 * remembers nothing. Whoever remembers something new asks a question there that comes to it.
 */
export { ByteCache, type Sized } from './byte-cache.js'
export { ColumnMemory } from './column-memory.js'
export { type Carried, DerivedValues } from './derived-values.js'
export { VersionCache } from './version-cache.js'
