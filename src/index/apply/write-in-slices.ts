import type { IndexFolder } from '../../folder/index.js'
import { SlicesFull } from '../../store/index.js'

/** One transaction. Where slices of it find no room it is done again, without them: see `Environment.inSlice`. */
export function writeInSlices<T>(folder: IndexFolder, work: () => T, undo: () => void = () => {}): T {
  try {
    return folder.write(work)
  } catch (error) {
    if (!(error instanceof SlicesFull)) throw error
    undo()
    return folder.write(work)
  }
}
