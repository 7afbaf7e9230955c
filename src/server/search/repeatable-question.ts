import { print } from '../../json/index.js'
import type { KnownRequest } from '../answers/known-requests.js'
import type { RepeatableQuestion } from '../answers/remembered-answers.js'
import type { Searcher } from './searcher.js'

/**
 * Undefined where more decides over the answer than the request, who asks, the indexes that are searched and the features,
 * and where the answer is a refusal.
 */
export function repeatableQuestion(
  { context, auth, headers }: Searcher,
  { text, named: { queried, faceted } }: KnownRequest,
): RepeatableQuestion | undefined {
  if (headers['meili-include-metadata'] !== undefined || headers['meili-proxy-search'] !== undefined) return undefined
  const { network, foreignKeys, dynamicSearchRules } = context.features.current
  if (network || foreignKeys || dynamicSearchRules) return undefined
  const uids = [...new Set(queried)]
  if (!uids.every((uid) => auth.isIndexAllowed(uid)) || !faceted.every((uid) => uids.includes(uid))) return undefined
  return { uids, text: `${print(uids.map((uid) => auth.filterFor(uid)))} ${text}` }
}
