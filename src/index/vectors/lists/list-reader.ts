import type { Database } from '../../../store/index.js'
import { dot } from '../distances.js'
import { Centres } from './centres.js'
import { decodeEntries, entriesKey, type ListEntries } from './list-layout.js'
import type { ListsRecord } from './list-writer.js'
import { SignTable } from './residual-code.js'
import { TopEntries } from './top-entries.js'

export interface NearRequest {
  /** With length 1. */
  readonly unit: Float32Array
  /** Entries that are looked at: lists are opened, the nearest first, until there were so many. */
  readonly looked: number
  /** Documents that are wanted of them. */
  readonly wanted: number
  /** Which documents count; absent when all do. */
  readonly isMember?: ((docId: number) => boolean) | undefined
  /** Which of the vectors of a document counts; absent when all do. */
  readonly slot?: number | undefined
}

/** Lists of neighbours for searches. */
export class ListReader {
  private centres: Centres | undefined
  private scratch = new Uint8Array(16 * 1024)
  private readonly table: SignTable

  constructor(
    private readonly database: Database,
    private readonly embedder: number,
    private readonly dimensions: number,
    private stored: ListsRecord,
  ) {
    this.table = new SignTable(dimensions)
  }

  /** Goes on with another state of the store. */
  follow(stored: ListsRecord): void {
    if (stored.changedIn !== this.stored.changedIn) this.centres = undefined
    this.stored = stored
  }

  /** Documents that are probably the nearest, in no order. */
  near(request: NearRequest): number[] {
    const { unit, looked, wanted } = request
    const table = this.table.prepare(unit)
    const top = new TopEntries(wanted)
    const centres = this.readCentres()
    // Vectors without direction are at no distance from anything.
    let left = looked - this.look(0, { table, top, product: Number.POSITIVE_INFINITY, request })
    for (const row of byProduct(centres.products(table))) {
      if (left <= 0) break
      const product = dot(unit, 0, centres.rows, centres.at(row), this.dimensions)
      left -= this.look(row, { table, top, product, request })
    }
    return top.docIds()
  }

  private look(
    row: number,
    { table, top, product, request }: { table: SignTable; top: TopEntries; product: number; request: NearRequest },
  ): number {
    const { isMember, slot } = request
    const { count, docIds, weights, codes, slots } = this.entries(row)
    const width = count === 0 ? 0 : codes.length / count
    let looked = 0
    for (let i = 0; i < count; i++) {
      const docId = docIds[i]!
      if (isMember !== undefined && !isMember(docId)) continue
      if (slot !== undefined && slots[i] !== slot) continue
      looked++
      top.offer(docId, product + weights[i]! * table.sum(codes, i * width))
    }
    return looked
  }

  /** Valid until the next call. */
  private entries(row: number): ListEntries {
    const borrowed = this.database.getBorrowed(entriesKey(this.embedder, row))
    if (borrowed === undefined) return NO_ENTRIES
    if (this.scratch.length < borrowed.length) this.scratch = new Uint8Array(borrowed.length * 2)
    this.scratch.set(borrowed.subarray(0, borrowed.length))
    return decodeEntries(this.scratch.subarray(0, borrowed.length), this.dimensions)
  }

  private readCentres(): Centres {
    const { database, embedder, dimensions, stored } = this
    this.centres ??= Centres.read(database, embedder, { dimensions, count: stored.count })
    return this.centres
  }
}

/** Rows are below this, and products are told apart to within its inverse. */
const STEPS = 2 ** 20

/** More than any product of a vector of length 1 with a centre, as its code tells it. */
const MAX_PRODUCT = 16

/** Lists, the one whose centre has the largest product with the query first. Numbers alone are sorted fastest. */
function byProduct(products: Float64Array): Float64Array {
  const keys = products.map((product, row) => Math.round((MAX_PRODUCT - product) * STEPS) * STEPS + row)
  return keys
    .subarray(1)
    .sort()
    .map((key) => key % STEPS)
}

const NO_ENTRIES: ListEntries = {
  count: 0,
  docIds: new Uint32Array(0),
  weights: new Float32Array(0),
  codes: new Uint8Array(0),
  slots: new Uint8Array(0),
}
