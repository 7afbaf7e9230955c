/**
 * LMDB: transactions, keys that sort, bytes in and out; small state that is changed step by step; and who may change a
 * folder. Knows nothing of search.
 */
export { Database, type Entry, type Key, type KeyRange } from './database.js'
export { EntrySum } from './entry-sum.js'
export {
  type DatabaseOptions,
  Environment,
  type EnvironmentOptions,
  type HeldWrite,
  type LeavesOut,
} from './environment.js'
export { checkUnlocked, FolderInUse, FolderLock, holderText, LOCK_FILE, lockFolder } from './folder-lock.js'
export { SlicesFull } from './slices-full.js'
export { StateEntries } from './state-entries.js'
export { type EntryChanges, LocalStateLog, type StateListener, type StateLog } from './state-log.js'
export { syncFolder } from './sync-folder.js'
