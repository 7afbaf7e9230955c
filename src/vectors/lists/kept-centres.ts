import type { Database } from '../../store/index.js'
import type { Centres } from './centres.js'
import type { ListsRecord } from './list-layout.js'

interface Kept {
  readonly database: Database
  readonly embedder: number
  readonly record: ListsRecord
  readonly centres: Centres
}

/** The centres of the last transaction of a thread: small changes that follow each other need not read them again. */
export class KeptCentres {
  private kept: Kept | undefined

  keep(kept: Kept): void {
    this.kept = kept
  }

  /** Nobody else may find them while they change: a transaction that fails must leave none that never were. */
  take({ database, embedder, stored }: Omit<Kept, 'record' | 'centres'> & { stored: ListsRecord | undefined }) {
    const found = this.kept
    if (found?.database !== database || found.embedder !== embedder) return undefined
    this.kept = undefined
    const isSame = found.record.changedIn === stored?.changedIn && found.record.count === stored.count
    return isSame ? found.centres : undefined
  }
}
