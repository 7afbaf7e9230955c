import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { CLI } from '../server.js'
import { FIXTURE_VERSION } from './content.js'

const BUILT = dirname(CLI)

/** The built program under an older version: it takes data folders of that version, and of no other. */
export class PreviousProgram {
  private readonly folder = mkdtempSync(join(tmpdir(), 'findling-previous-'))

  constructor(current: string) {
    const dist = join(this.folder, 'dist')
    // Bytecode is of the program as it was compiled.
    cpSync(BUILT, dist, { recursive: true, filter: (path) => !path.endsWith('compiled') })
    for (const name of readdirSync(dist).filter((each) => /\.c?js$/.test(each))) {
      const source = readFileSync(join(dist, name), 'utf8')
      writeFileSync(join(dist, name), source.replaceAll(`"${current}"`, `"${FIXTURE_VERSION}"`))
    }
    cpSync(join(BUILT, '..', 'package.json'), join(this.folder, 'package.json'))
    symlinkSync(join(BUILT, '..', 'node_modules'), join(this.folder, 'node_modules'))
  }

  get cli(): string {
    return join(this.folder, 'dist', 'cli.js')
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
