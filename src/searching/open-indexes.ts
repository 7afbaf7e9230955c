import type { Carried } from '../cache/index.js'
import { IndexFolder, OpenFolders } from '../folder/index.js'
import { SearchIndex, SearchScratch } from '../match/index.js'
import type { StoredWordsOptions } from '../postings/index.js'

/** Indexes that stay open between searches, with all that was derived from them; the one used longest ago goes first. */
const MAX_OPEN_INDEXES = 32

/** Memory for what is kept of all of them together. */
const MAX_KEPT_BYTES = 192 << 20

/** An index that is open. */
interface OpenIndex {
  readonly folder: IndexFolder
  /** Stays as long as the folder is open. */
  carried: Carried
  /** With all that was derived from it. */
  index: SearchIndex | undefined
}

/** The indexes that one thread searches. */
export class OpenIndexes {
  private readonly folders = new OpenFolders<OpenIndex>({
    max: MAX_OPEN_INDEXES,
    open: (path) => ({ folder: IndexFolder.openForReading(path), carried: new Map(), index: undefined }),
    close: async (opened) => opened?.folder.close(),
  })
  private readonly scratch = new SearchScratch()

  constructor(
    private readonly maxKeptBytes = MAX_KEPT_BYTES,
    private readonly words: StoredWordsOptions = {},
  ) {}

  /** The index at its last commit. */
  open(uid: string, path: string): SearchIndex {
    const opened = this.folders.get(path)
    // Names move between folders (swap, rename): the folder stays open, the rest is made anew.
    if (opened.index?.uid !== uid) opened.index = this.made(uid, opened)
    opened.index.refresh()
    return opened.index
  }

  private made(uid: string, { folder, carried }: OpenIndex): SearchIndex {
    folder.nameAs(uid)
    const { words, scratch } = this
    return new SearchIndex(uid, folder, { words, scratch, carried })
  }

  /** Drops what was derived from an index; its folder stays open. */
  forget(path: string): void {
    if (!this.folders.has(path)) return
    const opened = this.folders.get(path)
    opened.index = undefined
    opened.carried = new Map()
  }

  /** To be called between searches. */
  async closeSurplus(): Promise<void> {
    this.forgetSurplus()
    await this.folders.closeSurplus()
  }

  /** What was derived from those that were searched longest ago goes first, that of the last one never. */
  private forgetSurplus(): void {
    const all = [...this.folders.all()]
    const sizes = all.map(({ index }) => index?.sizeBytes ?? 0)
    let bytes = sizes.reduce((sum, size) => sum + size, 0)
    for (let i = 0; i < all.length - 1 && bytes > this.maxKeptBytes; i++) {
      if (sizes[i]! > 0) all[i]!.index = undefined
      bytes -= sizes[i]!
    }
  }

  release(path: string): Promise<void> {
    return this.folders.release(path)
  }

  closeAll(): Promise<void> {
    return this.folders.closeAll()
  }
}
