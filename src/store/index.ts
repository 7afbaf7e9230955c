/**
 * LMDB: transactions, keys that sort, bytes in and out; and who may change a folder. Knows nothing of search.
 */
export {
  Database,
  type DatabaseOptions,
  type Entry,
  Environment,
  type EnvironmentOptions,
  type Key,
  type KeyRange,
} from './environment.js'
export { checkUnlocked, FolderInUse, FolderLock, holderText, LOCK_FILE, lockFolder } from './folder-lock.js'
export { SlicesFull } from './slices-full.js'
export { syncFolder } from './sync-folder.js'
export { WrittenValue } from './written-value.js'
