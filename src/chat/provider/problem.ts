import { type Failure, failureSaying } from '../../errors/index.js'
import { isObject, type JsonObject, type JsonValue } from '../../json/index.js'

/** What goes wrong with a provider: the codes that stand for every server of others. */
type ProviderCode =
  | 'remote_bad_request'
  | 'remote_bad_response'
  | 'remote_could_not_send_request'
  | 'remote_invalid_api_key'
  | 'remote_remote_error'
  | 'remote_timeout'

/** Ends a conversation. Thrown by what speaks to a provider, caught by the conversation. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'

  constructor(readonly failure: Failure) {
    super(failure.message)
  }
}

export const providerError = (code: ProviderCode, message: string): ProviderError =>
  new ProviderError(failureSaying(code, message))

/** A refusal of the provider; `body` is what it says about it, if that can be read. */
export function refusedBy(status: number, body: JsonValue | undefined): ProviderError {
  const told = describedProblem(body)
  const reason = told === undefined ? ' and no readable error.' : `: ${told}`
  return providerError(codeOf(status), `The provider answered with status ${status}${reason}`)
}

/** A problem that the provider tells of inside of its stream, often with a status; undefined when it tells of none. */
export function toldBy(chunk: JsonObject): ProviderError | undefined {
  const told = chunk.has('error') ? describedProblem(chunk) : undefined
  if (told === undefined) return undefined
  const error = chunk.get('error')
  const status = Number(isObject(error) ? error.get('code') : undefined)
  return providerError(codeOf(status >= 400 ? status : 500), `The provider broke its answer off: ${told}`)
}

/** Asking too often is no fault of the request. */
function codeOf(status: number): ProviderCode {
  if (status === 401 || status === 403) return 'remote_invalid_api_key'
  if (status === 429 || status >= 500) return 'remote_remote_error'
  return status >= 400 ? 'remote_bad_request' : 'remote_bad_response'
}

/**
 * What an object of a provider says, `{"error":{"type","message","code","param"}}` or these members themselves, in one
 * text; undefined when it says nothing.
 */
function describedProblem(answer: JsonValue | undefined): string | undefined {
  if (!isObject(answer)) return undefined
  const inner = answer.get('error')
  if (typeof inner === 'string') return inner
  const error = isObject(inner) ? inner : answer
  const message = error.get('message')
  if (typeof message !== 'string') return undefined
  const facts = ['type', 'code', 'param'].flatMap((name) => {
    const value = error.get(name)
    return typeof value === 'string' || typeof value === 'number' ? [`${name}: ${value}`] : []
  })
  return facts.length === 0 ? message : `${message} (${facts.join(', ')})`
}
