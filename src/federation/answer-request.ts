import type { Answered, AnswerFacts, SearchContext } from '../answer/index.js'
import {
  type AnswerWriter,
  AnswerWriters,
  type FacetSearchJob,
  newUid,
  type SearchJob,
  type SearchRequest,
  type SimilarJob,
  searchOf,
  writeChatOffer,
  writeChatSearch,
  writeFacetSearch,
  writeSearch,
  writeSimilar,
  writeSimilarPart,
} from '../answer/index.js'
import { andThen, type Waitable } from '../engine/index.js'
import { ok, type Result } from '../errors/index.js'
import { writeMultiSearch } from './answer-multi-search.js'
import { writeNetworkSearch } from './answer-network.js'
import { writeNetworkChatSearch } from './answer-network-chat.js'
import { writeNetworkFacetSearch } from './answer-network-facets.js'
import { writeNetworkSimilar } from './answer-network-similar.js'
import { writeDocument } from './documents/write-document.js'
import { writeList } from './documents/write-list.js'
import { isForNetwork } from './plan.js'

/**
 * Answers a request whose parameters were read. `uid` is the index of the path, where there is one. What others must be
 * asked for is waited for; requests that come meanwhile may be answered meanwhile.
 */
export function answerRequest(request: SearchRequest, uid: string, context: SearchContext): Waitable<Result<Answered>> {
  const writer = context.writers?.lend() ?? new AnswerWriters().lend()
  writer.begin(context.openOverflow)
  try {
    const written = write(writer, { request, uid }, context)
    if (!(written instanceof Promise)) return finish(writer, written, context)
    return written.then((outcome) => finish(writer, outcome, context)).catch((error) => giveUp(writer, error))
  } catch (error) {
    return giveUp(writer, error)
  }
}

function finish(writer: AnswerWriter, written: Result<AnswerFacts>, { writers }: SearchContext): Result<Answered> {
  const answered = written.ok ? ok(taken(writer, written.value)) : written
  writer.discard()
  writers?.giveBack(writer)
  return answered
}

function taken(writer: AnswerWriter, facts: AnswerFacts): Answered {
  const { degraded, personalized = 0, failedRemotes = [], repetition } = facts
  const file = writer.takeFile()
  // Where something is in a file is not known, and to remember it would take too much memory.
  if (file !== undefined) return { body: file, degraded, personalized, failedRemotes }
  return { body: writer.take(), degraded, personalized, failedRemotes, repetition }
}

function giveUp(writer: AnswerWriter, error: unknown): never {
  writer.discard()
  throw error
}

interface RoutedRequest {
  readonly request: SearchRequest
  readonly uid: string
}

type WriteOutcome = Waitable<Result<AnswerFacts>>

function write(writer: AnswerWriter, { request, uid }: RoutedRequest, context: SearchContext): WriteOutcome {
  switch (request.kind) {
    case 'searchBody':
    case 'searchParameters': {
      const query = searchOf(request)
      return query.ok ? writeSingle(writer, { uid, query: query.value, requestUid: newUid() }, context) : query
    }
    case 'facetSearch':
      return writeFacets(writer, { uid, query: request.search }, context)
    case 'multiSearch':
      return writeMultiSearch(writer, request.search, context)
    case 'list':
      return writeList(writer, { uid, request: request.list }, context)
    case 'similar':
      return writeSimilarTo(writer, { uid, query: request.search }, context)
    case 'chatSearch':
      return isForNetwork({ useNetwork: null }, context)
        ? writeNetworkChatSearch(writer, { uid, search: request.search }, context)
        : writeChatSearch(writer, { uid, search: request.search }, context)
    case 'document':
      return writeDocument(writer, { uid, document: request.document }, context)
    case 'chatOffer':
      return writeChatOffer(writer, uid, context)
  }
}

function writeFacets(writer: AnswerWriter, job: FacetSearchJob, context: SearchContext): WriteOutcome {
  const write = isForNetwork(job.query, context) ? writeNetworkFacetSearch : writeFacetSearch
  return write(writer, job, context)
}

/** Under a leader the documents that are alike may be on any server. */
function writeSimilarTo(writer: AnswerWriter, job: SimilarJob, context: SearchContext): WriteOutcome {
  if (isForNetwork({ useNetwork: null }, context)) return writeNetworkSimilar(writer, job, context)
  return writeSimilarPart(writer, job, context) ?? writeSimilar(writer, job, context)
}

function writeSingle(writer: AnswerWriter, job: SearchJob, context: SearchContext): WriteOutcome {
  writer.utf8('{')
  const write = isForNetwork(job.query, context) ? writeNetworkSearch : writeSearch
  return andThen(write(writer, job, context), (written) => {
    if (!written.ok) return written
    writer.utf8('}')
    const { isDegraded, isPersonalized, failedRemotes = [], repetition } = written.value
    return ok({ degraded: Number(isDegraded), personalized: Number(isPersonalized), failedRemotes, repetition })
  })
}
