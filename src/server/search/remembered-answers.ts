import { ByteCache } from '../../index/index.js'
import { type Answered, type Repetition, repeatAnswer } from '../../search/index.js'
import type { Features } from '../features/feature-store.js'

/** All of them together. */
const MAX_BYTES = 16 << 20

/** Larger answers take long enough to send. */
const MAX_ANSWER_BYTES = 64 * 1024

/** Of the objects around an answer; roughly. */
const FIXED_BYTES = 300

/** All that decides over an answer beside the index and the features. */
export interface RepeatableQuestion {
  readonly uid: string
  readonly text: string
}

interface IndexState {
  readonly path: string
  readonly version: number
}

interface Origin {
  readonly path: string
  readonly features: Features
}

interface Kept {
  readonly body: Uint8Array
  readonly repetition: Repetition
  readonly sizeBytes: number
}

/**
 * Answers to searches that may be asked again, such as the first letters of what many people look for. They are given
 * by the server thread itself, as long as the index is as it was. See docs/decisions/014-remembered-answers.md.
 */
export class RememberedAnswers {
  private readonly answers: ByteCache<Kept>
  /** Those with which the answers were made. */
  private features: Features | undefined

  constructor(maxBytes = MAX_BYTES) {
    this.answers = new ByteCache(maxBytes)
  }

  /** As if it were found just now. */
  get(question: RepeatableQuestion, { path, version }: IndexState, features: Features): Uint8Array | undefined {
    this.follow(features)
    const kept = this.answers.get(keyOf(question, path, version))
    return kept && repeatAnswer(kept.body, kept.repetition)
  }

  /** `features` are those with which the answer was made. */
  keep(question: RepeatableQuestion, { path, features }: Origin, { body, repetition }: Answered): void {
    if (repetition === undefined || body.length > MAX_ANSWER_BYTES) return
    this.follow(features)
    const key = keyOf(question, path, repetition.version)
    this.answers.set(key, { body, repetition, sizeBytes: body.length + 2 * key.length + FIXED_BYTES })
  }

  private follow(features: Features): void {
    if (features === this.features) return
    this.features = features
    this.answers.clear()
  }
}

/** What is stored of another version, or at another place, is not looked for any more, and makes room in time. */
function keyOf({ uid, text }: RepeatableQuestion, path: string, version: number): string {
  return `${version} ${uid} ${path} ${text}`
}
