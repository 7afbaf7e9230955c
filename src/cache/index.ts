/** What is remembered until an index changes, as far as memory goes. */
export { ByteCache, type Sized } from './byte-cache.js'
export { ColumnMemory } from './column-memory.js'
export { type Derived, VersionCache } from './version-cache.js'
