import { type Answered, type Repetition, repeatAnswer } from '../../answer/index.js'
import { ByteCache } from '../../cache/index.js'
import type { SearchOrder } from '../../searching/index.js'
import type { Features } from '../../state/index.js'

/** All of them together. */
const MAX_BYTES = 16 << 20

/** For each result of an answer: larger ones take long enough to send. */
const MAX_RESULT_BYTES = 64 * 1024

/** Of the objects around an answer; roughly. */
const FIXED_BYTES = 300

/** All that decides over an answer beside the indexes and the features. */
export interface RepeatableQuestion {
  /** Of the indexes that are searched, each once. The text names them too. */
  readonly uids: readonly string[]
  readonly text: string
}

interface IndexState {
  readonly path: string
  readonly version: number
}

/** Undefined when there is no such index. */
type StateOf = (uid: string) => IndexState | undefined

interface Origin {
  readonly folders: SearchOrder['folders']
  readonly features: Features
}

interface CachedAnswer {
  /** Of the indexes: see `statesOf`. */
  readonly states: string
  readonly body: Uint8Array
  readonly repetition: Repetition
  readonly sizeBytes: number
}

/**
 * Answers to searches that may be asked again, such as the first letters of what many people look for. They are given
 * by the server thread itself, as long as all indexes are as they were. See docs/decisions/014-remembered-answers.md.
 */
export class RememberedAnswers {
  private readonly answers: ByteCache<CachedAnswer>
  /** Those with which the answers were made. */
  private features: Features | undefined

  constructor(maxBytes = MAX_BYTES) {
    this.answers = new ByteCache(maxBytes)
  }

  /** As if it were found just now. Indexes are looked at only where the question was asked before. */
  get(question: RepeatableQuestion, stateOf: StateOf, features: Features): Uint8Array | undefined {
    this.follow(features)
    const kept = this.answers.get(question.text)
    if (kept === undefined || kept.states !== statesOf(question, stateOf)) return undefined
    return repeatAnswer(kept.body, kept.repetition)
  }

  /** `folders` and `features` are those with which the answer was made. */
  keep(question: RepeatableQuestion, { folders, features }: Origin, { body, repetition }: Answered): void {
    if (
      repetition === undefined ||
      !(body instanceof Uint8Array) ||
      body.length > repetition.changes.length * MAX_RESULT_BYTES
    )
      return
    this.follow(features)
    const states = statesOf(question, searchedStates(folders, repetition))
    if (states === undefined) return
    const { text } = question
    const sizeBytes = body.length + 2 * (text.length + states.length) + FIXED_BYTES
    this.answers.set(text, { states, body, repetition, sizeBytes })
  }

  private follow(features: Features): void {
    if (features === this.features) return
    this.features = features
    this.answers.clear()
  }
}

/** The indexes as they were when the answer was made. Those that it does not tell of are not known. */
function searchedStates(folders: Origin['folders'], repetition: Repetition): StateOf {
  const paths = new Map(folders)
  const versions = new Map(repetition.versions)
  return (uid) => {
    const [path, version] = [paths.get(uid), versions.get(uid)]
    return path === undefined || version === undefined ? undefined : { path, version }
  }
}

/**
 * Where the indexes are and their versions: an answer of others is none, and the next one takes its place. Undefined where
 * an index is not known: then there is no answer but an error.
 */
function statesOf({ uids }: RepeatableQuestion, stateOf: StateOf): string | undefined {
  let states = ''
  for (const uid of uids) {
    const state = stateOf(uid)
    if (state === undefined) return undefined
    states += `${state.version} ${uid} ${state.path} `
  }
  return states
}
