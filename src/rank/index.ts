/** In which order? Rules, sorting, similarity and pins. */
export { agree, knowTogether } from './collection/agree.js'
export type {
  CollectionKnowledge,
  KnownTerm,
  PartDistinct,
  PartFindings,
  PartSearch,
  TermFindings,
} from './collection/knowledge.js'
export { distinctSource } from './distinct.js'
export type { MatchTerms, PhraseEntry, RankedDocument, Ranking, RankRequest, RankTimer, WordEntry } from './model.js'
export { columnOf, columnsOf } from './order/columns-of.js'
export { positionsOf } from './order/positions.js'
export { bucketsOfOrdinals, DOCUMENTS_PER_STEP } from './order/sort-buckets.js'
export { findPins, mergePins, type Pin, withoutPins, withPins } from './pins/pinned-documents.js'
export type { RuleAction, RuleCondition, RuleTime, SearchRule } from './pins/search-rule.js'
export { wantedPins } from './pins/wanted-pins.js'
export { rank } from './rank.js'
export { combineRanks, comparedValues, rankingScore, rankOf } from './score.js'
export type { ScoreDetail } from './score-detail.js'
export { isGoodEnough, isGoodScore, mergeRankings, type Weights, weightsOf } from './vectors/hybrid.js'
export type { EmbeddedQuery, QueryEmbedders } from './vectors/query-embedders.js'
export { findSimilar, type SimilarPage, type SlotVector, slotVectors } from './vectors/similar.js'
export { similarityOf } from './vectors/similarity.js'
export { vectorRule } from './vectors/vector-rule.js'
