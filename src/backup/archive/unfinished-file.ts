import { createHash } from 'node:crypto'
import { open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const SUFFIX = '.unfinished'

/**
 * Marks the files that one data folder writes, so that servers which share a folder for backups leave each other's
 * alone.
 */
export const ownerMark = (dbPath: string): string => createHash('sha256').update(dbPath).digest('hex').slice(0, 8)

/** A file that appears under its name only when all of it is on disk. */
export class UnfinishedFile {
  /** Where it is written until then. */
  readonly path: string

  constructor(
    private readonly target: string,
    owner: string,
  ) {
    this.path = join(dirname(target), `${basename(target)}.${owner}${SUFFIX}`)
  }

  /** Replaces a file of this name. `mode`: of the finished file. */
  async finish(mode?: number): Promise<void> {
    const handle = await open(this.path, 'r+')
    try {
      if (mode !== undefined) await handle.chmod(mode)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(this.path, this.target)
    await syncFolder(dirname(this.target))
  }

  async discard(): Promise<void> {
    await rm(this.path, { recursive: true, force: true })
  }
}

/** Removes what a process that was killed left behind. */
export async function removeUnfinished(folder: string, owner: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.endsWith(`.${owner}${SUFFIX}`)) await rm(join(folder, name), { recursive: true, force: true })
  }
}

/** Windows knows no folders that can be opened, and needs none. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
