import type { Logger } from '../../log/index.js'
import { StateEntries } from '../../store/index.js'
import type { ReplicatedState } from './replicated-state.js'
import type { Runtime } from './runtime.js'

/** A server that belongs to the cluster. */
export interface RosterEntry {
  readonly name: string
  readonly url: string | null
}

const NAME = 'members'
const RETRY_MS = 1_000

const codec = {
  encode: (entry: RosterEntry) => Buffer.from(JSON.stringify(entry)),
  decode: (bytes: Buffer) => JSON.parse(bytes.toString()) as RosterEntry,
}

export interface RosterOptions {
  readonly self: RosterEntry
  readonly state: ReplicatedState
  readonly runtime: Runtime
  readonly closing: AbortSignal
  readonly log: Logger
  /** Called when servers came or went. */
  readonly onChange: () => void
}

/** The servers of the cluster, as all of them know them. */
export class Roster {
  private readonly entries: StateEntries<RosterEntry>
  private isEnrolling = false
  private hasBegun = false

  constructor(private readonly options: RosterOptions) {
    this.entries = new StateEntries(options.state, NAME, codec)
    options.state.follow(NAME, () => {
      options.onChange()
      if (this.hasBegun) void this.enrol()
    })
  }

  /** Enters this server: all know of it before it answers anybody. */
  begin(): void {
    this.hasBegun = true
    void this.enrol()
  }

  get isEnrolled(): boolean {
    const { name, url } = this.options.self
    const entry = this.entries.get(name)
    return entry !== undefined && entry.url === url
  }

  others(): RosterEntry[] {
    return this.entries.values().filter(({ name }) => name !== this.options.self.name)
  }

  async remove(name: string): Promise<void> {
    await this.entries.change((entries) => entries.delete(name))
  }

  /** Again if somebody took it out while it was away. */
  private async enrol(): Promise<void> {
    const { self, closing, log, runtime } = this.options
    if (this.isEnrolling) return
    this.isEnrolling = true
    while (!closing.aborted && !this.isEnrolled) {
      try {
        await this.entries.change((entries) => entries.put(self.name, self))
      } catch (error) {
        if (closing.aborted) break
        log.warn({ error }, 'this server could not enter itself among those of the cluster, which is tried again')
        await runtime.pause(RETRY_MS, closing)
      }
    }
    this.isEnrolling = false
  }
}
