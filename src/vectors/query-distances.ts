import {
  areInOrder,
  bitDistance,
  type ComparedVector,
  comparedVector,
  cosineDistance,
  distanceOf,
  fourWideDots,
} from './distances.js'
import { quantize } from './vector-bytes.js'
import { blockOf, placeOf, type VectorRows } from './vector-rows.js'

/** How far documents are from one vector. */
export interface QueryDistances {
  /** From 0 to 1, the least over the vectors of the document; NaN when it has none (spec 7 §2.1). */
  to(docId: number): number
  /** The same for many documents: writes one distance for each. */
  toEach(docIds: Uint32Array, distances: Float64Array): void
  /** Counts vectors in one slot alone. */
  toSlot(docId: number, slot: number): number
}

/** Prepared once for a vector, asked for many documents. */
export function queryDistances(query: Float32Array, rows: VectorRows, isQuantized: boolean): QueryDistances {
  return isQuantized ? new BitDistances(query, rows) : new CosineDistances(query, rows)
}

abstract class RowDistances implements QueryDistances {
  constructor(protected readonly rows: VectorRows) {}

  to(docId: number): number {
    return this.toChain(this.rows.firstRow(docId))
  }

  toEach(docIds: Uint32Array, distances: Float64Array): void {
    for (let i = 0; i < docIds.length; i++) distances[i] = this.to(docIds[i]!)
  }

  /** From the row of a document on, to its last. */
  protected toChain(first: number): number {
    const { rows } = this
    let least = Number.NaN
    for (let row = first; row !== -1; row = rows.nextRow(row)) {
      const distance = this.toRow(blockOf(row), placeOf(row))
      if (!(distance >= least)) least = distance
    }
    return least
  }

  toSlot(docId: number, slot: number): number {
    const { rows } = this
    for (let row = rows.firstRow(docId); row !== -1; row = rows.nextRow(row)) {
      if (rows.slotOf(row) === slot) return this.toRow(blockOf(row), placeOf(row))
    }
    return Number.NaN
  }

  protected abstract toRow(block: number, place: number): number
}

class CosineDistances extends RowDistances {
  private readonly query: ComparedVector
  /** Rows that are compared together. */
  private readonly four = { blocks: [] as Float32Array[], at: new Int32Array(4), products: new Float64Array(4) }
  private readonly fourNorms = new Float64Array(4)
  /** For which of the documents. */
  private readonly fourIndexes = new Int32Array(4)

  constructor(query: Float32Array, rows: VectorRows) {
    super(rows)
    this.query = comparedVector(query)
  }

  override toEach(docIds: Uint32Array, distances: Float64Array): void {
    if (areInOrder(this.query.wide)) super.toEach(docIds, distances)
    else this.toEachByFours(docIds, distances)
  }

  private toEachByFours(docIds: Uint32Array, distances: Float64Array): void {
    const { rows } = this
    let waiting = 0
    for (let i = 0; i < docIds.length; i++) {
      const row = rows.firstRow(docIds[i]!)
      // The other rows may be gone with the next document, or are not alone.
      if (!rows.isKept(row) || rows.nextRow(row) !== -1) distances[i] = this.toChain(row)
      else {
        this.wait(waiting++, row, i)
        if (waiting === 4) this.compareFour(distances)
        waiting %= 4
      }
    }
    for (let k = 0; k < waiting; k++) {
      const i = this.fourIndexes[k]!
      distances[i] = this.to(docIds[i]!)
    }
  }

  private wait(k: number, row: number, index: number): void {
    const { rows, four } = this
    const [block, place] = [blockOf(row), placeOf(row)]
    four.blocks[k] = rows.blocks[block]!
    four.at[k] = place * rows.width
    this.fourNorms[k] = rows.norms[block]![place]!
    this.fourIndexes[k] = index
  }

  private compareFour(distances: Float64Array): void {
    const { query, four, fourNorms, fourIndexes } = this
    fourWideDots(query.wide, four)
    for (let k = 0; k < 4; k++) {
      distances[fourIndexes[k]!] = distanceOf(four.products[k]!, query.norm, fourNorms[k]!)
    }
  }

  protected toRow(block: number, place: number): number {
    const { rows } = this
    return cosineDistance(this.query, rows.blocks[block]!, place * rows.width, rows.norms[block]![place]!)
  }
}

class BitDistances extends RowDistances {
  private readonly bits: Uint32Array

  constructor(query: Float32Array, rows: VectorRows) {
    super(rows)
    this.bits = new Uint32Array(new Uint8Array(quantize(query)).buffer)
  }

  protected toRow(block: number, place: number): number {
    return bitDistance(this.bits, this.rows.bitBlocks[block]!, place * this.rows.width)
  }
}
