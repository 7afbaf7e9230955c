import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { Environment } from './environment.js'

/** Run in reverse order. */
const cleanups: (() => Promise<void> | void)[] = []

afterAll(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** A folder that vanishes when the tests of the file are done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'findling-test-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Does something when the tests of the file are done, before their folders vanish. */
export function atEnd(cleanup: () => Promise<void> | void): void {
  cleanups.push(cleanup)
}

/** An environment that is closed when the tests of the file are done. */
export function temporaryEnvironment(): Environment {
  const environment = Environment.open(temporaryFolder(), { maxDatabases: 32 })
  cleanups.push(() => environment.close())
  return environment
}
