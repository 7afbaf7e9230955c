/** What a server tells the others of itself, twice a second and when it changes. */
export interface MemberReport {
  readonly name: string
  /** Where clients and other servers reach it. */
  readonly url: string | null
  readonly version: string
  /** May answer: its data are, or are about to be, those of the others. */
  readonly isReady: boolean
  /** Places in the log: everything registered, and the last batch that was carried out. */
  readonly registered: number
  readonly carriedOut: number
  readonly isCoordinator: boolean
  /** The first place the log still has, as far as this server trimmed it. */
  readonly trimmedBelow: number
  /** The last batch whose webhooks were sent. */
  readonly notified: number
}

/** A report, and how long ago it came. */
export interface HeardMember extends MemberReport {
  readonly silentMs: number
}

/** A server that is not heard for so long is not waited for. It notices before, and says that it is not ready. */
const SILENCE_MS = 3_000

interface Waiting {
  readonly sequence: number
  readonly done: () => void
}

/** What is known of the other servers. */
export class Members {
  private readonly reports = new Map<string, { readonly report: MemberReport; readonly at: number }>()
  private waiting: Waiting[] = []

  constructor(private readonly now: () => number = () => performance.now()) {}

  hear(report: MemberReport): void {
    this.reports.set(report.name, { report, at: this.now() })
    this.check()
  }

  list(): HeardMember[] {
    const now = this.now()
    return Array.from(this.reports.values(), ({ report, at }) => ({ ...report, silentMs: now - at }))
  }

  forget(name: string): void {
    this.reports.delete(name)
    this.check()
  }

  /** Resolves when all others that may answer have carried out the batch at a place. */
  carriedOut(sequence: number): Promise<void> {
    return new Promise((done) => {
      this.waiting.push({ sequence, done })
      this.check()
    })
  }

  /** To be called now and then: a server that is silent for long is not waited for. */
  check(): void {
    if (this.waiting.length === 0) return
    const ready = this.list().filter(({ isReady, silentMs }) => isReady && silentMs < SILENCE_MS)
    const least = Math.min(...ready.map(({ carriedOut }) => carriedOut))
    const done = this.waiting.filter(({ sequence }) => sequence <= least)
    this.waiting = this.waiting.filter(({ sequence }) => sequence > least)
    for (const each of done) each.done()
  }
}

export const encodeReport = (report: MemberReport): Buffer => Buffer.from(JSON.stringify(report))

/** Undefined for what no server of this version said. */
export function decodeReport(bytes: Uint8Array): MemberReport | undefined {
  try {
    const report = JSON.parse(Buffer.from(bytes).toString()) as MemberReport
    return typeof report.name === 'string' && typeof report.carriedOut === 'number' ? report : undefined
  } catch {
    return undefined
  }
}
