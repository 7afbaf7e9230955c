import type { Sample } from './samples.js'

/** A value at a moment; undefined where there was nothing to measure. */
export interface Point {
  readonly atMs: number
  readonly value: number | undefined
}

/** From the difference of each sample to the one before it. */
export function lineOf(
  samples: readonly Sample[],
  measure: (before: Sample, after: Sample) => number | undefined,
): Point[] {
  return samples.slice(1).map((after, i) => ({ atMs: after.atMs, value: measure(samples[i]!, after) }))
}

const secondsBetween = (before: Sample, after: Sample): number => (after.atMs - before.atMs) / 1000

export const searchesPerSecond = (before: Sample, after: Sample): number =>
  (after.searches - before.searches) / secondsBetween(before, after)

export const requestsPerSecond = (before: Sample, after: Sample): number =>
  (after.requests - before.requests) / secondsBetween(before, after)

export function meanMs(before: Sample, after: Sample): number | undefined {
  const count = after.searches - before.searches
  return count <= 0 ? undefined : ((after.searchSeconds - before.searchSeconds) / count) * 1000
}

/** Of one processor: two that are busy are 200. */
export function cpuPercent(before: Sample, after: Sample): number | undefined {
  if (before.cpuSeconds === undefined || after.cpuSeconds === undefined) return undefined
  return ((after.cpuSeconds - before.cpuSeconds) / secondsBetween(before, after)) * 100
}

/**
 * The time within which that share of the searches was answered, as well as buckets tell: within one, searches are
 * taken to be spread evenly, as `histogram_quantile` of Prometheus does.
 */
export const quantileMs =
  (share: number) =>
  (before: Sample, after: Sample): number | undefined => {
    const wanted = (after.searches - before.searches) * share
    if (wanted <= 0) return undefined
    const bounds = [...after.withinSeconds.keys()].sort((a, b) => a - b)
    let [lower, below] = [0, 0]
    for (const bound of bounds) {
      const count = after.withinSeconds.get(bound)! - (before.withinSeconds.get(bound) ?? 0)
      if (count >= wanted) {
        // Beyond the last bound nothing is known.
        if (bound === Number.POSITIVE_INFINITY) return lower * 1000
        return (lower + (bound - lower) * ((wanted - below) / (count - below))) * 1000
      }
      ;[lower, below] = [bound, count]
    }
    return undefined
  }
