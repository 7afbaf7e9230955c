/** What LMDB calls a transaction that has changed more pages than it can list. */
const TRANSACTION_FULL = -30_788

/** Not every write that finds no room says so: whatever comes next in that transaction does. */
const TRANSACTION_BROKEN = -30_782

export function foundNoRoom(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === TRANSACTION_FULL || code === TRANSACTION_BROKEN
}

/** A slice of a transaction found no room: see `Environment.inSlice`. The same work has room without slices. */
export class SlicesFull extends Error {
  constructor(cause: unknown) {
    super('a slice of a transaction found no room', { cause })
    this.name = 'SlicesFull'
  }
}
