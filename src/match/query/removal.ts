import type { QueryTerm } from './query-term.js'

/** Nodes that are never left out. */
export const KEPT = Number.POSITIVE_INFINITY

/**
 * For each node of the graph the group with which it is left out: 1 goes first, then 2, and so on (spec 5 §5.2).
 * `weights` gives each term id its place in that order; a node goes with the heaviest of its ids.
 */
export function removalGroups(nodes: readonly QueryTerm[], weights: readonly number[]): number[] {
  const groups = nodes.map((term) => (term.phrase === null ? weightOf(term, weights) : KEPT))
  const hasPhrase = nodes.some(({ phrase }) => phrase !== null)
  const heaviest = hasPhrase ? KEPT : Math.max(...groups)
  return groups.map((group) => (group >= heaviest ? KEPT : group))
}

function weightOf({ firstId, lastId }: QueryTerm, weights: readonly number[]): number {
  return Math.max(...weights.slice(firstId, lastId + 1))
}

/** The last word goes first. */
export function weightsFromTheEnd(count: number): number[] {
  return Array.from({ length: count }, (_, id) => count - id)
}

/** The most frequent word goes first; one that no document has counts as the most frequent of all. */
export function weightsByFrequency(frequencies: readonly number[]): number[] {
  const known = frequencies.map((frequency) => (frequency === 0 ? KEPT : frequency))
  const order = [...new Set(known)].sort((a, b) => b - a)
  return known.map((frequency) => order.indexOf(frequency) + 1)
}
