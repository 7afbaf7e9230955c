/** How long a batch took for each of its steps: `progressTrace` of its statistics (spec 2 §3.3). */
export class StepTimes {
  private readonly beganAt: number
  private readonly finished = new Map<string, number>()
  private inner: { readonly step: string; readonly since: number } | undefined
  private writesSince: number | undefined

  /** `now` in milliseconds, on a clock that only goes forward. */
  constructor(private readonly now: () => number = () => performance.now()) {
    this.beganAt = now()
  }

  /** Part of the processing of tasks. Called often; a step that goes on costs a comparison. */
  enter(step: string): void {
    if (this.inner?.step === step) return
    const at = this.now()
    this.leave(at)
    this.inner = { step, since: at }
  }

  beginWriting(): void {
    this.writesSince = this.now()
    this.leave(this.writesSince)
  }

  /** Until now. */
  get trace(): Readonly<Record<string, string>> {
    const at = this.now()
    const { beganAt, writesSince, finished, inner } = this
    const steps = new Map(finished)
    if (inner !== undefined) steps.set(inner.step, (steps.get(inner.step) ?? 0) + at - inner.since)
    return Object.fromEntries([
      [PROCESSING, timeText((writesSince ?? at) - beganAt)],
      ...Array.from(steps, ([step, ms]) => [`${PROCESSING} > ${step}`, timeText(ms)] as const),
      ...(writesSince === undefined ? [] : [[WRITING, timeText(at - writesSince)] as const]),
    ])
  }

  private leave(at: number): void {
    const { inner, finished } = this
    if (inner !== undefined) finished.set(inner.step, (finished.get(inner.step) ?? 0) + at - inner.since)
    this.inner = undefined
  }
}

export const PROCESSING = 'processing tasks'
export const WRITING = 'writing tasks to disk'

const UNITS = [
  ['s', 1e9],
  ['ms', 1e6],
  ['µs', 1e3],
  ['ns', 1],
] as const

/** `12.34ms`: two decimals, in the largest unit not above the value. */
export function timeText(ms: number): string {
  const ns = Math.round(ms * 1e6)
  const [unit, size] = UNITS.find(([, each]) => each <= ns) ?? UNITS[3]
  return `${(ns / size).toFixed(2)}${unit}`
}
