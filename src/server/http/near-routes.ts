import { suggest } from '../../errors/index.js'
import type { Pattern } from './pattern.js'

const MAX_NEAR = 4

/** `suggest` never allows more edits than this, so names whose lengths differ by more need not be compared. */
const MOST_EDITS = 5

/**
 * The routes whose path agrees longest with an unknown one, counted in segments from the left, a name with a typo
 * included; of those the ones of the most similar length, at most four. None when not even the first segment agrees.
 */
export function nearRoutes(path: string, patterns: readonly Pattern[]): Pattern[] {
  const segments = segmentsOf(path)
  const candidates = patterns.map((pattern) => {
    const own = segmentsOf(pattern.path)
    return { pattern, agreeing: agreeing(segments, own), lengthGap: Math.abs(own.length - segments.length) }
  })
  const most = Math.max(...candidates.map((candidate) => candidate.agreeing))
  if (most < 1) return []
  const best = candidates.filter((candidate) => candidate.agreeing === most)
  const leastGap = Math.min(...best.map(({ lengthGap }) => lengthGap))
  const nearest = best.filter(({ lengthGap }) => lengthGap === leastGap)
  return nearest.slice(0, MAX_NEAR).map(({ pattern }) => pattern)
}

const segmentsOf = (path: string): string[] => path.split('/').slice(1)

function agreeing(segments: readonly string[], own: readonly string[]): number {
  const differing = own.findIndex((name, i) => !agrees(segments[i], name))
  return differing === -1 ? own.length : differing
}

function agrees(segment: string | undefined, name: string): boolean {
  if (segment === undefined || segment === '') return false
  if (segment === name || name.startsWith('{')) return true
  return Math.abs(segment.length - name.length) <= MOST_EDITS && suggest(segment, [name]) !== undefined
}
