/** How often the log is trimmed, and how old what is trimmed is at least: who copies a server's data needs time to catch up. */
const EVERY_MS = 60_000
const KEPT_MS = 3_600_000

/** Says when to trim the log, and up to where: to what everybody had done an hour ago. */
export class TrimSchedule {
  private readonly seen: { readonly at: number; readonly done: number }[] = []

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** `done`: what all servers have carried out by now. Undefined when it is not time. */
  next(done: number): number | undefined {
    const now = this.now()
    const last = this.seen[this.seen.length - 1]
    if (last !== undefined && now - last.at < EVERY_MS) return undefined
    this.seen.push({ at: now, done })
    let below: number | undefined
    while (this.seen[0] !== undefined && now - this.seen[0].at >= KEPT_MS) below = this.seen.shift()!.done
    return below
  }
}
