/** Documents by their number. */
export type DocSet = ReadonlySet<number>

export function intersect(a: DocSet, b: DocSet): Set<number> {
  return new Set([...a].filter((docId) => b.has(docId)))
}

export function subtract(a: DocSet, b: DocSet): Set<number> {
  return new Set([...a].filter((docId) => !b.has(docId)))
}

export function unite(sets: Iterable<DocSet>): Set<number> {
  return new Set([...sets].flatMap((set) => [...set]))
}

export function ascending(set: Iterable<number>): number[] {
  return [...set].sort((a, b) => a - b)
}
