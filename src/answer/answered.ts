import type { AnswerFile } from './answer-writer.js'
import type { Repetition } from './repetition.js'

/** A finished answer. */
export interface Answered {
  /** JSON, in memory of its own; or in a file, where it would take too much of it. */
  readonly body: Uint8Array | AnswerFile
  /** How many searches time cut short. */
  readonly degraded: number
  /** How many searches were personalized. */
  readonly personalized: number
  /** Other servers that could not be searched. */
  readonly failedRemotes: readonly string[]
  /** Absent where the same request may be answered otherwise though no index has changed. */
  readonly repetition?: Repetition | undefined
}

/** What the server counts of the searches of one request. */
export type AnswerFacts = Pick<Answered, 'degraded'> &
  Partial<Pick<Answered, 'personalized' | 'failedRemotes' | 'repetition'>>
