/** What LMDB calls a transaction that has changed more pages than it can list. */
const TRANSACTION_FULL = -30_788

export function isTransactionFull(error: unknown): boolean {
  return (error as { code?: unknown }).code === TRANSACTION_FULL
}

/** A slice of a transaction found no room: see `Environment.inSlice`. The same work has room without slices. */
export class SlicesFull extends Error {
  constructor(cause: unknown) {
    super('a slice of a transaction found no room', { cause })
    this.name = 'SlicesFull'
  }
}
