import type { SearchQuery, SearchTask } from '../../engine/index.js'
import {
  andThen,
  embedQuery,
  executeSearch,
  readSearchFilter,
  type SearchOutcome,
  Stages,
  searchKind,
  type Waitable,
} from '../../engine/index.js'
import { type Failure, ok, type Result } from '../../errors/index.js'
import { parseSort } from '../../match/index.js'
import type { AnswerWriter } from '../answer-writer.js'
import type { AnswerFacts } from '../answered.js'
import { writeHits } from '../hits.js'
import type { SearchContext } from '../search-context.js'
import { chatQuery } from './chat-query.js'
import type { ChatSearch } from './chat-search-body.js'
import { renderHits } from './render-hits.js'

export interface ChatSearchJob {
  readonly uid: string
  readonly search: ChatSearch
}

/** A query read here is decoded once, and rules pin nothing in it (spec 6 §5, spec 8 §4). */
const READING = 'once'

/**
 * Runs a search for a language model. Writes `{"hits":[...],"text":"..."}`, where the text is for the model, or
 * `{"problem":"..."}` when the model should be told what is wrong with its query (spec 7 §5.7).
 */
export function writeChatSearch(
  out: AnswerWriter,
  { uid, search }: ChatSearchJob,
  serverContext: SearchContext,
): Waitable<Result<AnswerFacts>> {
  const context: SearchContext = { ...serverContext, rules: [] }
  const query = readChatQuery({ uid, search }, context)
  if (!query.ok) return query
  const finding: SearchTask<SearchContext> = {
    uid,
    query: query.value,
    context,
    stages: new Stages(false),
    reading: READING,
  }
  return andThen(embedQuery(finding), (embedded) =>
    embedded.ok ? writeFound(out, { ...finding, embedded: embedded.value }) : embedded,
  )
}

/** What fails here is not for the model to mend: the index, the syntax of the filter, the settings of the index. */
export function readChatQuery({ uid, search }: ChatSearchJob, context: SearchContext): Result<SearchQuery> {
  const filter = readSearchFilter(search.filter, { uid, reading: READING }, context)
  if (!filter.ok) return filter
  const index = context.open(uid)
  if (!index.ok) return index
  const query = chatQuery(search, index.value.settings.chat)
  const kind = searchKind(index.value, query)
  if (!kind.ok) return kind
  const sort = parseSort(query.sort ?? [], 'invalid_search_sort')
  return sort.ok ? ok(query) : sort
}

function writeFound(out: AnswerWriter, finding: SearchTask<SearchContext>): Result<AnswerFacts> {
  const found = executeSearch(finding)
  if (!found.ok) return writeFailure(out, found.failure)
  const text = renderHits(found.value, finding.query)
  if (!text.ok) return text
  out.utf8('{')
  const hits = writeHits(out, found.value, finding)
  if (!hits.ok) return hits
  out.utf8(`,"text":${JSON.stringify(text.value)}}`)
  return ok(factsOf(found.value))
}

/** Tells the model, where it can mend its query. */
export function writeFailure(out: AnswerWriter, failure: Failure): Result<AnswerFacts> {
  return isMendable(failure) ? writeProblem(out, failure) : { ok: false, failure }
}

/** The query does not fit the index: an attribute that cannot be filtered or sorted by, and the like. */
const isMendable = ({ code }: Failure): boolean => code.startsWith('invalid_search_')

function writeProblem(out: AnswerWriter, { message }: Failure): Result<AnswerFacts> {
  out.utf8(`{"problem":${JSON.stringify(message)}}`)
  return ok({ degraded: 0 })
}

const factsOf = ({ ranking }: SearchOutcome): AnswerFacts => ({ degraded: ranking.isDegraded ? 1 : 0 })
