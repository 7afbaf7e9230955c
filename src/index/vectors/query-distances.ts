import { bitDistance, cosineDistance, norm } from './distances.js'
import { quantize } from './vector-bytes.js'
import { blockOf, placeOf, type VectorRows } from './vector-rows.js'

/** How far documents are from one vector. */
export interface QueryDistances {
  /** From 0 to 1, the least over the vectors of the document; NaN when it has none (spec 7 §2.1). */
  to(docId: number): number
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
    const { rows } = this
    let least = Number.NaN
    for (let row = rows.firstRow(docId); row !== -1; row = rows.nextRow(row)) {
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
  private readonly norm: number

  constructor(
    private readonly query: Float32Array,
    rows: VectorRows,
  ) {
    super(rows)
    this.norm = norm(query, 0, query.length)
  }

  protected toRow(block: number, place: number): number {
    const { rows, query } = this
    return cosineDistance(query, this.norm, rows.blocks[block]!, place * rows.width, rows.norms[block]![place]!)
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
