import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { defineConfig, type OutputOptions, type Plugin } from 'rolldown'

const OUTPUT: OutputOptions = {
  dir: '.dist',
  sourcemap: true,
  minify: false,
  // Descriptions are for the source and the declarations.
  comments: { legal: true, annotation: false, jsdoc: false },
}

/**
 * The built program is a handful of files instead of four hundred: loading a module costs Node about a millisecond,
 * in every thread, however little is in it. See docs/decisions/003-bundled-build.md.
 */
const program = defineConfig({
  input: { cli: 'src/cli.ts', index: 'src/index.ts', engine: 'src/engine.ts', ...workers() },
  platform: 'node',
  plugins: [starters()],
  // Importing a module does nothing but define things: what a thread does not use of a room it does not load. Calls of
  // global functions whose answer nobody looks at are left out as well; test/ignored-answers.test.ts keeps us from any.
  treeshake: { moduleSideEffects: (id) => id.includes('node_modules') },
  external: isOutside,
  // What src/launch.ts can load together with its bytecode, which knows no `import()`.
  output: {
    ...OUTPUT,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    dynamicImportInCjs: false,
  },
})

const launch = defineConfig({
  input: { launch: 'src/launch.ts' },
  platform: 'node',
  output: { ...OUTPUT, format: 'esm', cleanDir: false },
})

export default [program, launch]

/** Packages of many small files that every start needs; they go inside, with what they are made of. */
const INSIDE = /^(fastify|pino|commander)$/
/** What those packages load only when asked to, which we never do. */
const UNUSED = /^(@fastify\/(ajv|fast-json-stringify)-compiler|light-my-request|thread-stream)$/

function isOutside(id: string, importer: string | undefined): boolean {
  const isPackage = /^[a-z@]/.test(id)
  const isInside = INSIDE.test(id) || (importer?.includes('node_modules') ?? false)
  return isPackage && (UNUSED.test(id) || !isInside)
}

/** Threads are started, not imported. Everything is written to one folder, so `./x-worker.js` is found from anywhere. */
function workers(): Record<string, string> {
  const paths = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('-worker.ts'))
  return Object.fromEntries(paths.map((path) => [basename(path, '.ts'), join('src', path)]))
}

/** For each entry the module that is named outside (`dist/cli.js`): it launches the built file and has its exports. */
function starters(): Plugin {
  return {
    name: 'starters',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk' || !file.isEntry) continue
        this.emitFile({ type: 'asset', fileName: `${file.name}.js`, source: starter(file.name, file.exports) })
      }
    },
  }
}

function starter(entry: string, names: readonly string[]): string {
  const call = `launch(${JSON.stringify(entry)})`
  const line = names.length > 0 ? `export const { ${names.join(', ')} } = ${call}` : call
  return `#!/usr/bin/env node\nimport { launch } from './launch.js'\n\n${line}\n`
}
