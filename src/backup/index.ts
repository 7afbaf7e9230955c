/**
 * How everything leaves the server, and comes back: dumps, which other versions and servers read, snapshots, which are
 * copies of the data folder, and exports of indexes to other servers.
 *
 * `Backups` does the jobs of the task queue that concern the whole server, on a thread of their own (`BackupThread`).
 */
export { BadArchive } from './archive/bad-archive.js'
export { extractArchive } from './archive/extract-archive.js'
export { ownerMark, removeUnfinished } from './archive/unfinished-file.js'
export { BackupExecutor, type Executor } from './backup-executor.js'
export { BackupThread } from './backup-thread.js'
export { type BackupServices, Backups } from './backups.js'
export { type DumpImportServices, importDump } from './dump/import-dump.js'
export type { ServerState } from './dump/server-state.js'
export { type Handover, type HandoverOrder, handOverIndex } from './export/hand-over.js'
export { writePatiently } from './export/write-patiently.js'
export { type RemoteAnswer, type RemoteWrite, writeToRemote } from './export/write-to-remote.js'
export type { Watch } from './watch.js'
