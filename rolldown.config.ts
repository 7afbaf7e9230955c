import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { defineConfig, type OutputOptions } from 'rolldown'
import { originOf } from './scripts/origin.js'

const OUTPUT: OutputOptions = {
  dir: '.dist',
  sourcemap: true,
  minify: false,
  // Descriptions are for the source and the declarations.
  comments: { legal: true, annotation: false, jsdoc: false },
}

const { commitSha, commitDate } = originOf(import.meta.dirname)

/**
 * The built program is a handful of files instead of four hundred: loading a module costs Node about a millisecond,
 * in every thread, however little is in it. See docs/decisions/003-bundled-build.md.
 */
const BUNDLED = {
  platform: 'node',
  // Importing a module does nothing but define things: what a thread does not use of a room it does not load. Calls of
  // global functions whose answer nobody looks at are left out as well; test/ignored-answers.test.ts keeps us from any.
  treeshake: { moduleSideEffects: (id: string) => id.includes('node_modules') },
  external: isOutside,
  // What GET /version says (src/config/version.ts).
  transform: {
    define: { FINDLING_COMMIT_SHA: JSON.stringify(commitSha), FINDLING_COMMIT_DATE: JSON.stringify(commitDate) },
  },
} as const

/** The doors of the package, and the threads. */
const modules = defineConfig({
  ...BUNDLED,
  input: { index: 'src/index.ts', engine: 'src/engine.ts', ...workers() },
  output: { ...OUTPUT, format: 'esm', chunkFileNames: '[name].js' },
})

/** The first thread, as src/launch.ts can load it together with its bytecode, which knows no `import()`. */
const program = defineConfig({
  ...BUNDLED,
  input: { program: 'src/cli.ts' },
  output: {
    ...OUTPUT,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    dynamicImportInCjs: false,
  },
})

/** `dist/cli.js`, which everybody starts. */
const launch = defineConfig({
  input: { cli: 'src/launch.ts' },
  platform: 'node',
  output: { ...OUTPUT, format: 'esm' },
})

export default [modules, program, launch]

/** Packages of many small files that every start needs; they go inside, with what they are made of. */
const INSIDE = /^(find-my-way|pino|commander)$/
/** What those packages load only when asked to, which we never do. */
const UNUSED = /^thread-stream$/

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
