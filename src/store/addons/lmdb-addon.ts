import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * The native part of lmdb for the first thread of the built program, which has the rest of the package inside
 * (`rolldown.config.ts`). The package looks through folders and asks which C library there is, for 12 ms of each start; here
 * it is loaded from where npm puts it. Where it is not there, or was made for another system, the package looks for it.
 */
export default function loadLmdbAddon(): unknown {
  const require = createRequire(import.meta.url)
  for (const build of usesGlibc() ? [`abi${process.versions.modules}`, 'napi'] : []) {
    try {
      return require(`@lmdb/lmdb-linux-${process.arch}/node.${build}.glibc.node`)
    } catch {
      // The next one, or the package, may do better.
    }
  }
  const lmdb = require.resolve('lmdb')
  const load = createRequire(lmdb)('node-gyp-build-optional-packages') as (folder: string) => unknown
  return load(dirname(dirname(lmdb)))
}

/** Whether this process runs with glibc, and not with musl, or on another system. */
function usesGlibc(): boolean {
  try {
    return process.platform === 'linux' && readFileSync(MAPPED_FILES, 'latin1').includes('/libc.so.6')
  } catch {
    return false
  }
}

const MAPPED_FILES = join('/proc', 'self', 'maps')
