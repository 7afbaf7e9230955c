import { type DocSet, lowerBound, SparseDocSet } from '../../bitmap/index.js'
import type { QueryGraph } from '../../match/index.js'
import type { DocIdSource } from '../../postings/index.js'
import { Bucket, type RankedBucket, type Rule } from '../bucket.js'
import type { RankContext } from '../rank-context.js'
import type { RuleStep } from '../rules.js'
import { lossOf } from '../upper-bound.js'
import { CostSums } from './cost-sums.js'
import { coverNodes } from './covered-nodes.js'
import { type SetCosts, setCosts } from './set-costs.js'

export interface SetSplitJob {
  readonly context: RankContext
  readonly kind: RuleStep['kind']
  readonly bucket: Bucket
  readonly graph: QueryGraph
  /** The same rule, looking at documents one by one. */
  readonly byDocument: Rule
  /** So many documents are sooner looked at one by one. */
  readonly few: number
}

/**
 * Splits a large bucket by sets that are stored for frequent terms, instead of looking at each of its documents. What the
 * sets do not speak of is looked at all the same: documents that changed since they were made, and those with other words
 * that stand for the query. Undefined where sets do not help.
 */
export function splitBySets(job: SetSplitJob): Iterator<RankedBucket, undefined> | undefined {
  const { context, kind, bucket, graph, byDocument } = job
  const coverage = graph.isChain ? coverNodes(context, graph) : undefined
  const costs = coverage === undefined ? undefined : setCosts(context, kind, coverage)
  if (costs === undefined) return undefined
  if (costs === 'undivided') return byDocument(bucket, graph)
  const docs = setOf(context, bucket)
  const exceptions = exceptionsIn(context, docs, costs.others)
  if (exceptions === undefined) return undefined
  return new SetSplit(job, costs, docs, exceptions).parts()
}

function setOf(context: RankContext, { set, docIds }: Bucket): DocSet {
  if (set !== undefined) return set
  const docs = context.newBits()
  docs.addAll(docIds)
  return docs
}

/** Where more than this share of the documents are exceptions, as a divisor, all may as well be looked at. */
const MANY_EXCEPTIONS = 2

/** Documents that the sets do not speak of; undefined when they are too many. */
function exceptionsIn(context: RankContext, docs: DocSet, others: readonly DocIdSource[]): DocSet | undefined {
  const { unsettled } = context.words.sets
  const bits = context.bitsOf(others)
  bits.addAll(unsettled.subarray(0, lowerBound(unsettled, context.docLimit)))
  const exceptions = docs.within(bits)
  return exceptions.count() * MANY_EXCEPTIONS > docs.count() ? undefined : exceptions
}

class SetSplit {
  /** Documents of the sets that have not come yet. */
  private left: DocSet
  private readonly sums: CostSums
  private readonly others: CostOrder

  constructor(
    private readonly job: SetSplitJob,
    private readonly costs: SetCosts,
    docs: DocSet,
    exceptions: DocSet,
  ) {
    this.left = exceptions.count() === 0 ? docs : docs.without(exceptions)
    this.sums = new CostSums(this.left, costs.columns(this.left))
    const { byDocument, graph } = job
    this.others = new CostOrder(exceptions.count() === 0 ? undefined : byDocument(this.bucketOf(exceptions), graph))
  }

  *parts(): Iterator<RankedBucket, undefined> {
    const { graph, few, context } = this.job
    const { unknownFrom, most, detail } = this.costs
    for (let cost = 0; cost <= most && !(this.left.count() === 0 && this.others.isDone); cost++) {
      if (cost >= unknownFrom || this.left.count() <= few) {
        yield* this.rest()
        return undefined
      }
      context.checkTime()
      const docs = this.take(cost)
      if (docs !== undefined) yield { bucket: this.bucketOf(docs), detail: detail(cost), graph }
    }
    return undefined
  }

  /** All that cost so much. Those of which the sets know nothing cost as much as can be. */
  private take(cost: number): DocSet | undefined {
    const found = cost === this.costs.most ? this.left : this.sums.at(cost)
    if (found !== undefined) this.left = this.left.without(found)
    const others = this.others.take(cost, this.left.limit)
    if (found === undefined || found.count() === 0) return others
    return others === undefined ? found : found.with(others)
  }

  private *rest(): Generator<RankedBucket, undefined> {
    const { byDocument, graph } = this.job
    const others = this.others.takeAll(this.left.limit)
    const docs = others === undefined ? this.left : this.left.with(others)
    if (docs.count() > 0) yield* { [Symbol.iterator]: () => byDocument(this.bucketOf(docs), graph) }
    return undefined
  }

  private bucketOf(docs: DocSet): Bucket {
    return Bucket.of(docs, this.job.bucket.origin.isWaiting)
  }
}

/** Parts that a rule hands out by rising cost. */
class CostOrder {
  private next: RankedBucket | undefined

  constructor(private readonly parts: Iterator<RankedBucket, undefined> | undefined) {
    this.advance()
  }

  get isDone(): boolean {
    return this.next === undefined
  }

  /** The documents that cost so much. Cheaper ones have been taken. */
  take(cost: number, limit: number): DocSet | undefined {
    if (this.next === undefined || lossOf(this.next.detail) !== cost) return undefined
    const docs = new SparseDocSet(this.next.bucket.docIds, limit)
    this.advance()
    return docs
  }

  /** All that are left. */
  takeAll(limit: number): DocSet | undefined {
    let all: DocSet | undefined
    for (; this.next !== undefined; this.advance()) {
      const docs = new SparseDocSet(this.next.bucket.docIds, limit)
      all = all === undefined ? docs : all.with(docs)
    }
    return all
  }

  private advance(): void {
    this.next = this.parts?.next().value
  }
}
