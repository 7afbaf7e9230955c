import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { Environment } from '../store/index.js'
import { IndexFolder } from './folder/index-folder.js'

const cleanups: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

/** An index folder that vanishes when the tests are done. */
export function temporaryIndex(): IndexFolder {
  return kept(IndexFolder.open(mkdtempSync(join(tmpdir(), 'findling-index-'))))
}

/** One of the first format: without checksums, and without a mark. */
export async function olderIndex(): Promise<IndexFolder> {
  const path = mkdtempSync(join(tmpdir(), 'findling-index-'))
  await Environment.open(path).close()
  return kept(IndexFolder.open(path))
}

function kept(folder: IndexFolder): IndexFolder {
  const { path } = folder.environment
  cleanups.push(async () => {
    await folder.close()
    rmSync(path, { recursive: true, force: true })
  })
  return folder
}
