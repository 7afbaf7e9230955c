import type { IndexFolder } from '../../folder/index.js'
import { SlicesFull } from '../../store/index.js'

/** One transaction of upkeep: see `inSlices`. */
export function maintainInSlices(folder: IndexFolder, work: () => void): void {
  inSlices(
    () => folder.maintain(work),
    () => {},
  )
}

/** A transaction that is begun again, after `undo`, where slices of it find no room: then without them. See `Environment.inSlice`. */
export function inSlices<T>(transact: () => T, undo: () => void): T {
  try {
    return transact()
  } catch (error) {
    if (!(error instanceof SlicesFull)) throw error
    undo()
    return transact()
  }
}
