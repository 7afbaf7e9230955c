import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { join } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import { Script } from 'node:vm'

/**
 * Loads the built program, with the bytecode that V8 made of it when the program was built: compiling took more than a
 * third of a start. See docs/decisions/010-compiled-when-built.md.
 *
 * Bytecode fits one version of V8, its options and the processor; its folder is named after them. Where it does not fit,
 * Node loads the same files in its own way, with its own cache where it has one (22.1 and later).
 */
export function launch(entry: string): unknown {
  const compiled = join(import.meta.dirname, 'compiled', String(cachedDataVersionTag()))
  if (existsSync(compiled)) return new Program(join(compiled, entry)).load(`${entry}.cjs`)
  module.enableCompileCache?.()
  return require(`./${entry}.cjs`)
}

const require = createRequire(import.meta.url)

/** How often a thread writes down what it compiled, while the program is being built. */
const KEEP_MS = 250
const PARAMETERS = 'exports, require, module, __filename, __dirname'
type Wrapped = (exports: unknown, require: unknown, module: Loaded, file: string, folder: string) => void
interface Loaded {
  exports: unknown
}

/** The files of one thread. Each thread has bytecode of its own: of a shared file it holds the functions this one needs. */
class Program {
  private readonly loaded = new Map<string, Loaded>()
  private readonly scripts = new Map<string, Script>()

  constructor(private readonly compiled: string) {
    if (process.env.FINDLING_BUILDS === '1') setInterval(() => this.keep(), KEEP_MS).unref()
  }

  load(name: string): unknown {
    const known = this.loaded.get(name)
    if (known) return known.exports
    const file = join(import.meta.dirname, name)
    const loaded: Loaded = { exports: {} }
    this.loaded.set(name, loaded)
    const run: Wrapped = this.compile(name, file).runInThisContext()
    run(loaded.exports, this.require, loaded, file, import.meta.dirname)
    return loaded.exports
  }

  private readonly require = (id: string) => (id.startsWith('./') ? this.load(id.slice(2)) : require(id))

  private compile(name: string, filename: string): Script {
    const source = `(function (${PARAMETERS}) {${readFileSync(filename, 'utf8')}\n})`
    const cachedData = readIfThere(join(this.compiled, name))
    const script = new Script(source, { filename, cachedData })
    this.scripts.set(name, script)
    return script
  }

  private keep(): void {
    mkdirSync(this.compiled, { recursive: true })
    for (const [name, script] of this.scripts) {
      const path = join(this.compiled, name)
      writeFileSync(`${path}.new`, script.createCachedData())
      renameSync(`${path}.new`, path)
    }
  }
}

function readIfThere(path: string): Buffer | undefined {
  return existsSync(path) ? readFileSync(path) : undefined
}
