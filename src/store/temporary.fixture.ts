import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from './at-end.fixture.js'
import { Environment } from './environment.js'

/** A folder that vanishes when the tests of the file are done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'findling-test-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** An environment that is closed when the tests of the file are done. */
export function temporaryEnvironment(): Environment {
  const environment = Environment.open(temporaryFolder(), { maxDatabases: 32 })
  atEnd(() => environment.close())
  return environment
}
