import { fail, ok, type Result } from '../errors/index.js'
import type { SearchIndex } from '../match/index.js'
import type { Ranking, RankRequest, RankTimer } from '../rank/index.js'
import {
  distinctSource,
  isGoodEnough,
  mergeRankings,
  rank,
  similarityOf,
  vectorRule,
  weightsOf,
} from '../rank/index.js'
import type { SearchKind } from './search-kind.js'
import type { SearchTask } from './search-task.js'
import { LOCAL_STAGE, type Stages } from './stages.js'

export interface Ranked {
  readonly ranking: Ranking
  /** By which documents were searched; null when none were. */
  readonly queryVector: Float32Array | null
}

interface RankedSearch {
  readonly index: SearchIndex
  /** By words. */
  readonly request: RankRequest
  readonly finding: SearchTask
}

/** Ranks by words, by meaning, or by both (spec 7 §2.3, §3.1). */
export function rankAs(kind: SearchKind, search: RankedSearch): Result<Ranked> {
  switch (kind) {
    case 'keyword':
      return ok({ ranking: rankByWords(search), queryVector: null })
    case 'semantic':
      return rankByMeaning(search)
    case 'hybrid':
      return ok(rankByBoth(search))
  }
}

export function rankByWords({ index, request, finding }: RankedSearch): Ranking {
  const { q } = request
  const stage = q === null || q.trim() === '' ? 'placeholder ranking' : 'keyword ranking'
  const { stages } = finding
  return stages.measureRest(`${LOCAL_STAGE} > ${stage}`, () => rank(index, request, rankTimer(stages)))
}

function rankTimer(stages: Stages): RankTimer {
  return { measure: (step, work) => stages.measure(`${LOCAL_STAGE} > ${step}`, work) }
}

function rankByMeaning(search: RankedSearch): Result<Ranked> {
  const vector = vectorOf(search.finding)
  if (vector === null) return fail('vector_embedding_error', 'The query has no vector, and no model can be asked here.')
  return ok({ ranking: rankByVector(search, vector), queryVector: vector })
}

/** Where words are good enough, or the query has no vector, they decide alone. */
function rankByBoth(search: RankedSearch): Ranked {
  const { index, request, finding } = search
  const weights = weightsOf(finding.query.hybrid!.semanticRatio)
  const keyword = rankByWords(search)
  const isEnough = finding.part === undefined && isGoodEnough(keyword, request.depth, weights)
  const vector = isEnough ? null : vectorOf(finding)
  if (vector === null) return { ranking: keyword, queryVector: null }
  const semantic = rankByVector(search, vector)
  const { depth, isExhaustive } = request
  const distinct = distinctSource(index, request)
  const ranking = mergeRankings({ keyword, semantic, weights, distinct, depth, isExhaustive })
  return { ranking: { ...ranking, findings: keyword.findings }, queryVector: vector }
}

function vectorOf({ query, embedded }: SearchTask): Float32Array | null {
  return query.vector === null ? (embedded ?? null) : Float32Array.from(query.vector)
}

function rankByVector({ index, request, finding }: RankedSearch, vector: Float32Array): Ranking {
  const name = finding.query.hybrid!.embedder
  const rule = vectorRule({
    embedder: index.vectors.embedder(name)!,
    query: vector,
    similarityOf: similarityOf(index.settings.embedders.get(name)!),
    depth: request.depth,
    total: index.docIds.size,
    deadline: request.deadline,
  })
  // Words play no part: nothing is looked for, and nothing is left out for them.
  const semantic = { ...request, q: null, locales: null, attributesToSearchOn: null, vectorRule: rule, part: undefined }
  return finding.stages.measure(`${LOCAL_STAGE} > semantic ranking`, () => rank(index, semantic))
}
