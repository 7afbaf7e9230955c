import type { DenseDocSet, DocSet } from '../../bitmap/index.js'
import type { TermSets } from '../../postings/index.js'
import { fieldCosts } from '../attribute-rule.js'
import { NO_EDGE } from '../graph-rule.js'
import { stepCosts, WORST_COST } from '../position-rule.js'
import { FAR_COST } from '../proximity-rule.js'
import type { RankContext } from '../rank-context.js'
import type { CostColumn } from './cost-sums.js'
import type { CoveredNode } from './covered-nodes.js'

/** Makes the sets of a column by rising cost, and takes out of each what was cheaper. */
abstract class StoredColumn implements CostColumn {
  abstract readonly most: number
  private readonly known: (DenseDocSet | undefined)[] = []
  private cheaper: DenseDocSet | undefined

  constructor(protected readonly context: RankContext) {}

  at(cost: number): DenseDocSet | undefined {
    while (this.known.length <= cost) this.known.push(this.next(this.known.length))
    return this.known[cost]
  }

  /** Adds the documents that can be had at a cost, though some may be had cheaper; answers whether there can be any. */
  protected abstract add(cost: number, docs: DenseDocSet): boolean

  private next(cost: number): DenseDocSet | undefined {
    const docs = this.context.newBits()
    if (!this.add(cost, docs)) return undefined
    const { cheaper } = this
    if (cost < this.most) this.cheaper = cheaper === undefined ? docs : cheaper.with(docs)
    return cheaper === undefined ? docs : docs.without(cheaper)
  }

  protected get sets(): TermSets {
    return this.context.words.sets
  }
}

/** What the nearest position of a node costs. */
export class PositionColumn extends StoredColumn {
  readonly most = WORST_COST
  private readonly costs: Uint16Array

  constructor(
    context: RankContext,
    private readonly covered: CoveredNode,
  ) {
    super(context)
    this.costs = stepCosts(covered.node.term)
  }

  protected add(cost: number, docs: DenseDocSet): boolean {
    let isAny = false
    for (const [step, own] of this.costs.entries()) {
      if (own - 1 !== cost) continue
      isAny = true
      for (const { number } of this.covered.terms) this.sets.addStep(number, step, docs)
    }
    return isAny
  }
}

/** What the best attribute of a node costs. */
export class AttributeColumn extends StoredColumn {
  readonly most: number
  private readonly costs: Uint16Array

  constructor(
    context: RankContext,
    private readonly covered: CoveredNode,
  ) {
    super(context)
    this.costs = fieldCosts(context, covered.node.term.size)
    this.most = this.costs.reduce((most, cost) => Math.max(most, cost), 1) - 1
  }

  protected add(cost: number, docs: DenseDocSet): boolean {
    let isAny = false
    for (const [field, own] of this.costs.entries()) {
      if (own === NO_EDGE || own - 1 !== cost) continue
      isAny = true
      for (const { number } of this.covered.terms) this.sets.addField(number, field, docs)
    }
    return isAny
  }
}

/** How far two neighbours are from each other. */
export class PairColumn implements CostColumn {
  readonly most = FAR_COST
  private readonly near: NearColumn
  private far: DenseDocSet | undefined

  constructor(
    private readonly context: RankContext,
    /** What is not near among these is far. */
    private readonly docs: DocSet,
    left: CoveredNode,
    right: CoveredNode,
  ) {
    this.near = new NearColumn(context, left, right)
  }

  at(cost: number): DenseDocSet | undefined {
    if (cost < FAR_COST) return this.near.at(cost)
    this.far ??= this.findFar()
    return this.far
  }

  private findFar(): DenseDocSet {
    let rest = this.context.newBits()
    rest.addAll(this.docs.toArray())
    for (let cost = 0; cost < FAR_COST; cost++) rest = rest.without(this.near.at(cost)!)
    return rest
  }
}

class NearColumn extends StoredColumn {
  readonly most = FAR_COST - 1

  constructor(
    context: RankContext,
    private readonly left: CoveredNode,
    private readonly right: CoveredNode,
  ) {
    super(context)
  }

  /** Words in the other order cost one more than words that follow each other (spec 6 §4.6). */
  protected add(cost: number, docs: DenseDocSet): boolean {
    const { left, right } = this
    for (const first of left.terms) {
      for (const second of right.terms) this.sets.addPair(first.number, second.number, cost + 1, docs)
    }
    if (cost === 0) return true
    for (const first of right.words) {
      for (const second of left.words) this.sets.addPair(first.number, second.number, cost, docs)
    }
    return true
  }
}
