#!/usr/bin/env node
import module, { createRequire } from 'node:module'
import type { Script } from 'node:vm'

/**
 * What `dist/cli.js` does: it loads the program with the bytecode that V8 made of it when it was built. Compiling took
 * more than a third of a start. See docs/decisions/010-compiled-when-built.md.
 *
 * Bytecode fits one version of V8, its options and the processor; its folder is named after them. Where it does not fit,
 * Node loads the same files in its own way, with its own cache where it has one (22.1 and later).
 */
const require = createRequire(import.meta.url)
// Not imported: modules of Node have all that they export read then, and some load others for it.
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } =
  require('node:fs') as typeof import('node:fs')
const { join } = require('node:path') as typeof import('node:path')
const { cachedDataVersionTag } = require('node:v8') as typeof import('node:v8')
const vm = require('node:vm') as typeof import('node:vm')

const PROGRAM = 'program.cjs'
const HERE = import.meta.dirname
const COMPILED = join(HERE, 'compiled', String(cachedDataVersionTag()))

/** The bytecode is to be written: the program was started by its build. */
const isBuilding = process.env.FINDLING_BUILDS === '1'

/** How often the program writes down what was compiled, while it is being built. */
const KEEP_MS = 250
const PARAMETERS = 'exports, require, module, __filename, __dirname'
type Wrapped = (exports: unknown, require: unknown, module: Loaded, file: string, folder: string) => void
interface Loaded {
  exports: unknown
}

class Program {
  private readonly loaded = new Map<string, Loaded>()
  private readonly scripts = new Map<string, Script>()

  load(name: string): unknown {
    const known = this.loaded.get(name)
    if (known) return known.exports
    const file = join(HERE, name)
    const loaded: Loaded = { exports: {} }
    this.loaded.set(name, loaded)
    const run: Wrapped = this.compile(name, file).runInThisContext()
    run(loaded.exports, this.require, loaded, file, HERE)
    return loaded.exports
  }

  private readonly require = (id: string) => (id.startsWith('./') ? this.load(id.slice(2)) : require(id))

  private compile(name: string, filename: string): Script {
    // The build writes nothing but ASCII.
    const source = `(function (${PARAMETERS}) {${readFileSync(filename, 'latin1')}\n})`
    const cachedData = readIfThere(join(COMPILED, name))
    const script = new vm.Script(source, { filename, cachedData })
    this.scripts.set(name, script)
    return script
  }

  /** Whoever ends the program does not ask it before: so it writes again and again. */
  keep(): void {
    mkdirSync(COMPILED, { recursive: true })
    for (const [name, script] of this.scripts) {
      const path = join(COMPILED, name)
      writeFileSync(`${path}.new`, script.createCachedData())
      renameSync(`${path}.new`, path)
    }
  }
}

function readIfThere(path: string): Buffer | undefined {
  return existsSync(path) ? readFileSync(path) : undefined
}

if (isBuilding || existsSync(COMPILED)) {
  const program = new Program()
  if (isBuilding) setInterval(() => program.keep(), KEEP_MS).unref()
  program.load(PROGRAM)
} else {
  module.enableCompileCache?.()
  require(`./${PROGRAM}`)
}
