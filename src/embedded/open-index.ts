import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { IndexFolder } from '../folder/index.js'
import { isIndexUid } from '../shape/index.js'
import { checkUnlocked, lockFolder } from '../store/index.js'
import { EmbeddedIndex } from './embedded-index.js'
import { Reader } from './reader.js'
import type { DocumentLike, Features, Index, OpenOptions } from './types.js'
import { Writer } from './writer.js'

const NO_FEATURES: Features = {
  containsFilter: false,
  foreignKeys: false,
  network: false,
  multimodal: false,
  legacySearch: false,
  compositeEmbedders: false,
  chatCompletions: false,
}

/**
 * Opens the index in a folder, which is made if it is not there. The folder is what a Findling server keeps for an index;
 * one process at a time may write to it, and others may read beside it (`readOnly`).
 */
export async function openIndex<Document extends DocumentLike = Record<string, unknown>>(
  path: string,
  options: OpenOptions = {},
): Promise<Index<Document>> {
  const folderPath = resolve(path)
  if (existsSync(join(folderPath, 'indexes'))) {
    throw new Error(`${folderPath} is the data folder of a server: open one of the folders in its \`indexes\`.`)
  }
  return options.readOnly ? openForReading(folderPath, options) : openForWriting(folderPath, options)
}

function openForReading<Document extends DocumentLike>(path: string, options: OpenOptions): Index<Document> {
  if (!existsSync(path)) throw new Error(`There is no index to read at ${path}.`)
  const { uid, features } = withDefaults(path, options)
  const folder = IndexFolder.openForReading(path)
  folder.nameAs(uid)
  return new EmbeddedIndex<Document>({ folder, reader: new Reader(uid, folder, features), features })
}

function openForWriting<Document extends DocumentLike>(path: string, options: OpenOptions): Index<Document> {
  const { uid, features } = withDefaults(path, options)
  const lock = lockFolder(path)
  let folder: IndexFolder | undefined
  try {
    // `<data folder>/indexes/<folder of an index>`: a server holds all of its indexes by one lock.
    checkUnlocked(dirname(dirname(path)))
    folder = IndexFolder.open(path)
    folder.nameAs(uid)
    const { primaryKey = null, indexingThread = false } = options
    const writer = new Writer(folder, { uid, path, primaryKey, features, hasWordThread: indexingThread })
    return new EmbeddedIndex<Document>({ folder, writer, lock, reader: new Reader(uid, folder, features), features })
  } catch (error) {
    void folder?.close()
    lock.release()
    throw error
  }
}

function withDefaults(
  path: string,
  { uid = basename(path), features }: OpenOptions,
): { uid: string; features: Features } {
  return { uid: isIndexUid(uid) ? uid : 'index', features: { ...NO_FEATURES, ...features } }
}
