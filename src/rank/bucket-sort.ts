import { DenseDocSet, type DocSet, SparseDocSet } from '../bitmap/index.js'
import type { QueryGraph } from '../match/index.js'
import { checkBudget } from '../threads/index.js'
import { Bucket, type RankedBucket, type Rule } from './bucket.js'
import type { PathExchange } from './collection/path-exchange.js'
import type { DistinctValues } from './distinct.js'
import type { RankedDocument } from './model.js'
import { TimeIsUp } from './rank-context.js'
import { rankingScore } from './score.js'
import type { ScoreDetail } from './score-detail.js'
import { rankInSlices } from './slices.js'
import type { UpperBound } from './upper-bound.js'

export interface BucketSortOptions {
  readonly rules: readonly Rule[]
  readonly universe: DocSet
  readonly graph: QueryGraph
  readonly depth: number
  /** With a threshold: go on after `depth` documents, so that it is known which documents are below it. */
  readonly isExhaustive: boolean
  readonly threshold: number | null
  /** Without a threshold: a document that is alone in its bucket has its place, and is not looked at any further. */
  readonly isOrderEnough: boolean
  readonly deadline: number
  readonly distinct: DistinctValues | null
  /** Of a bucket in which `depth` is reached no more documents are taken by distinct. */
  readonly isDepthExact?: boolean
  /** How many documents are listed that are taken beyond it. */
  readonly mostTied?: number
  /** From some rule on documents are scored one by one, so that sorting can end early. */
  readonly perDocument?: PerDocumentRules | undefined
  /** Splits a large bucket by what is stored; undefined when its documents have to be looked at. */
  readonly bySets?: ((rule: number, bucket: Bucket, graph: QueryGraph) => ReturnType<Rule> | undefined) | undefined
  /** Where other indexes have documents of the same buckets. */
  readonly exchange?: PathExchange | undefined
}

export interface PerDocumentRules {
  readonly firstRule: number
  /** By a rule and those behind it. Undefined when they do depend on the other documents of the bucket. */
  readonly upperBound: (rule: number, bucket: Bucket, graph: QueryGraph) => UpperBound | undefined
  /** Documents of the first slice. */
  readonly firstSlice: number
}

export interface Sorted {
  readonly documents: readonly RankedDocument[]
  /** Those that were taken beyond `depth`. */
  readonly tied: readonly RankedDocument[]
  /** Documents that were given a place, be it behind the page. */
  readonly emitted: LazyDocSet
  /** Documents that left the candidates. */
  readonly removed: LazyDocSet
  readonly isDegraded: boolean
}

/** A set materialised on first lookup. */
class LazyDocSet {
  private bits: DenseDocSet | undefined
  /** Those that are not among the bits yet. */
  private lists: Uint32Array[] = []

  constructor(private readonly limit: number) {}

  /** The list must not change. */
  addAll(docIds: Uint32Array): void {
    this.lists.push(docIds)
  }

  add(docId: number): void {
    this.bits ??= new DenseDocSet(this.limit)
    this.bits.add(docId)
  }

  has(docId: number): boolean {
    return this.whole()?.has(docId) ?? false
  }

  /** Those of a set that are not in this one: maybe the set itself. */
  missingOf(docs: DocSet): DocSet {
    const bits = this.whole()
    return bits === undefined ? docs : docs.without(bits)
  }

  /** Undefined when there are none. */
  private whole(): DenseDocSet | undefined {
    if (this.lists.length === 0) return this.bits
    this.bits ??= new DenseDocSet(this.limit)
    for (const docIds of this.lists) this.bits.addAll(docIds)
    this.lists = []
    return this.bits
  }
}

interface Part {
  readonly rule: number
  readonly bucket: Bucket
  readonly graph: QueryGraph
  readonly details: readonly ScoreDetail[]
}

/** Applies the rules one inside the other, and opens only the buckets that the page needs (spec 6 §4.2). */
export function bucketSort(options: BucketSortOptions): Sorted {
  return new BucketSort(options).run()
}

class BucketSort {
  private readonly documents: RankedDocument[] = []
  private readonly tied: RankedDocument[] = []
  private readonly emitted: LazyDocSet
  private readonly removed: LazyDocSet
  private isDegraded = false

  constructor(private readonly options: BucketSortOptions) {
    this.emitted = new LazyDocSet(options.universe.limit)
    this.removed = new LazyDocSet(options.universe.limit)
  }

  run(): Sorted {
    const { universe, graph, rules, distinct } = this.options
    if (!this.isDone()) {
      const isWaiting = distinct === null ? undefined : (docId: number) => !distinct.isSeen(docId)
      const whole = Bucket.of(universe, isWaiting)
      if (rules.length === 0) this.emitOneByOne(whole, [])
      else this.split({ rule: 0, bucket: whole, graph, details: [] })
    }
    const { documents, tied, emitted, removed, isDegraded } = this
    return { documents, tied, emitted, removed, isDegraded }
  }

  private isDone(): boolean {
    const { depth, isExhaustive, threshold } = this.options
    return this.documents.length >= depth && !(isExhaustive && threshold !== null)
  }

  /** Answers false when time is up: what was left has been emitted unranked. */
  private split(part: Part): boolean {
    const { rule, bucket, graph, details } = part
    const { rules, deadline, perDocument, bySets, isOrderEnough } = this.options
    const stored = inTime(() => bySets?.(rule, bucket, graph))
    if (stored === undefined && perDocument && perDocument.firstRule <= rule && bucket.size > perDocument.firstSlice) {
      const upperBound = perDocument.upperBound(rule, bucket, graph)
      if (upperBound !== undefined) return this.splitInSlices(part, upperBound, perDocument)
    }
    const parts = stored ?? inTime(() => rules[rule]!(bucket, graph))
    if (parts === undefined) return this.emitRest(bucket, details)
    while (!this.isDone()) {
      checkBudget()
      if (performance.now() > deadline) return this.emitRest(bucket, details)
      const next = inTime(() => parts.next())
      if (next === undefined) return this.emitRest(bucket, details)
      if (next.done) return true
      const waiting = this.withoutSeen(next.value.bucket)
      if (waiting.size === 0) continue
      const known = [...details, next.value.detail]
      if (this.isBelowThreshold(known)) {
        this.dropRest(bucket)
        return true
      }
      const isPlaced = rule + 1 === rules.length || (isOrderEnough && waiting.size === 1)
      if (isPlaced) this.emit(waiting, known)
      else if (
        !this.split({ rule: rule + 1, bucket: waiting, graph: this.graphOf(next.value, graph, known), details: known })
      ) {
        return this.emitRest(bucket, details)
      }
    }
    return true
  }

  /** What the next rule goes by: where this one left all as it was, so it did for documents that are elsewhere. */
  private graphOf({ graph }: RankedBucket, before: QueryGraph, details: readonly ScoreDetail[]): QueryGraph {
    const { exchange } = this.options
    return exchange === undefined || graph === before ? graph : exchange.graphOf(details, graph)
  }

  private splitInSlices(part: Part, upperBound: UpperBound, { firstSlice }: PerDocumentRules): boolean {
    const { bucket, details } = part
    const wanted = this.options.depth - this.documents.length
    const { documents, isComplete } = rankInSlices({
      docIds: bucket.docIds,
      wanted,
      first: firstSlice,
      losses: upperBound.losses,
      leastLosses: upperBound.leastLosses,
      exceptions: (docIds) => inTime(() => upperBound.exceptions(docIds)),
      bounds: { ...upperBound.bounds, fulfilledBy: (docIds) => inTime(() => upperBound.bounds.fulfilledBy(docIds)) },
      pairs: upperBound.pairs,
      rulesBefore: details.length,
      rank: (docIds) => this.rankAlone(docIds, part, wanted),
    })
    this.emitted.addAll(Uint32Array.from(documents, ({ docId }) => docId))
    for (const document of documents) this.documents.push(document)
    return isComplete || this.emitRest(bucket, details)
  }

  /** The best of some documents of a part, with all that is known of them; undefined when time is up. */
  private rankAlone(docIds: Uint32Array, part: Part, depth: number): readonly RankedDocument[] | undefined {
    const alone = new BucketSort({ ...this.options, depth, perDocument: undefined, isOrderEnough: false })
    return alone.split({ ...part, bucket: Bucket.slice(docIds) }) ? alone.documents : undefined
  }

  /** Duplicates of documents that were emitted leave the bucket, and the candidates. */
  private withoutSeen(bucket: Bucket): Bucket {
    const { distinct } = this.options
    if (distinct === null || distinct.isNothingSeen) return bucket
    const seen = this.listOf(distinct.seenOf(bucket.docIds))
    this.removed.addAll(seen.docIds)
    return bucket.partOf(this.listOf(bucket.docIds).without(seen).docIds)
  }

  private listOf(docIds: Uint32Array): SparseDocSet {
    return new SparseDocSet(docIds, this.options.universe.limit)
  }

  private isBelowThreshold(details: readonly ScoreDetail[]): boolean {
    const { threshold } = this.options
    return threshold !== null && rankingScore(details) < threshold
  }

  private isWaiting(docId: number): boolean {
    return !this.emitted.has(docId) && !this.removed.has(docId)
  }

  private dropRest(bucket: Bucket): void {
    for (const docId of bucket.docIds) if (this.isWaiting(docId)) this.removed.add(docId)
  }

  private emitRest(bucket: Bucket, details: readonly ScoreDetail[]): false {
    this.isDegraded = true
    const skipped: ScoreDetail[] = [...details, { rule: 'skipped' }]
    if (this.isBelowThreshold(skipped)) this.dropRest(bucket)
    else
      this.emit(
        bucket.filter((docId) => this.isWaiting(docId)),
        skipped,
      )
    return false
  }

  /** Distinct looks at the whole bucket, even where only part of it is needed. */
  private emit(bucket: Bucket, details: readonly ScoreDetail[]): void {
    const { distinct, depth, isDepthExact = false, mostTied = 0 } = this.options
    if (isDepthExact) {
      this.emitOneByOne(bucket, details)
      return
    }
    const docIds = distinct === null ? bucket.docIds : this.takeDistinct(bucket.docIds, distinct)
    this.emitted.addAll(docIds)
    const count = Math.min(docIds.length, depth - this.documents.length)
    for (let i = 0; i < count; i++) this.documents.push({ docId: docIds[i]!, details })
    const tiedEnd = count === 0 ? 0 : Math.min(docIds.length, count + mostTied)
    for (let i = count; i < tiedEnd; i++) this.tied.push({ docId: docIds[i]!, details })
  }

  private takeDistinct(docIds: Uint32Array, distinct: DistinctValues): Uint32Array {
    const taken = this.listOf(distinct.takeAll(docIds))
    this.removed.addAll(this.listOf(docIds).without(taken).docIds)
    return taken.docIds
  }

  private emitOneByOne({ docIds }: Bucket, details: readonly ScoreDetail[]): void {
    const { distinct, depth } = this.options
    for (let i = 0; i < docIds.length && !this.isDone(); i++) {
      const docId = docIds[i]!
      if (distinct !== null && !distinct.take(docId)) this.removed.add(docId)
      else {
        this.emitted.add(docId)
        if (this.documents.length < depth) this.documents.push({ docId, details })
      }
    }
  }
}

/** Undefined when the work ran out of time. */
function inTime<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof TimeIsUp) return undefined
    throw error
  }
}
