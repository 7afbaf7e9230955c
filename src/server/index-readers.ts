import { sep } from 'node:path'
import { type IndexFolder, readSettings } from '../folder/index.js'
import type { IndexCatalogue } from '../tasks/index.js'
import type { IndexFolders } from './index-folders.js'

/** Indexes by name, for reading: single documents, lists and settings here, searches on their own threads. */
export class IndexReaders {
  constructor(
    private readonly catalogue: IndexCatalogue,
    private readonly folders: IndexFolders,
    private readonly indexesPath: string,
  ) {}

  /** Undefined when there is no such index. Shows the last commit; to be used before the next `await`. */
  open(uid: string): IndexFolder | undefined {
    const path = this.pathOf(uid)
    const folder = path === undefined ? undefined : this.openPath(path)
    folder?.environment.refresh()
    folder?.nameAs(uid)
    return folder
  }

  /**
   * Uid and folder of those of the indexes that exist. They are open on this thread, so that others can open them, until
   * the next turn: whoever is to read them must be told before.
   */
  pathsFor(uids: Iterable<string>): [uid: string, path: string][] {
    const paths: [string, string][] = []
    for (const uid of uids) {
      const path = this.pathOf(uid)
      if (path === undefined) continue
      this.openPath(path)
      paths.push([uid, path])
    }
    return paths
  }

  /** Where an index is, and its last version. Undefined when there is no such index. */
  stateOf(uid: string): { readonly path: string; readonly version: number } | undefined {
    const folder = this.open(uid)
    return folder && { path: this.pathOf(uid)!, version: folder.version() }
  }

  /** The indexes that the foreign keys of an index lead to. */
  foreignTo(uid: string): string[] {
    const folder = this.open(uid)
    if (folder === undefined) return []
    return readSettings(folder).foreignKeys.map(({ foreignIndexUid }) => foreignIndexUid)
  }

  private pathOf(uid: string): string | undefined {
    const entry = this.catalogue.get(uid)
    return entry === undefined ? undefined : this.indexesPath + sep + entry.folder
  }

  private openPath(path: string): IndexFolder {
    const folder = this.folders.get(path)
    // Surplus folders are closed in a later turn: nothing reads from them then.
    if (this.folders.isCrowded) setImmediate(() => void this.folders.closeSurplus())
    return folder
  }
}
