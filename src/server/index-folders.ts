import { IndexFolder, OpenFolders } from '../folder/index.js'
import { lacksNames } from '../index/index.js'
import type { Indexing } from '../tasks/index.js'

/**
 * Folders that stay open; the one used longest ago is closed first. Each costs two file descriptors, and two megabytes for
 * the list of dirty pages that LMDB makes for its writer.
 */
const MAX_OPEN_FOLDERS = 32

/** Threads that read folders which this one has opened. */
export interface FolderUsers {
  /** Resolves when none of them has the folder open. */
  release(path: string): Promise<void>
}

/**
 * The index folders that the server thread has open. It opens each before any other thread does: opening takes a
 * moment of the writer's lock, which a batch holds for as long as it runs. Here there is no batch yet, since folders of
 * batches are held; the search threads open them after this one, for reading only, and never wait for the lock.
 */
export class IndexFolders {
  private readonly open: OpenFolders<IndexFolder>
  /** How many batches work on a folder. */
  private readonly holders = new Map<string, number>()

  /** `onOld` hears of each folder that an older version left without some names, when it is opened. */
  constructor(
    users: FolderUsers,
    private readonly onOld: (path: string) => void = () => {},
  ) {
    this.open = new OpenFolders({
      max: MAX_OPEN_FOLDERS,
      open: (path) => IndexFolder.openExisting(path),
      // The other threads go first: what they opened for reading must not outlive this.
      close: async (folder, path) => {
        await users.release(path)
        await folder?.close()
      },
      isHeld: (path) => this.holders.has(path),
    })
  }

  /** Of an index that was created before. */
  get(path: string): IndexFolder {
    return this.keep(path)
  }

  private keep(path: string, open?: (path: string) => IndexFolder): IndexFolder {
    const isKnown = this.open.has(path)
    const folder = this.open.get(path, open)
    if (!isKnown && lacksNames(folder)) this.onOld(path)
    return folder
  }

  /** More folders are open than should be. */
  get isCrowded(): boolean {
    return this.open.isCrowded
  }

  /** To be called when nothing reads from folders. */
  closeSurplus(): Promise<void> {
    return this.open.closeSurplus()
  }

  release(path: string): Promise<void> {
    return this.open.release(path)
  }

  closeAll(): Promise<void> {
    return this.open.closeAll()
  }

  /** The same indexing, whose folders stay open here as long as it works on them. */
  heldBy(indexing: Indexing): Indexing {
    return {
      start: () => indexing.start(),
      run: (job, ...listeners) => {
        // A batch may create its index.
        this.keep(job.path, (path) => IndexFolder.open(path))
        const letGo = this.hold(job.path)
        const running = indexing.run(job, ...listeners)
        running.done.then(letGo, letGo)
        return running
      },
      prepare: (job, ...listeners) => {
        this.keep(job.path, (path) => IndexFolder.open(path))
        const letGo = once(this.hold(job.path))
        const { done, cancel } = indexing.prepare(job, ...listeners)
        const held = done.then(({ outcome, commit, abort }) => ({
          outcome,
          commit: () => commit().finally(letGo),
          abort: () => abort().finally(letGo),
        }))
        held.catch(letGo)
        return { done: held, cancel }
      },
      compact: (fromPath, toPath) => {
        const letGo = this.hold(fromPath)
        return indexing.compact(fromPath, toPath).finally(letGo)
      },
      upgrade: (fromPath, toPath) => {
        const letGo = this.hold(fromPath)
        const running = indexing.upgrade(fromPath, toPath)
        running.done.then(letGo, letGo)
        return running
      },
      refreshSets: (path) => {
        const letGo = this.hold(path)
        const running = indexing.refreshSets(path)
        running.done.then(letGo, letGo)
        return running
      },
      completeNames: (path) => {
        const letGo = this.hold(path)
        return indexing.completeNames(path).finally(letGo)
      },
      release: (path) => indexing.release(path),
      close: () => indexing.close(),
    }
  }

  /** Keeps a folder open until the answer is called. */
  hold(path: string): () => void {
    this.get(path)
    this.holders.set(path, (this.holders.get(path) ?? 0) + 1)
    return () => {
      const left = this.holders.get(path)! - 1
      if (left === 0) this.holders.delete(path)
      else this.holders.set(path, left)
      // In a later turn, when nothing on this thread reads from folders.
      if (this.isCrowded) setImmediate(() => void this.closeSurplus())
    }
  }
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}
