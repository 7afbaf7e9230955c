/** Of times in any order. */
export function quantile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const ms = (value: number): string => `${value.toFixed(2)} ms`
export const seconds = (value: number): string => `${(value / 1000).toFixed(2)} s`
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

/** What timings on this machine have to be compared with: milliseconds of a loop without memory. */
export function machineSpeed(): number {
  const started = performance.now()
  let x = 0
  for (let i = 0; i < 2e8; i++) x = (x * 31 + i) | 0
  return x === 1 ? 0 : performance.now() - started
}
