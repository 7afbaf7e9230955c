import { Bitmap } from '../../bitmap/index.js'
import { type DistinctSource, DistinctValues } from '../distinct.js'
import type { RankedDocument, Ranking } from '../model.js'
import { rankingScore } from '../score.js'
import { compareScores, weightedValues } from './compare-scores.js'

/** From this weighted score on, hits of words are good enough (spec 7 §3.1). */
const GOOD_ENOUGH = 0.45

/** How much lists count against each other, made of the semantic ratio. */
export interface Weights {
  readonly keyword: number
  readonly semantic: number
}

export function weightsOf(semanticRatio: number): Weights {
  const semantic = Math.fround(semanticRatio)
  return { semantic, keyword: Math.fround(1 - semantic) }
}

/** Whether nothing that meaning could find would change the page: all hits of it are there, and good. */
export function isGoodEnough({ documents }: Ranking, depth: number, weights: Weights): boolean {
  if (documents.length < depth) return false
  return documents.every(({ details }) => isGoodScore(rankingScore(details), weights))
}

/** The score of a hit of words. */
export const isGoodScore = (score: number, { keyword }: Weights): boolean => score * keyword >= GOOD_ENOUGH

export interface Hybrid {
  readonly keyword: Ranking
  readonly semantic: Ranking
  readonly weights: Weights
  readonly distinct: DistinctSource | null
  /** How many documents are wanted, from the first on. */
  readonly depth: number
  readonly isExhaustive: boolean
}

/** Two rankings of one index made one (spec 7 §3.2). */
export function mergeRankings(hybrid: Hybrid): Ranking {
  const { keyword, semantic, distinct, depth } = hybrid
  const taken = distinct === null ? null : new DistinctValues(distinct)
  const documents: RankedDocument[] = []
  const seen = new Set<number>()
  for (const document of inOrder(hybrid)) {
    if (documents.length === depth) break
    if (seen.has(document.docId)) continue
    seen.add(document.docId)
    if (taken === null || taken.take(document.docId)) documents.push(document)
  }
  const isDegraded = keyword.isDegraded || semantic.isDegraded
  const candidates = distinct === null ? candidatesOf(hybrid) : distinctCandidates(hybrid, documents, distinct)
  return { documents, ...candidates, terms: keyword.terms, isDegraded }
}

/** The better head first, meaning before words among equals. */
function* inOrder({ keyword, semantic, weights }: Hybrid): Generator<RankedDocument, void> {
  const [left, right] = [semantic.documents, keyword.documents]
  let i = 0
  let j = 0
  while (i < left.length || j < right.length) {
    if (j === right.length || (i < left.length && isFirst(left[i]!, right[j]!, weights))) {
      yield left[i++]!
    } else yield right[j++]!
  }
}

function isFirst(semantic: RankedDocument, keyword: RankedDocument, weights: Weights): boolean {
  const left = weightedValues(semantic.details, weights.semantic)
  return compareScores(left, weightedValues(keyword.details, weights.keyword)) >= 0
}

type Candidates = Pick<Ranking, 'candidateCount' | 'candidates'>

function candidatesOf({ keyword, semantic }: Hybrid): Candidates {
  const candidates = keyword.candidates().or(semantic.candidates())
  return { candidateCount: candidates.size, candidates: () => candidates }
}

/** Duplicates of hits are no candidates, wherever they were found. */
function distinctCandidates(
  { keyword, semantic, isExhaustive }: Hybrid,
  documents: readonly RankedDocument[],
  source: DistinctSource,
): Candidates {
  const taken = new DistinctValues(source)
  const hits = documents.map(({ docId }) => docId)
  for (const docId of hits) taken.take(docId)
  const others = keyword.candidates().or(semantic.candidates()).andNot(Bitmap.fromUnsorted(hits))
  const different = isExhaustive
    ? Bitmap.fromSorted(taken.takeAll(others.toArray()))
    : others.andNot(Bitmap.fromSorted(taken.seenOf(others.toArray())))
  const candidates = different.or(Bitmap.fromUnsorted(hits))
  return { candidateCount: candidates.size, candidates: () => candidates }
}
