import type { Document } from '../workload.js'

/**
 * Searches as people type them, each another one: one to three words of a title, some with a letter swapped, the last one
 * often not finished. The same for all who are compared.
 */
export function firstSearches(documents: readonly Document[], count: number): string[] {
  const found = new Set<string>()
  for (let i = 0; found.size < count && i < documents.length; i++) {
    const words = String(documents[(i * 7919) % documents.length]!.title).match(/[\p{L}\p{N}]+/gu) ?? []
    const chosen = words.slice(0, 1 + (i % 3))
    if (chosen.join('').length < 5) continue
    if (i % 4 === 1) chosen[0] = swapped(chosen[0]!)
    if (i % 2 === 0) chosen[chosen.length - 1] = begun(chosen.at(-1)!)
    found.add(chosen.join(' '))
  }
  return [...found]
}

const swapped = (word: string): string => (word.length < 5 ? word : word[0]! + word[2] + word[1] + word.slice(3))

const begun = (word: string): string => word.slice(0, Math.max(2, Math.ceil(word.length * 0.6)))
