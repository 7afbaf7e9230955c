import type { Incarnation, SimulatedServer } from './server.fixture.js'
import type { SimulatedStream } from './stream.fake.js'

/** Sees what clients and webhooks see while it happens. */
export class Witness {
  private readonly notifiedBatches = new Set<number>()
  /** Which process carried out what: those that died are not asked for webhooks. */
  private readonly shownBy = new Map<number, Set<Incarnation>>()

  constructor(
    private readonly servers: readonly SimulatedServer[],
    private readonly violation: (what: string) => void,
    private readonly trace: (line: string) => void,
  ) {}

  /** Who waits for a task and then asks another server that answers has to find there what the task did. */
  shown(server: SimulatedServer, sequence: number): void {
    this.trace(`${server.name}: shows batch ${sequence}`)
    const seen = this.shownBy.get(sequence) ?? new Set()
    if (server.running !== undefined) seen.add(server.running)
    this.shownBy.set(sequence, seen)
    this.checkOthers(server, sequence)
  }

  /** To be called now and then: a server that has just become ready may show what it carried out long ago. */
  look(): void {
    for (const server of this.servers) {
      if (!answers(server.running)) continue
      const { ledger, queue } = server.running
      const { carriedOut } = ledger
      if (!queue.unconfirmed.has(carriedOut)) this.checkOthers(server, carriedOut)
    }
  }

  private checkOthers(server: SimulatedServer, sequence: number): void {
    for (const other of this.servers)
      if (answers(other.running) && other.running.ledger.carriedOut < sequence)
        this.violation(`${server.name} shows batch ${sequence} while ${other.name} answers without it`)
  }

  notified(server: SimulatedServer, sequence: number): void {
    this.trace(`${server.name}: sends webhooks of batch ${sequence}`)
    this.notifiedBatches.add(sequence)
  }

  /** At the end: whoever lived since it carried out a batch has seen to its webhooks. */
  checkNotified({ entries }: SimulatedStream): void {
    const running = this.servers.flatMap((server) => server.running ?? [])
    for (const { kind, sequence } of entries) {
      if (kind !== 'batch' || this.notifiedBatches.has(sequence)) continue
      const seen = this.shownBy.get(sequence)
      if (running.some((each) => seen?.has(each))) this.violation(`nobody sent the webhooks of batch ${sequence}`)
    }
  }
}

const answers = (running: Incarnation | undefined): running is Incarnation =>
  running !== undefined && !running.isClosing && !running.process.isStopped && running.member.isReady
