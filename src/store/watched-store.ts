import type { Database as LmdbDatabase } from 'lmdb'
import { EntryHash, type EntrySum } from './entry-sum.js'

type Store = LmdbDatabase<Buffer, Buffer>

interface Watching {
  /** Of the database. */
  readonly name: string
  /** What goes is subtracted, what comes is added. */
  readonly sum: EntrySum
  /** Entries that do not count. */
  readonly isLeftOut: (key: Uint8Array) => boolean
}

interface PutOptions {
  readonly append?: boolean
  readonly noOverwrite?: boolean
}

/** The same store of lmdb-js, of whose changes a sum is kept. A store that is not watched does not know of this. */
export function watchedStore(store: Store, { name, sum, isLeftOut }: Watching): Store {
  const hash = new EntryHash(name)

  const subtractStored = (key: Buffer) => {
    const stored = store.getBinaryFast(key) as Buffer | undefined
    // It claims to be as long as the value, and is longer.
    if (stored !== undefined) sum.subtract(hash.of(key, stored.subarray(0, stored.length)))
  }

  const methods = {
    putSync(key: Buffer, value: Buffer, options?: PutOptions): boolean {
      const counts = !isLeftOut(key)
      // Otherwise nothing is written unless the key is new.
      if (counts && !options?.append && !options?.noOverwrite) subtractStored(key)
      const isPut = store.putSync(key, value, options as never) as unknown as boolean
      if (counts && isPut) sum.add(hash.of(key, value))
      return isPut
    },
    removeSync(key: Buffer): boolean {
      if (!isLeftOut(key)) subtractStored(key)
      return store.removeSync(key)
    },
    clearSync(): void {
      for (const { key, value } of store.getRange({})) if (!isLeftOut(key)) sum.subtract(hash.of(key, value))
      store.clearSync()
    },
  }
  return Object.assign(Object.create(store) as Store, methods)
}
