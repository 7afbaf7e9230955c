/** What was asked over the wire, and which JSON goes back? */
export { type FacetSearchJob, findFacetHits, printFacetHits, writeFacetSearch } from './answer-facet-search.js'
export { type SearchFacts, type SearchJob, writeSearch } from './answer-search.js'
export type { AnswerFile, AnswerOverflow, AnswerWriter } from './answer-writer.js'
export { AnswerWriters } from './answer-writers.js'
export type { Answered, AnswerFacts } from './answered.js'
export { writeChatOffer } from './chat/answer-chat-offer.js'
export { type ChatSearchJob, readChatQuery, writeChatSearch, writeFailure } from './chat/answer-chat-search.js'
export { HitRenderer, joinTexts, templateRefusal } from './chat/render-hits.js'
export { HitPrinter } from './hits.js'
export {
  type SearchNetwork,
  type SearchRemote,
  SHARD_VERSION_HEADER,
  SHARDS_HEADER,
  SHARDS_OF_CHAT,
  TIME_LEFT_HEADER,
} from './network.js'
export { personalizePage } from './personalize/personalize-page.js'
export type { Personalizer, PersonalQuestion } from './personalize/personalizer.js'
export { type ChangingBytes, isRepeatable, joinRepetitions, type Repetition, repeatAnswer } from './repetition.js'
export { type DistinctQuestion, readFindings } from './request/collection-body.js'
export type { FacetSearchQuery } from './request/facet-search-body.js'
export { filterValue } from './request/filter-shape.js'
export { shownParameters } from './request/list-request.js'
export type { Federation, FederationOptions, MultiSearch, MultiSearchQuery } from './request/multi-search-body.js'
export {
  type DocumentRequest,
  type NamedIndexes,
  namedIndexes,
  type RequestKind,
  readRequest,
  requestBodies,
  requestParameters,
  type SearchRequest,
  searchOf,
} from './request/read-request.js'
export { newUid } from './request-uid.js'
export type { Patience, RemoteClient, SearchContext } from './search-context.js'
export { queryVectorJson } from './semantic-members.js'
export { printSimilarEnding, writeSimilar } from './similar/answer-similar.js'
export { findSimilarPart, partId, readVectors, type SimilarPart, writeSimilarPart } from './similar/similar-part.js'
export { checkSimilar, findTarget, readTargetId, type SimilarJob } from './similar/similar-search.js'
