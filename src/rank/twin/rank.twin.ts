import { type ParsedQuery, parseQuery } from '../../match/index.js'
import type { RankRequest } from '../model.js'
import type { ScoreDetail } from '../score-detail.js'
import { duplicatesOf, type TwinRule } from './buckets.twin.js'
import { ascending, type DocSet, intersect, subtract } from './doc-sets.twin.js'
import { mostReducedDocs, queryGraph, removalGroups, type TwinGraph } from './graph.twin.js'
import { type Collection, TwinIndex } from './index.twin.js'
import { Matcher } from './matcher.twin.js'
import { RuleList } from './rule-list.twin.js'
import { scoreOf } from './score.twin.js'

export interface TwinRanking {
  readonly ids: readonly number[]
  readonly scores: readonly number[]
  readonly details: readonly (readonly ScoreDetail[])[]
  /** The documents that totals count, ascending. */
  readonly candidates: readonly number[]
}

const MAX_QUERY_TOKENS = 1000

/** Ranks by trying everything: what `rank` must agree with. Leaves out languages and geo sorting. */
export function twinRank(collection: Collection, request: RankRequest): TwinRanking {
  const index = new TwinIndex(collection)
  const matcher = new Matcher(index, request.attributesToSearchOn)
  const tokens = index.analyzer.tokenize(request.q ?? '', undefined, MAX_QUERY_TOKENS)
  const query = parseQuery(tokens, index.settings.prefixSearch === 'indexingTime')
  const isPlaceholder = query.terms.length === 0
  const graph = queryGraph(matcher, query)
  const groups = removalGroups(matcher, graph, request.matchingStrategy)
  const allowed = allowedDocs(matcher, request, query)
  const universe = isPlaceholder ? allowed : intersect(allowed, mostReducedDocs(matcher, graph, groups))
  const { rules } = new RuleList({ matcher, request, isPlaceholder, groups })
  return new BucketSort(matcher, request, rules).run(universe, graph)
}

/** What the filter and the negative terms let through (spec 6 §3). */
function allowedDocs(matcher: Matcher, { filter }: RankRequest, query: ParsedQuery): DocSet {
  let docs: DocSet = filter === null ? matcher.index.docIds : intersect(matcher.index.docIds, new Set(filter))
  for (const word of query.negativeWords) docs = subtract(docs, matcher.wordDocs(word))
  for (const phrase of query.negativePhrases) docs = subtract(docs, matcher.phraseDocs(phrase))
  return docs
}

interface Emitted {
  readonly docId: number
  readonly details: readonly ScoreDetail[]
}

/** Rules one inside the other, until enough documents have come out (spec 6 §4.2). */
class BucketSort {
  private readonly emitted: Emitted[] = []
  private readonly excluded = new Set<number>()
  private readonly candidates = new Set<number>()
  private readonly wanted: number
  private readonly isLate: boolean

  constructor(
    private readonly matcher: Matcher,
    private readonly request: RankRequest,
    private readonly rules: readonly TwinRule[],
  ) {
    const needsAll = request.isExhaustive && request.threshold !== null
    this.wanted = needsAll ? Number.POSITIVE_INFINITY : request.depth
    this.isLate = request.deadline < performance.now()
  }

  run(universe: DocSet, graph: TwinGraph): TwinRanking {
    for (const docId of universe) this.candidates.add(docId)
    if (this.rules.length === 0) for (const docId of ascending(universe)) this.emit(new Set([docId]), [])
    else this.rank({ depth: 0, universe, graph, details: [] })
    if (this.request.isExhaustive) this.dropDuplicates()
    const documents = this.emitted.slice(0, this.request.depth)
    return {
      ids: documents.map(({ docId }) => docId),
      scores: documents.map(({ details }) => scoreOf(details)),
      details: documents.map(({ details }) => details),
      candidates: ascending(this.candidates),
    }
  }

  private get isDone(): boolean {
    return this.emitted.length >= this.wanted
  }

  private rank({ depth, universe, graph, details }: Stage): void {
    const buckets = this.rules[depth]!(graph)
    let left = subtract(universe, this.excluded)
    while (!this.isDone && left.size > 0) {
      const bucket = this.isLate ? { docs: left, detail: SKIPPED, graph } : buckets(left)
      left = subtract(left, bucket.docs)
      const soFar = [...details, bucket.detail]
      if (this.isTooLow(soFar)) {
        this.drop([...bucket.docs, ...left])
        return
      }
      if (this.isLate || depth === this.rules.length - 1) this.emit(bucket.docs, soFar)
      else this.rank({ depth: depth + 1, universe: bucket.docs, graph: bucket.graph, details: soFar })
      left = subtract(left, this.excluded)
    }
  }

  private isTooLow(details: readonly ScoreDetail[]): boolean {
    return this.request.threshold !== null && scoreOf(details) < this.request.threshold
  }

  private drop(docIds: Iterable<number>): void {
    for (const docId of docIds) this.candidates.delete(docId)
  }

  /** Distinct is applied to the whole group, even if only a part of it is wanted. */
  private emit(docs: DocSet, details: readonly ScoreDetail[]): void {
    if (this.isDone) return
    const kept = ascending(docs).filter((docId) => {
      if (this.excluded.has(docId)) return false
      this.exclude(this.duplicatesOf(docId))
      return true
    })
    for (const docId of kept) if (!this.isDone) this.emitted.push({ docId, details })
  }

  private exclude(docIds: DocSet): void {
    for (const docId of docIds) this.excluded.add(docId)
    this.drop(docIds)
  }

  private duplicatesOf(docId: number): DocSet {
    const { distinct } = this.request
    return distinct === null ? new Set() : duplicatesOf(this.matcher, distinct, docId)
  }

  private dropDuplicates(): void {
    for (const docId of ascending(this.candidates)) {
      if (this.candidates.has(docId)) this.drop(this.duplicatesOf(docId))
    }
  }
}

interface Stage {
  readonly depth: number
  readonly universe: DocSet
  readonly graph: TwinGraph
  readonly details: readonly ScoreDetail[]
}

const SKIPPED: ScoreDetail = { rule: 'skipped' }
