import type { Database } from '../../store/index.js'
import { dot, wideDot } from '../distances.js'
import { copyFloats, encodeFloats } from '../vector-bytes.js'
import { CHUNK_CENTRES, centresKey } from './list-layout.js'
import { codeWords, encodeResidual, SignTable } from './residual-code.js'
import { TopEntries } from './top-entries.js'

/** Fewer centres are compared one by one. */
const CODED_FROM = 64

/** Of more, so many that are nearest by their codes, besides those that are wanted. */
const SPARE = 12

/**
 * The centres of the lists of an embedder, row by row, with codes that spare a look at most of them. Row 0 is that of
 * vectors without direction: it is nearest to nothing.
 */
export class Centres {
  rows: Float32Array
  private halfSquares: Float64Array
  /** Relative to `reference`, the middle of all centres when they were read, or when there were half as many. */
  private codes: Int32Array
  private weights: Float64Array
  private reference: Float32Array
  private referenceCount = 0
  private readonly width: number
  private readonly table: SignTable
  private readonly wide: Float64Array
  private readonly changed = new Set<number>()

  private constructor(
    readonly dimensions: number,
    private size: number,
  ) {
    const capacity = Math.max(2 * CHUNK_CENTRES, chunksOf(size) * CHUNK_CENTRES)
    this.width = codeWords(dimensions)
    this.rows = new Float32Array(capacity * dimensions)
    this.halfSquares = new Float64Array(capacity)
    this.codes = new Int32Array(capacity * this.width)
    this.weights = new Float64Array(capacity)
    this.reference = new Float32Array(dimensions)
    this.table = new SignTable(dimensions)
    this.wide = new Float64Array(dimensions)
  }

  static read(database: Database, embedder: number, stored: { dimensions: number; count: number }): Centres {
    const centres = new Centres(stored.dimensions, stored.count)
    for (let chunk = 0; chunk < chunksOf(stored.count); chunk++) {
      const borrowed = database.getBorrowed(centresKey(embedder, chunk))!
      copyFloats(borrowed, centres.rows, chunk * CHUNK_CENTRES * stored.dimensions)
    }
    centres.encodeAll()
    return centres
  }

  get count(): number {
    return this.size
  }

  /** Where a row begins. */
  at(row: number): number {
    return row * this.dimensions
  }

  row(row: number): Float32Array {
    return this.rows.subarray(this.at(row), this.at(row + 1))
  }

  /** A new row at the end. */
  add(centre: Float32Array): number {
    if ((this.size + 1) * this.dimensions > this.rows.length) this.grow()
    this.size++
    this.set(this.size - 1, centre)
    if (this.size > 2 * this.referenceCount) this.encodeAll()
    return this.size - 1
  }

  set(row: number, centre: Float32Array): void {
    this.rows.set(centre, this.at(row))
    this.encode(row)
    this.changed.add(Math.floor(row / CHUNK_CENTRES))
  }

  /** The way from one centre to another. */
  difference(to: number, from: number): Float32Array {
    const way = new Float32Array(this.dimensions)
    for (let i = 0; i < way.length; i++) way[i] = this.rows[this.at(to) + i]! - this.rows[this.at(from) + i]!
    return way
  }

  /** A vector as `nearness` takes it. Valid until the next call: thousands are looked at, and none is kept. */
  widened(vector: Float32Array): Float64Array {
    this.wide.set(vector)
    return this.wide
  }

  /** Grows the nearer the vector is to the centre of a row. */
  nearness(row: number, vector: Float64Array): number {
    return wideDot(vector, this.rows, this.at(row)) - this.halfSquares[row]!
  }

  /** The row whose centre is nearest. There is one besides row 0. */
  nearest(vector: Float32Array): number {
    let best = 1
    let bestNearness = Number.NEGATIVE_INFINITY
    const wide = this.widened(vector)
    for (const row of this.candidates(vector, 1)) {
      const nearness = this.nearness(row, wide)
      if (nearness < bestNearness || (nearness === bestNearness && row > best)) continue
      best = row
      bestNearness = nearness
    }
    return best
  }

  /** The `count` rows whose centres are nearest to one of those of `rows`, which are left out. */
  around(rows: readonly number[], count: number): number[] {
    const nearness = new Map<number, number>()
    for (const vector of rows.map((row) => this.row(row))) {
      const wide = this.widened(vector)
      for (const row of this.candidates(vector, count + rows.length)) {
        const known = nearness.get(row) ?? Number.NEGATIVE_INFINITY
        if (!rows.includes(row)) nearness.set(row, Math.max(known, this.nearness(row, wide)))
      }
    }
    return [...nearness.keys()].sort((a, b) => nearness.get(b)! - nearness.get(a)! || a - b).slice(0, count)
  }

  /** About the products of a vector with the centres, by row, each off by the same amount. `table` is prepared for it. */
  products(table: SignTable): Float64Array {
    const products = new Float64Array(this.size)
    for (let row = 1; row < this.size; row++) {
      products[row] = this.weights[row]! * table.sum(this.codes, row * this.width)
    }
    return products
  }

  /** Writes the chunks that changed. Answers whether there were any. */
  flush(database: Database, embedder: number): boolean {
    const size = CHUNK_CENTRES * this.dimensions
    for (const chunk of this.changed) {
      database.put(centresKey(embedder, chunk), encodeFloats(this.rows.slice(chunk * size, (chunk + 1) * size)))
    }
    const isChanged = this.changed.size > 0
    this.changed.clear()
    return isChanged
  }

  /** Rows among which the `count` nearest to a vector are. */
  private candidates(vector: Float32Array, count: number): Iterable<number> {
    if (this.size < CODED_FROM) return Array.from({ length: this.size - 1 }, (_, i) => i + 1)
    const products = this.products(this.table.prepare(vector))
    const top = new TopEntries(count + SPARE)
    for (let row = 1; row < this.size; row++) top.offer(row, products[row]! - this.halfSquares[row]!)
    return top.docIds()
  }

  private encodeAll(): void {
    this.reference = new Float32Array(this.dimensions)
    for (let row = 1; row < this.size; row++) {
      for (let i = 0; i < this.dimensions; i++) this.reference[i]! += this.rows[this.at(row) + i]! / (this.size - 1)
    }
    this.referenceCount = this.size
    for (let row = 0; row < this.size; row++) this.encode(row)
  }

  private encode(row: number): void {
    const at = this.at(row)
    this.halfSquares[row] = dot(this.rows, at, this.rows, at, this.dimensions) / 2
    this.weights[row] = encodeResidual(this.row(row), this.reference, 0, this.codes, row * this.width)
  }

  private grow(): void {
    this.rows = doubled(this.rows, Float32Array)
    this.halfSquares = doubled(this.halfSquares, Float64Array)
    this.codes = doubled(this.codes, Int32Array)
    this.weights = doubled(this.weights, Float64Array)
  }
}

function doubled<T extends Float32Array | Float64Array | Int32Array>(from: T, type: new (length: number) => T): T {
  const to = new type(from.length * 2)
  to.set(from)
  return to
}

const chunksOf = (count: number): number => Math.ceil(count / CHUNK_CENTRES)

/** The vector with length 1, or undefined when it has no direction. */
export function unitOf(vector: Float32Array): Float32Array | undefined {
  const square = dot(vector, 0, vector, 0, vector.length)
  if (!(square > 0) || !Number.isFinite(square)) return undefined
  const factor = 1 / Math.sqrt(square)
  const unit = new Float32Array(vector.length)
  for (let i = 0; i < vector.length; i++) unit[i] = vector[i]! * factor
  return unit
}
