import { mkdir, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import { UnfinishedFile } from '../archive/unfinished-file.js'

/** Where a snapshot goes. Either `finish` or `abandon` is called, after the stream has ended. */
export interface SnapshotTarget {
  readonly stream: Writable
  /** The snapshot is in its place, in one piece, when this resolves. */
  finish(): Promise<void>
  /** Leaves nothing behind. */
  abandon(): Promise<void>
}

/** Nobody should change a snapshot. */
const READ_ONLY = 0o444

/** A file that takes the place of the snapshot before it. */
export async function fileTarget(path: string, owner: string): Promise<SnapshotTarget> {
  await mkdir(dirname(path), { recursive: true })
  const file = new UnfinishedFile(path, owner)
  // Opened here, where a failure has somebody who hears of it: a stream tells it to nobody until it is listened to.
  const handle = await open(file.path, 'w')
  return {
    stream: handle.createWriteStream(),
    finish: () => file.finish(READ_ONLY),
    abandon: () => rm(file.path, { force: true }),
  }
}
