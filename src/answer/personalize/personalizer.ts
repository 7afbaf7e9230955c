import type { Result } from '../../errors/index.js'

/** What a service is told to order hits for a person. */
export interface PersonalQuestion {
  /** What the client says of the person. */
  readonly userContext: string
  /** Empty where nothing was looked for. */
  readonly q: string
  /** The documents of the hits as JSON, in the order of the ranking. */
  readonly documents: readonly string[]
  /** The cutoff of the search, on the clock of `performance.now()`: after it nothing is asked a second time. */
  readonly deadline: number
}

/** Orders hits for a person (spec 7 §6). */
export interface Personalizer {
  /**
   * The places of the documents in their new order, each at most once; documents that are not named are not shown. Null
   * where the order stays as it is, for want of time.
   */
  order(question: PersonalQuestion): Promise<Result<readonly number[] | null>>
}
