import { DenseDocSet, type DocSet } from '../../bitmap/index.js'

/** Documents by what they cost at one node, or at one pair of nodes. Sets of different costs have nothing in common. */
export interface CostColumn {
  /** Undefined when no document costs that much. */
  at(cost: number): DenseDocSet | undefined
  /** No document costs more. */
  readonly most: number
}

/** Documents by the sum of their costs in several columns, found when they are asked for. */
export class CostSums {
  /** By number of columns and sum: those whose first columns cost that much. */
  private readonly known = new Map<number, DocSet | undefined>()

  constructor(
    private readonly docs: DocSet,
    private readonly columns: readonly CostColumn[],
  ) {}

  at(sum: number): DocSet | undefined {
    return this.reached(this.columns.length, sum)
  }

  private reached(count: number, sum: number): DocSet | undefined {
    if (count === 0) return sum === 0 ? this.docs : undefined
    const key = count * MAX_SUM + sum
    if (!this.known.has(key)) this.known.set(key, this.reach(count, sum))
    return this.known.get(key)
  }

  private reach(count: number, sum: number): DocSet | undefined {
    const column = this.columns[count - 1]!
    let found: DocSet | undefined
    for (let cost = 0; cost <= Math.min(sum, column.most); cost++) {
      const before = this.reached(count - 1, sum - cost)
      const docs = before === undefined ? undefined : column.at(cost)
      if (docs === undefined) continue
      const both = compact(before!.within(docs))
      if (both.count() > 0) found = found === undefined ? both : found.with(both)
    }
    return found
  }
}

const MAX_SUM = 1 << 20

function compact(docs: DocSet): DocSet {
  return docs instanceof DenseDocSet ? docs.compact() : docs
}
