export interface OpenFoldersOptions<T> {
  /** How many stay open. */
  readonly max: number
  open(path: string): T
  /** `opened` is undefined when a folder is released that was not open. */
  close(opened: T | undefined, path: string): Promise<void>
  /** Whether a folder has to stay open for now. */
  isHeld?(path: string): boolean
}

/** What was opened by path and stays open between uses; of too many, the one used longest ago is closed first. */
export class OpenFolders<T> {
  /** The one used last is last. */
  private readonly byPath = new Map<string, T>()

  constructor(private readonly options: OpenFoldersOptions<T>) {}

  get(path: string, open: (path: string) => T = this.options.open): T {
    const opened = this.byPath.get(path) ?? open(path)
    this.byPath.delete(path)
    this.byPath.set(path, opened)
    return opened
  }

  has(path: string): boolean {
    return this.byPath.has(path)
  }

  /** The one used longest ago first. */
  all(): Iterable<T> {
    return this.byPath.values()
  }

  /** More folders are open than should be. */
  get isCrowded(): boolean {
    return this.byPath.size > this.options.max
  }

  /** To be called between uses of folders. */
  async closeSurplus(): Promise<void> {
    for (const path of [...this.byPath.keys()]) {
      if (!this.isCrowded) return
      if (!this.options.isHeld?.(path)) await this.release(path)
    }
  }

  /** Closes a folder, so that it can be deleted. */
  async release(path: string): Promise<void> {
    const opened = this.byPath.get(path)
    this.byPath.delete(path)
    await this.options.close(opened, path)
  }

  async closeAll(): Promise<void> {
    for (const path of [...this.byPath.keys()]) await this.release(path)
  }
}
