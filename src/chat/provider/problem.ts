import { isObject, type JsonObject, type JsonValue } from '../../json/index.js'

/**
 * What goes wrong with a provider, by the names that clients know (spec 7 §5.8); an answer of the provider that says
 * what was wrong comes with a type of its own.
 */
export type ProblemType =
  | 'reqwest_error'
  | 'transport_error'
  | 'stream_ended'
  | 'json_deserialize_error'
  | 'parser_error'
  | 'invalid_utf8_error'

/** A failure as the error event of a conversation tells it. */
export interface ChatProblem {
  readonly type: string
  readonly code: string | null
  readonly message: string
  readonly param: string | null
}

/** Ends a conversation. Thrown by what speaks to a provider, caught by the conversation. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'

  constructor(readonly problem: ChatProblem) {
    super(problem.message)
  }
}

export function providerError(type: ProblemType, message: string): ProviderError {
  const code = type === 'json_deserialize_error' ? 'internal' : null
  return new ProviderError({ type, code, message, param: null })
}

/**
 * The problem that an object of a provider describes, `{"error":{"type","message","code","param"}}` or these members
 * themselves; undefined when it describes none.
 */
export function describedProblem(answer: JsonValue | undefined): ChatProblem | undefined {
  if (!isObject(answer)) return undefined
  const inner = answer.get('error')
  if (typeof inner === 'string') return { type: 'reqwest_error', code: null, message: inner, param: null }
  return problemOf(isObject(inner) ? inner : answer)
}

function problemOf(error: JsonObject): ChatProblem | undefined {
  const message = error.get('message')
  if (typeof message !== 'string') return undefined
  const type = textOf(error.get('type')) ?? 'reqwest_error'
  return { type, code: textOf(error.get('code')), message, param: textOf(error.get('param')) }
}

function textOf(value: JsonValue | undefined): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? String(value) : null
}
