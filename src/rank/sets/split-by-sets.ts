import { type DocSet, SparseDocSet } from '../../bitmap/index.js'
import type { QueryGraph } from '../../match/index.js'
import type { DocIdSource } from '../../postings/index.js'
import { Bucket, type RankedBucket, type Rule } from '../bucket.js'
import type { RankContext } from '../rank-context.js'
import type { RuleStep } from '../rules.js'
import { lossOf } from '../upper-bound.js'
import { type CostColumn, CostSums } from './cost-sums.js'
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
  if (exceptions === undefined || docs.count() - exceptions.count() <= job.few) return undefined
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
  const bits = context.bitsOf(others)
  bits.addAll(context.words.sets.staleBelow(context.docLimit))
  const exceptions = docs.within(bits)
  return exceptions.count() * MANY_EXCEPTIONS > docs.count() ? undefined : exceptions
}

class SetSplit {
  /** Documents of the sets that have not come yet. */
  private left: DocSet
  private readonly columns: readonly CostColumn[]
  private sums: CostSums
  private readonly others: CostOrder[] = []

  constructor(
    private readonly job: SetSplitJob,
    private readonly costs: SetCosts,
    docs: DocSet,
    exceptions: DocSet,
  ) {
    this.left = docs
    this.lookAt(exceptions)
    this.columns = costs.columns(this.left)
    this.sums = new CostSums(this.left, this.columns)
  }

  *parts(): Iterator<RankedBucket, undefined> {
    const { graph, few, context } = this.job
    const { most, detail } = this.costs
    for (let cost = 0; cost <= most && !this.isDone; cost++) {
      if (this.left.count() <= few || (cost === 1 && !this.lookAtReversed())) {
        yield* this.rest()
        return undefined
      }
      context.checkTime()
      const docs = this.take(cost)
      if (docs !== undefined) yield { bucket: this.bucketOf(docs), detail: detail(cost), graph }
    }
    return undefined
  }

  private get isDone(): boolean {
    return this.left.count() === 0 && this.others.every(({ isDone }) => isDone)
  }

  /** Documents that the sets do not speak of. */
  private lookAt(exceptions: DocSet): void {
    if (exceptions.count() === 0) return
    this.left = this.left.without(exceptions)
    this.others.push(new CostOrder(this.job.byDocument(this.bucketOf(exceptions), this.job.graph)))
  }

  /** What costs nothing has come: of some documents the sets know no more. Answers false when they are too many. */
  private lookAtReversed(): boolean {
    const { reversed } = this.costs
    if (reversed.length === 0) return true
    const exceptions = this.left.within(this.job.context.bitsOf(reversed))
    if (exceptions.count() * MANY_EXCEPTIONS > this.left.count()) return false
    this.lookAt(exceptions)
    this.sums = new CostSums(this.left, this.columns)
    return true
  }

  /** All that cost so much. Those of which the sets know nothing cost as much as can be. */
  private take(cost: number): DocSet | undefined {
    let found = cost === this.costs.most ? this.left : this.sums.at(cost)
    if (found !== undefined) this.left = this.left.without(found)
    for (const order of this.others) {
      const others = order.take(cost, this.left.limit)
      if (others !== undefined) found = found === undefined ? others : found.with(others)
    }
    return found !== undefined && found.count() > 0 ? found : undefined
  }

  private *rest(): Generator<RankedBucket, undefined> {
    const { byDocument, graph } = this.job
    let docs = this.left
    for (const order of this.others) docs = order.takeAll(docs)
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

  constructor(private readonly parts: Iterator<RankedBucket, undefined>) {
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

  /** Some documents and all that are left. */
  takeAll(docs: DocSet): DocSet {
    let all = docs
    for (; this.next !== undefined; this.advance()) {
      all = all.with(new SparseDocSet(this.next.bucket.docIds, docs.limit))
    }
    return all
  }

  private advance(): void {
    this.next = this.parts.next().value
  }
}
