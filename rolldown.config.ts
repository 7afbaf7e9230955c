import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { defineConfig, type OutputOptions, type Plugin } from 'rolldown'
import { originOf } from './scripts/origin.js'

const OUTPUT: OutputOptions = {
  dir: '.dist',
  sourcemap: true,
  minify: false,
  // Descriptions are for the source and the declarations.
  comments: { legal: true, annotation: false, jsdoc: false },
}

/** Packages that take long to find their native part, and what finds it at once. */
const ADDONS = new Map([
  ['node-gyp-build-optional-packages', join(import.meta.dirname, 'src/store/addons/lmdb-addon.ts')],
  ['fs-native-extensions', join(import.meta.dirname, 'src/store/addons/file-lock-addon.ts')],
])

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
  plugins: [substitute()],
  input: { index: 'src/index.ts', engine: 'src/engine.ts', ...workers() },
  output: { ...OUTPUT, format: 'esm', chunkFileNames: '[name].js' },
})

/** The first thread, as src/launch.ts can load it together with its bytecode, which knows no `import()`. */
const program = defineConfig({
  ...BUNDLED,
  external: (id, importer) => !ADDONS.has(id) && id !== 'lmdb' && isOutside(id, importer),
  resolve: { alias: Object.fromEntries(ADDONS) },
  plugins: [substitute(), writeAscii()],
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

function isOutside(id: string, importer: string | undefined): boolean {
  return /^[a-z@]/.test(id) && !INSIDE.test(id) && !isOfPackage(importer)
}

function isOfPackage(importer: string | undefined): boolean {
  return importer?.includes('node_modules') ?? false
}

/** One byte for each character, so that files are read at once. What is not ASCII stands in texts and expressions. */
function writeAscii(): Plugin {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return {
    name: 'write-ascii',
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk') file.code = file.code.replace(/[^\0-\x7f]/g, escaped)
      }
    },
  }
}

/** What packages load at once and use for nothing that we do: threads and processes, values in MessagePack. */
const NOTHING = 'module.exports = null'
/** They call it, and use no more of it. */
const ASSERT = 'module.exports = (isTrue, message) => { if (!isTrue) throw new Error(message) }'

const SUBSTITUTES = new Map([
  ['thread-stream', NOTHING],
  ['node:child_process', NOTHING],
  ['msgpackr-extract', NOTHING],
  ['assert', ASSERT],
  ['node:assert', ASSERT],
])

/** Spares starts the loading of modules of which the packages inside use little or nothing. */
function substitute(): Plugin {
  const PREFIX = '\0substitute:'
  return {
    name: 'substitute',
    resolveId: (id, importer) => (SUBSTITUTES.has(id) && isOfPackage(importer) ? PREFIX + id : null),
    load: (id) => (id.startsWith(PREFIX) ? SUBSTITUTES.get(id.slice(PREFIX.length)) : null),
  }
}

/** Threads are started, not imported. Everything is written to one folder, so `./x-worker.js` is found from anywhere. */
function workers(): Record<string, string> {
  const paths = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('-worker.ts'))
  return Object.fromEntries(paths.map((path) => [basename(path, '.ts'), join('src', path)]))
}
