import { IndexFolder } from '../folder/index.js'
import { SearchIndex } from '../match/index.js'
import type { StoredWordsOptions } from '../postings/index.js'

/** Indexes that stay open between searches, with all that was derived from them; the one used longest ago goes first. */
const MAX_OPEN_INDEXES = 32

/** Memory for what is kept of all of them together. */
const MAX_KEPT_BYTES = 192 << 20

/** The indexes that one thread searches. */
export class OpenIndexes {
  private readonly byPath = new Map<string, SearchIndex>()

  constructor(
    private readonly maxKeptBytes = MAX_KEPT_BYTES,
    private readonly words: StoredWordsOptions = {},
  ) {}

  /** The index at its last commit. */
  open(uid: string, path: string): SearchIndex {
    const index = this.indexOf(uid, path)
    this.byPath.delete(path)
    this.byPath.set(path, index)
    index.refresh()
    return index
  }

  /** Names move between folders (swap, rename): the folder stays open, the rest is made anew. */
  private indexOf(uid: string, path: string): SearchIndex {
    const known = this.byPath.get(path)
    if (known?.uid === uid) return known
    const folder = known?.folder ?? IndexFolder.openForReading(path)
    folder.nameAs(uid)
    return new SearchIndex(uid, folder, this.words)
  }

  /** Drops what was derived from an index; its folder stays open. */
  forget(path: string): void {
    const known = this.byPath.get(path)
    if (known !== undefined) this.byPath.set(path, new SearchIndex(known.uid, known.folder, this.words))
  }

  /** To be called between searches. */
  async closeSurplus(): Promise<void> {
    this.forgetSurplus()
    while (this.byPath.size > MAX_OPEN_INDEXES) await this.release(this.byPath.keys().next().value!)
  }

  /** Those that were searched longest ago go first, the last one never. */
  private forgetSurplus(): void {
    let bytes = 0
    for (const { sizeBytes } of this.byPath.values()) bytes += sizeBytes
    let left = this.byPath.size
    for (const [path, { sizeBytes }] of this.byPath) {
      if (bytes <= this.maxKeptBytes || --left === 0) return
      if (sizeBytes > 0) this.forget(path)
      bytes -= sizeBytes
    }
  }

  async release(path: string): Promise<void> {
    const index = this.byPath.get(path)
    this.byPath.delete(path)
    await index?.folder.close()
  }

  async closeAll(): Promise<void> {
    for (const path of [...this.byPath.keys()]) await this.release(path)
  }
}
