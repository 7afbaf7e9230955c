import { join } from 'node:path'
import type { IndexFolder } from '../index/index.js'
import type { IndexCatalogue, OpenFolders } from '../tasks/index.js'

/** Indexes by name, for reading on the server thread: single documents, lists, settings. */
export class IndexReaders {
  constructor(
    private readonly catalogue: IndexCatalogue,
    private readonly folders: OpenFolders,
    private readonly indexesPath: string,
  ) {}

  /** Undefined when there is no such index. Shows the last commit; to be used before the next `await`. */
  open(uid: string): IndexFolder | undefined {
    const entry = this.catalogue.get(uid)
    if (entry === undefined) return undefined
    const folder = this.folders.get(join(this.indexesPath, entry.folder))
    folder.environment.refresh()
    // Surplus folders are closed in a later turn: nothing reads from them then.
    setImmediate(() => void this.folders.closeSurplus())
    return folder
  }
}
