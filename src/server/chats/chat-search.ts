import type { Answered } from '../../answer/index.js'
import type { OfferedIndex, SearchOutcome, WantedSearch } from '../../chat/index.js'
import { ok, type Result } from '../../errors/index.js'
import { isObject, parse, print } from '../../json/index.js'
import { authorize } from '../../state/index.js'
import { runSearchCall } from '../search/answer-call.js'
import type { Searcher } from '../search/searcher.js'

/** Indexes that are looked at together: a conversation must not fill the queue of searches by itself. */
const AT_ONCE = 4
/** Documents may be nested, and stand two levels deep in an answer. */
const DEEPEST = 1100

/** What the model is told of every index that the caller may search, in byte order (spec 7 §5.5). */
export async function offerIndexes(searcher: Searcher): Promise<Result<OfferedIndex[]>> {
  const { context, auth } = searcher
  const uids = context.tasks.catalogue.list().map(({ uid }) => uid)
  const allowed = uids.filter((uid) => auth.may('search', uid))
  const offered: OfferedIndex[] = []
  for (let start = 0; start < allowed.length && !searcher.asker.isGone; start += AT_ONCE) {
    const group = await Promise.all(allowed.slice(start, start + AT_ONCE).map((uid) => offerIndex(searcher, uid)))
    for (const offer of group) {
      if (!offer.ok) return offer
      if (offer.value !== null) offered.push(offer.value)
    }
  }
  return ok(offered)
}

/** Null for an index that was deleted meanwhile. One whose rule cannot be applied says so when it is searched. */
async function offerIndex(searcher: Searcher, uid: string): Promise<Result<OfferedIndex | null>> {
  const answered = await runSearchCall(searcher, { kind: 'chatOffer', bytes: new Uint8Array(), uid })
  if (answered.ok) return ok({ uid, ...(JSON.parse(textOf(answered.value)) as Omit<OfferedIndex, 'uid'>) })
  const { code } = answered.failure
  if (code === 'index_not_found') return ok(null)
  return code === 'invalid_search_filter' ? ok({ uid, description: '', facets: [] }) : answered
}

/**
 * Searches for the model with the rights of the caller. They are asked for anew: keys expire, and are deleted, while
 * people talk.
 */
export async function searchForModel(
  searcher: Searcher,
  { indexUid, q, filter }: WantedSearch,
): Promise<SearchOutcome> {
  const { context, headers } = searcher
  context.events.countChatSearch('internal')
  const auth = authorize(context, { actions: ['search'], indexUid, header: headers.authorization })
  if (!auth.ok) return { kind: 'failed', failure: auth.failure }
  const bytes = Buffer.from(JSON.stringify({ q, filter }))
  const answered = await runSearchCall({ ...searcher, auth: auth.value }, { kind: 'chatSearch', bytes, uid: indexUid })
  if (!answered.ok) return { kind: 'failed', failure: answered.failure }
  return outcomeOf(answered.value)
}

/** Numbers in documents stay as they were written. */
function outcomeOf(body: Answered['body']): SearchOutcome {
  const answer = parse(textOf(body), DEEPEST)
  if (!answer.ok || !isObject(answer.value)) throw new Error('a search thread answers with an object')
  const problem = answer.value.get('problem')
  if (typeof problem === 'string') return { kind: 'problem', message: problem }
  return { kind: 'found', documents: print(answer.value.get('hits') ?? []), text: String(answer.value.get('text')) }
}

function textOf(body: Answered['body']): string {
  if (!(body instanceof Uint8Array)) throw new Error('answers for a model are held in memory')
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()
}
