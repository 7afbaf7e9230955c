import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseUuid } from '../../shape/index.js'

const FILE = 'instance-uid'

/** The uid of a server that was made from a dump; null when it has none. */
export function readInstanceUid(dbPath: string): string | null {
  try {
    return parseUuid(readFileSync(join(dbPath, FILE), 'utf8').trim()) ?? null
  } catch {
    return null
  }
}

/** Nothing depends on it: a failure does not matter (spec 2 §6.3). */
export function writeInstanceUid(dbPath: string, uid: string): void {
  try {
    writeFileSync(join(dbPath, FILE), uid)
  } catch {
    // The next dump has none.
  }
}
