import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** What a package exports that may be installed next to this server; undefined when it is not. */
export function loadOptional(name: string): unknown {
  try {
    return require(name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}
