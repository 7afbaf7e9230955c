/** Under this name the parts of a search are timed (spec 6 §12.3). */
export const LOCAL_STAGE = 'search > execute local search'
export const MERGE_STAGE = 'search > merge results'

/** How long the parts of a search took, for those who ask (spec 6 §12.3). */
export class Stages {
  private readonly durations = new Map<string, number>()
  /** Of all stages, those around others too. */
  private sumMs = 0

  constructor(private readonly isWanted: boolean) {}

  /** For a request that has waited for its turn. */
  static ofRequest(isWanted: boolean, { queuedMs }: { readonly queuedMs: number }): Stages {
    const stages = new Stages(isWanted)
    stages.add('wait in queue', queuedMs)
    return stages
  }

  add(stage: string, durationMs: number): void {
    if (!this.isWanted) return
    this.durations.set(stage, (this.durations.get(stage) ?? 0) + durationMs)
    this.sumMs += durationMs
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

  /** The same without the time of stages that are measured inside: they stand beside this one, not under it. */
  measureRest<T>(stage: string, work: () => T): T {
    if (!this.isWanted) return work()
    const start = performance.now()
    const sumBefore = this.sumMs
    try {
      return work()
    } finally {
      this.add(stage, performance.now() - start - (this.sumMs - sumBefore))
    }
  }

  /** The member of the result with a comma before it, or nothing. */
  print(): string {
    return this.isWanted ? printed(this.durations) : ''
  }

  /** The same with the shorter names of the previous pipeline (spec 6 §2.6). */
  printFlat(): string {
    if (!this.isWanted) return ''
    const inner = [...this.durations].filter(([stage]) => !OUTER_STAGES.includes(stage))
    return printed(inner.map(([stage, ms]) => [OUTER_STAGES.reduce(withoutPrefix, stage), ms]))
  }
}

/** Stages that are only there to hold others. */
const OUTER_STAGES = [LOCAL_STAGE, MERGE_STAGE]

const withoutPrefix = (stage: string, outer: string): string =>
  stage.startsWith(`${outer} > `) ? `search${stage.slice(outer.length)}` : stage

function printed(durations: Iterable<readonly [stage: string, ms: number]>): string {
  const members = Array.from(durations, ([stage, ms]) => `${JSON.stringify(stage)}:"${durationText(ms)}"`)
  return `,"performanceDetails":{${members.join(',')}}`
}

/** Two decimals and a unit: `295.29µs`, `3.56ms`, `1.20s`. */
export function durationText(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)}s`
  return ms >= 1 ? `${ms.toFixed(2)}ms` : `${(ms * 1000).toFixed(2)}µs`
}
