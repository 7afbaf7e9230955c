/** Under this name the parts of a search are timed (spec 6 §12.3). */
export const LOCAL_STAGE = 'search > execute local search'

/** How long the parts of a search took, for those who ask (spec 6 §12.3). */
export class Stages {
  private readonly durations = new Map<string, number>()

  constructor(private readonly isWanted: boolean) {}

  add(stage: string, durationMs: number): void {
    if (this.isWanted) this.durations.set(stage, (this.durations.get(stage) ?? 0) + durationMs)
  }

  measure<T>(stage: string, work: () => T): T {
    if (!this.isWanted) return work()
    const start = performance.now()
    try {
      return work()
    } finally {
      this.add(stage, performance.now() - start)
    }
  }

  /** The member of the result with a comma before it, or nothing. */
  print(): string {
    if (!this.isWanted) return ''
    const members = [...this.durations].map(([stage, ms]) => `${JSON.stringify(stage)}:"${durationText(ms)}"`)
    return `,"performanceDetails":{${members.join(',')}}`
  }
}

/** Two decimals and a unit: `295.29µs`, `3.56ms`, `1.20s`. */
export function durationText(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)}s`
  return ms >= 1 ? `${ms.toFixed(2)}ms` : `${(ms * 1000).toFixed(2)}µs`
}
