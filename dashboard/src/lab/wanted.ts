import { useState } from 'preact/hooks'
import { sayFailed } from '../parts/toasts.js'

/** For this query, these documents should be among the first. */
export interface Wish {
  readonly query: string
  readonly wanted: readonly string[]
  readonly among: number
}

export const USUAL_AMONG = 10

const nameOf = (index: string): string => `findling-lab:${index}`

/** Kept in this browser, for each index. */
export function useWishes(index: string): [readonly Wish[], (wishes: readonly Wish[]) => void] {
  const [wishes, setWishes] = useState(() => readKept(index))
  const keep = (next: readonly Wish[]) => {
    setWishes(next)
    try {
      localStorage.setItem(nameOf(index), JSON.stringify(next))
    } catch (error) {
      sayFailed(error)
    }
  }
  return [wishes, keep]
}

function readKept(index: string): readonly Wish[] {
  try {
    return readWishes(JSON.parse(localStorage.getItem(nameOf(index)) ?? '[]')) ?? []
  } catch {
    return []
  }
}

/** Wishes of a file or of what was kept; undefined where it holds something else. */
export function readWishes(value: unknown): Wish[] | undefined {
  return Array.isArray(value) && value.every(isWish) ? value : undefined
}

function isWish(value: unknown): value is Wish {
  const { query, wanted, among } = (value ?? {}) as Partial<Wish>
  return (
    typeof query === 'string' &&
    Array.isArray(wanted) &&
    wanted.every((id) => typeof id === 'string') &&
    Number.isSafeInteger(among) &&
    among! > 0
  )
}

/** The same wishes with this one, in the place of another for the same query. */
export function withWish(wishes: readonly Wish[], wish: Wish): Wish[] {
  const isKnown = wishes.some(({ query }) => query === wish.query)
  return isKnown ? wishes.map((each) => (each.query === wish.query ? wish : each)) : [...wishes, wish]
}

/** Wants a document for a query, or does not want it any more. */
export function toggleWanted(wishes: readonly Wish[], query: string, id: string): Wish[] {
  const { wanted, among }: Wish = wishes.find((each) => each.query === query) ?? {
    query,
    wanted: [],
    among: USUAL_AMONG,
  }
  const next = wanted.includes(id) ? wanted.filter((each) => each !== id) : [...wanted, id]
  return withWish(wishes, { query, wanted: next, among }).filter((each) => each.wanted.length > 0)
}
