/** Of times in any order. */
export function quantile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (times: readonly number[]): number => quantile(times, 0.5)

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** What timings on this machine have to be compared with: milliseconds of a loop without memory. */
export function machineSpeed(): number {
  const started = performance.now()
  let x = 0
  for (let i = 0; i < 2e8; i++) x = (x * 31 + i) | 0
  return x === 1 ? 0 : performance.now() - started
}
