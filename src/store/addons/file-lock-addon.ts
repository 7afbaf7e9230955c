import { createRequire } from 'node:module'

/**
 * `fs-native-extensions` for the first thread of the built program (`rolldown.config.ts`). The package tries dozens of names
 * until it finds its native part, for 17 ms of each start; here that is loaded from where the package has it. Where it is
 * not there, or was made for another system, the package looks for it.
 */
interface Addon {
  /** Throws `EAGAIN` when somebody else has locked some of the bytes. */
  tryLock(descriptor: number, offset: number, length: number, isExclusive: boolean): void
}

const { tryLock: lock } = loadAddon()

export function tryLock(descriptor: number, offset: number, length: number): boolean {
  try {
    lock(descriptor, offset, length, true)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return false
    throw error
  }
}

function loadAddon(): Addon {
  const require = createRequire(import.meta.url)
  try {
    return require(`fs-native-extensions/prebuilds/${process.platform}-${process.arch}/fs-native-extensions.node`)
  } catch {
    return require('fs-native-extensions/binding')
  }
}
