import type { RosterEntry } from './roster.js'

/** What a server tells the others of itself, twice a second and when it changes. */
export interface MemberReport {
  readonly name: string
  /** Where clients and other servers reach it. */
  readonly url: string | null
  readonly version: string
  /** May answer: see `Readiness`. */
  readonly isReady: boolean
  /** Is ready or about to be: no task may be shown as finished that it has not carried out. See `Standing`. */
  readonly awaited: string | null
  /** Has listened long enough to know whom to wait for. */
  readonly isSettled: boolean
  /** For whom it waits, by name, with what they asked by. */
  readonly waitsFor: Readonly<Record<string, string>>
  /** The last batch that it has shown as finished. */
  readonly shown: number
  /** Knows that a majority of the log is there. */
  readonly isProven: boolean
  /** Places in the log: everything registered, and the last batch that was carried out. */
  readonly registered: number
  readonly carriedOut: number
  readonly isCoordinator: boolean
  /** The last batch whose webhooks were sent, as far as this server knows. */
  readonly notified: number
}

/** A report, and how long ago it came. */
export interface HeardMember extends MemberReport {
  readonly silentMs: number
}

/** A server that is not heard for so long is not waited for. One that is cut off says before that it is not ready. */
const SILENCE_MS = 13_000
/** So long after its start a server has heard of all the others. */
const SETTLED_MS = 1_500
/** Reports that are missing for so long make the others look whether that server is still there. */
const SUSPECT_MS = 1_200

interface Known {
  readonly report: MemberReport
  readonly at: number
  /** False for one that only belongs to the cluster. */
  readonly isHeard: boolean
  /** Nobody listens under its address: it cannot answer anybody. */
  isGone: boolean
  isProbed: boolean
}

interface Waiting {
  readonly sequence: number
  readonly done: () => void
}

/** What is assumed of a server that was not heard since the start. */
const UNHEARD = {
  version: '',
  isReady: false,
  awaited: '',
  isSettled: false,
  waitsFor: {},
  shown: 0,
  isProven: false,
  registered: 0,
  carriedOut: 0,
  isCoordinator: false,
  notified: 0,
} as const

export interface MembersOptions {
  /** Whether somebody listens under an address. Answers true when in doubt. */
  readonly isListening: (url: string) => Promise<boolean>
  /** Whether this server is in contact with a majority. Who is cut off does not know who has done what. */
  readonly isProven: () => boolean
  /** In milliseconds, on a clock that only goes forward. */
  readonly now?: () => number
}

/** What is known of the other servers. */
export class Members {
  private readonly known = new Map<string, Known>()
  private waiting: Waiting[] = []
  private readonly now: () => number
  private listensSince: number | undefined
  private lastShown = 0

  constructor(private readonly options: MembersOptions) {
    this.now = options.now ?? (() => performance.now())
  }

  /** From now on it hears the others. */
  listen(): void {
    this.listensSince = this.now()
  }

  /** A server that belongs to the cluster, whether it is heard or not: it may answer, and be silent for a while. */
  expect({ name, url }: RosterEntry): void {
    if (this.known.has(name)) return
    this.known.set(name, {
      report: { ...UNHEARD, name, url },
      at: this.now(),
      isHeard: false,
      isGone: false,
      isProbed: false,
    })
  }

  /** Whether it has listened long enough to know all of them, and what they ask for. */
  get isSettled(): boolean {
    const now = this.now()
    if (this.listensSince === undefined || now - this.listensSince < SETTLED_MS) return false
    return [...this.known.values()].every(({ isHeard, isGone, at }) => isHeard || isGone || now - at >= SILENCE_MS)
  }

  /** Those without whom nothing is shown as finished. */
  get waitsFor(): Record<string, string> {
    return Object.fromEntries(this.awaited().map(({ report }) => [report.name, report.awaited ?? '']))
  }

  /** The last batch that was shown as finished. */
  get shown(): number {
    return this.lastShown
  }

  /** Those who can be expected to say something. */
  present(): HeardMember[] {
    const now = this.now()
    const there = [...this.known.values()].filter(({ at, isGone }) => !isGone && now - at < SILENCE_MS)
    return there.map(({ report, at }) => ({ ...report, silentMs: now - at }))
  }

  /** Answers whether it asks anew to be waited for. */
  hear(report: MemberReport): boolean {
    const before = this.known.get(report.name)?.report
    this.known.set(report.name, { report, at: this.now(), isHeard: true, isGone: false, isProbed: false })
    this.check()
    return report.awaited !== null && before?.awaited !== report.awaited
  }

  list(): HeardMember[] {
    const now = this.now()
    return Array.from(this.known.values(), ({ report, at }) => ({ ...report, silentMs: now - at }))
  }

  forget(name: string): void {
    this.known.delete(name)
    this.check()
  }

  /** Resolves when all others that may answer have carried out the batch at a place. */
  carriedOut(sequence: number): Promise<void> {
    return new Promise((done) => {
      this.waiting.push({ sequence, done })
      this.check()
    })
  }

  /** To be called now and then: a server that is gone, or silent for long, is not waited for. */
  check(): void {
    const { isSettled } = this
    if (isSettled && this.waiting.length > 0 && this.options.isProven()) this.show()
    if (!isSettled || this.waiting.length > 0) this.probeSilent()
  }

  private show(): void {
    const least = Math.min(...this.awaited().map(({ report }) => report.carriedOut))
    const done = this.waiting.filter(({ sequence }) => sequence <= least)
    this.waiting = this.waiting.filter(({ sequence }) => sequence > least)
    for (const { sequence, done: tell } of done) {
      this.lastShown = Math.max(this.lastShown, sequence)
      tell()
    }
  }

  private awaited(): Known[] {
    const now = this.now()
    return [...this.known.values()].filter(
      ({ report, at, isGone }) => report.awaited !== null && !isGone && now - at < SILENCE_MS,
    )
  }

  private probeSilent(): void {
    for (const member of this.awaited()) {
      const { url } = member.report
      if (url === null || member.isProbed || this.now() - member.at < SUSPECT_MS) continue
      member.isProbed = true
      void this.options.isListening(url).then((isListening) => {
        member.isProbed = false
        member.isGone = !isListening
        if (!isListening) this.check()
      })
    }
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
