import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { IndexFolder } from './folder/index-folder.js'

const cleanups: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

/** An index folder that vanishes when the tests are done. */
export function temporaryIndex(): IndexFolder {
  const path = mkdtempSync(join(tmpdir(), 'findling-index-'))
  const folder = IndexFolder.open(path)
  cleanups.push(async () => {
    await folder.close()
    rmSync(path, { recursive: true, force: true })
  })
  return folder
}
