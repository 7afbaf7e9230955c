import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BadArchive, extractArchive } from '../../backup/index.js'
import type { Config } from '../../config/index.js'
import { beginImport, inspectVersion, undoImport } from '../data-folder.js'
import { importError } from './import-error.js'

/** What a data folder cannot be without. */
const NEEDED = ['VERSION', 'tasks/data.mdb', 'auth/data.mdb']

/**
 * Makes the data folder that a snapshot is a copy of. It counts as empty until `endImport`, so that a cut-off restoration
 * leaves nothing that looks like one. Answers the older version that it has to be upgraded from, or null.
 */
export async function restoreSnapshot({ dbPath }: Config, path: string): Promise<string | null> {
  beginImport(dbPath)
  try {
    await extractArchive({ path, folder: dbPath, isDurable: true })
    const missing = NEEDED.find((name) => !existsSync(join(dbPath, ...name.split('/'))))
    if (missing !== undefined) throw new BadArchive(`${missing} is missing`)
    return inspectVersion(dbPath, { upgradeInPlace: true })
  } catch (error) {
    undoImport(dbPath)
    throw importError(error, { kind: 'snapshot', path })
  }
}
