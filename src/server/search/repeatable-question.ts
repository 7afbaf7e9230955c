import { print } from '../../json/index.js'
import type { SearchCall, Searcher } from './answer-call.js'
import type { RepeatableQuestion } from './remembered-answers.js'

/** People do not type more. */
const MAX_QUESTION_BYTES = 2048

/** Undefined where more decides over the answer than the request, who asks, one index and the features. */
export function repeatableQuestion(
  { context, auth, headers }: Searcher,
  { kind, bytes, uid }: SearchCall,
): RepeatableQuestion | undefined {
  if (uid === null || (kind !== 'searchBody' && kind !== 'searchParameters')) return undefined
  if (bytes.length > MAX_QUESTION_BYTES) return undefined
  if (headers['meili-include-metadata'] !== undefined || headers['meili-proxy-search'] !== undefined) return undefined
  const { network, foreignKeys, dynamicSearchRules } = context.features.current
  if (network || foreignKeys || dynamicSearchRules) return undefined
  const filter = auth.filterFor(uid)
  const asked = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  return { uid, text: `${kind} ${filter === null ? '' : print(filter)} ${asked}` }
}
