import type { Failure } from '../server/failure.js'
import type { Wish } from './wanted.js'

/** What a query came to on one side. */
export type Outcome =
  | {
      readonly state: 'ran' /** From 1, of each wanted document; undefined where it was not found. */
      readonly places: readonly (number | undefined)[]
    }
  | { readonly state: 'failed'; readonly failure: Failure }

export function outcomeOf({ wanted }: Wish, found: readonly string[]): Outcome {
  const places = new Map(found.map((id, i) => [id, i + 1]))
  return { state: 'ran', places: wanted.map((id) => places.get(id)) }
}

export const isPassed = ({ among }: Wish, outcome: Outcome): boolean =>
  outcome.state === 'ran' && outcome.places.every((place) => place !== undefined && place <= among)

export interface Summary {
  readonly queries: number
  readonly passed: number
  /** Of all wanted documents, the share that is among the first ones. */
  readonly found: number
  /** The mean of one divided by the place of the first wanted document, 0 where there is none. */
  readonly meanReciprocalRank: number
}

/** Of those that ran; a query that failed found nothing. */
export function summaryOf(wishes: readonly Wish[], outcomes: ReadonlyMap<string, Outcome>): Summary | undefined {
  const ran = wishes.filter(({ query }) => outcomes.has(query))
  if (ran.length === 0) return undefined
  const placesOf = ({ query }: Wish): readonly (number | undefined)[] => {
    const outcome = outcomes.get(query)!
    return outcome.state === 'ran' ? outcome.places : []
  }
  const wanted = sum(ran.map((wish) => wish.wanted.length))
  const found = sum(
    ran.map((wish) => placesOf(wish).filter((place) => place !== undefined && place <= wish.among).length),
  )
  return {
    queries: ran.length,
    passed: ran.filter((wish) => isPassed(wish, outcomes.get(wish.query)!)).length,
    found: wanted === 0 ? 0 : found / wanted,
    meanReciprocalRank:
      sum(ran.map((wish) => 1 / Math.min(...placesOf(wish).map((at) => at ?? Infinity)))) / ran.length,
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
