import { Bitmap, StoredUnion } from '../bitmap/index.js'
import type { DocId } from '../documents/index.js'
import { docIdKey, type IndexDatabases } from '../folder/index.js'
import type { Database, Entry, KeyRange } from '../store/index.js'
import { checkBudget } from '../threads/index.js'
import type { GeoRegion } from './geo-region.js'
import { decodeShape } from './shape.js'
import { ShapeArcs } from './shape-arcs.js'
import { isSumKey, isSureKey, keyBehind, keysOf, keysWithin } from './shape-cell-key.js'
import { boxOf, type Cell, childrenOf, levelOf, MAX_LEVEL, WORLD } from './shape-cells.js'

/** A cell with no more sets of documents than this is not looked at in parts. */
const FEW_SETS = 16
/** From so many documents on, going to another place costs less than reading on. */
const MANY_DOCUMENTS = 32
/** How many sets are held before they are united. */
const SETS_AT_ONCE = 256

/** The documents whose shapes have a point in common with a region. */
export function shapesTouching(databases: IndexDatabases, region: GeoRegion): Bitmap {
  const { sure, possible } = new Candidates(databases.shapeCells, region)
  const found = sure.docIds()
  const touching: number[] = []
  for (const docId of possible.docIds().andNot(found)) {
    checkBudget()
    if (region.touches(shapeOf(databases, docId as DocId))) touching.push(docId)
  }
  return found.or(Bitmap.fromSorted(touching))
}

function shapeOf({ shapes }: IndexDatabases, docId: DocId): ShapeArcs {
  const borrowed = shapes.getBorrowed(docIdKey(docId))
  if (borrowed === undefined) throw new Error(`document ${docId} lies in a cell but has no shape`)
  return new ShapeArcs(decodeShape(borrowed))
}

/** Looks through the cells from the largest on; what lies outside of the region is never read. */
class Candidates {
  /** Documents with a point in a cell that is all inside. */
  readonly sure = new StoredUnion(SETS_AT_ONCE)
  /** Documents in cells of the border, and those that are perhaps in cells inside. */
  readonly possible = new StoredUnion(SETS_AT_ONCE)

  constructor(
    private readonly cells: Database,
    private readonly region: GeoRegion,
  ) {
    this.visit(WORLD)
  }

  private visit(cell: Cell): void {
    checkBudget()
    const placement = this.region.place(boxOf(cell))
    if (placement === 'outside') return
    if (placement === 'inside') this.takeInside(cell)
    else this.takeBorder(cell)
  }

  /** Where many lie in the parts of a cell, what is known of them together is taken instead. */
  private takeInside(cell: Cell): void {
    const { start, end } = keysWithin(cell)
    let next: Buffer | undefined = start
    while (next !== undefined) next = this.takeFrom({ start: next, ...(end && { end }) })
  }

  /** Stops after a sum that was worth it, and answers the key behind what it holds. */
  private takeFrom(range: KeyRange): Buffer | undefined {
    let sum: Entry[] = []
    for (const entry of this.cells.range(range)) {
      if (isSumKey(entry.key)) sum.push(entry)
      else if (countOf(sum) >= MANY_DOCUMENTS) break
      else {
        this.take(entry)
        sum = []
      }
    }
    if (countOf(sum) < MANY_DOCUMENTS) return undefined
    for (const entry of sum) this.take(entry)
    return keyBehind(sum[0]!.key)
  }

  private take({ key, value }: Entry): void {
    const union = isSureKey(key) ? this.sure : this.possible
    union.add(value)
  }

  /** Few are tested one by one. Of many, those of the cell itself are; smaller cells may tell more of the others. */
  private takeBorder(cell: Cell): void {
    const few = [...this.cells.range({ ...keysWithin(cell), limit: FEW_SETS + 1 })]
    const isFew = few.length <= FEW_SETS
    for (const { value } of isFew ? few : this.cells.range(keysOf(cell))) this.possible.add(value)
    if (!isFew && levelOf(cell) < MAX_LEVEL) for (const child of childrenOf(cell)) this.visit(child)
  }
}

const countOf = (sets: readonly Entry[]): number =>
  sets.reduce((count, { value }) => count + Bitmap.deserialize(value).size, 0)
