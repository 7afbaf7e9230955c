import type { Ledger } from '../ledger/ledger.js'
import type { ReplicatedLog } from '../log/model.js'
import type { HeardMember } from './members.js'
import type { ReplicatedState } from './replicated-state.js'

/** How often the log is trimmed, and how old what is trimmed is at least: who copies a server's data needs time to catch up. */
const EVERY_MS = 60_000
const KEPT_MS = 3_600_000

/** The log waits so long for a server that is away. Who comes back later takes a copy of another server's data. */
const FORGOTTEN_MS = 24 * 3_600_000

export interface TrimmerOptions {
  readonly ledger: Ledger
  readonly state: ReplicatedState
  /** Runs work in a transaction of the ledger. */
  readonly write: (work: () => void) => Promise<void>
  readonly now?: () => number
}

/** Trims the log to what all servers had carried out an hour ago, with the blobs that belong to it. */
export class Trimmer {
  private readonly seen: { readonly at: number; readonly done: number }[] = []
  private trimmedBelow = 0

  constructor(private readonly options: TrimmerOptions) {}

  /** To be called often. All servers keep account; the coordinator trims. */
  async trim(log: ReplicatedLog, others: readonly HeardMember[], isCoordinator: boolean): Promise<void> {
    const below = this.due(others)
    if (below === undefined || below <= this.trimmedBelow) return
    if (isCoordinator) await this.trimBelow(log, below)
    else await this.forgetBlobs(below)
    this.trimmedBelow = below
  }

  private due(others: readonly HeardMember[]): number | undefined {
    const now = (this.options.now ?? (() => performance.now()))()
    const last = this.seen[this.seen.length - 1]
    if (last !== undefined && now - last.at < EVERY_MS) return undefined
    const awaited = others.filter(({ silentMs }) => silentMs < FORGOTTEN_MS)
    this.seen.push({
      at: now,
      done: Math.min(this.options.ledger.carriedOut, ...awaited.map((each) => each.carriedOut)),
    })
    let below: number | undefined
    while (this.seen[0] !== undefined && now - this.seen[0].at >= KEPT_MS) below = this.seen.shift()!.done
    return below
  }

  private async trimBelow(log: ReplicatedLog, below: number): Promise<void> {
    const { ledger, state } = this.options
    // The last entry of a kind keeps everything behind it, and state may not change for months.
    if (ledger.lastOf('state') < below) await state.touch()
    for (const { ref } of ledger.retiredBelow(below)) await log.deleteBlob(ref)
    await this.forgetBlobs(below)
    await log.trim(below)
  }

  private async forgetBlobs(below: number): Promise<void> {
    const { ledger, write } = this.options
    await write(() => {
      for (const { key } of [...ledger.retiredBelow(below)]) ledger.forget(key)
    })
  }
}
