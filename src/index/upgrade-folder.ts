import { type IndexDatabases, IndexFolder, NEWEST_FORMAT, readSettings } from '../folder/index.js'
import type { Database } from '../store/index.js'
import { JobCancelled } from '../threads/index.js'
import { type IndexStats, indexStats } from './index-stats.js'

/** Bytes that are copied in one transaction: they wait in memory until its end. */
const STEP_BYTES = 32 << 20

/**
 * Copies an index of an older format into a new folder, in the newest one; answers what the copy says of itself, or
 * undefined when there is nothing to do. All of it is on disk when it resolves. Throws when the index cannot be read,
 * and `JobCancelled` when it was stopped; the index itself is never changed, and whoever asked deletes what was copied.
 */
export async function upgradeFolder(
  from: IndexFolder,
  toPath: string,
  isCancelled: () => boolean,
): Promise<IndexStats | undefined> {
  if (from.format === NEWEST_FORMAT) {
    checkReadable(from)
    return undefined
  }
  const to = IndexFolder.open(toPath)
  try {
    const names = Object.keys(from.databases) as (keyof IndexDatabases)[]
    for (const name of names) {
      const copying = copySteps(from.databases[name], to.databases[name])
      while (!to.environment.writeSync(() => copying.next().done)) if (isCancelled()) throw stopped(copying)
    }
    return checkReadable(to)
  } finally {
    await to.close()
  }
}

/** Each turn copies a part, in the order of the keys. */
function* copySteps(from: Database, to: Database): Generator<void, void, void> {
  let sizeBytes = 0
  for (const { key, value } of from.range()) {
    to.append(key, value)
    sizeBytes += key.length + value.length
    if (sizeBytes < STEP_BYTES) continue
    sizeBytes = 0
    yield
  }
}

function stopped(copying: Generator): JobCancelled {
  copying.return(undefined)
  return new JobCancelled()
}

/** Reads what everything else depends on. */
function checkReadable(folder: IndexFolder): IndexStats {
  readSettings(folder)
  return indexStats(folder)
}
