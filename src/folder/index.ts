/** What is in the folder of an index: its databases, documents by number and id, and what all who change documents tell each other. */
export type { ChangeSink, ForeseenChanges } from './change-sink.js'
export { ChunkedDocSet, chunkRange, readChunkedDocSet } from './chunked-doc-set.js'
export { docIdKey, type IndexDatabases, IndexFolder, NEWEST_FORMAT, VERSIONS } from './index-folder.js'
export { decodeJson, encodeJson, type IndexMeta } from './index-meta.js'
export { OpenFolders } from './open-folders.js'
export { readSettings } from './stored-settings.js'
