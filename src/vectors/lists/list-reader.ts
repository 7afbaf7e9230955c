import { KeyHeap } from '../../heap/index.js'
import type { Database } from '../../store/index.js'
import { wideDot } from '../distances.js'
import { Centres } from './centres.js'
import type { HeldLists } from './held-lists.js'
import { entriesKey, type ListEntries, type ListsRecord } from './list-layout.js'
import { SignTable } from './residual-code.js'
import { TopEntries } from './top-entries.js'

/** A set of documents. */
export interface DocMembers {
  readonly size: number
  has(docId: number): boolean
}

export interface NearRequest {
  /** With length 1. */
  readonly unit: Float32Array
  /** Documents that are wanted in the end. */
  readonly count: number
  /** Documents that are answered, no fewer: codes tell only roughly which are the nearest. */
  readonly compared: number
  /** Lists are opened, the nearest first, until so many entries in a row were none of the `count` best so far. */
  readonly patience: number
  /** Entries that are looked at in all: then lists are opened no more. */
  readonly looked: number
  /** Which documents count; absent when all do. */
  readonly members?: DocMembers | undefined
  /** Which of the vectors of a document counts; absent when all do. */
  readonly slot?: number | undefined
}

const NO_ENTRIES: ListEntries = {
  count: 0,
  docIds: new Uint32Array(0),
  weights: new Float32Array(0),
  codes: new Int32Array(0),
  slots: new Uint8Array(0),
}

/** Lists of neighbours for searches. */
export class ListReader {
  private centres: Centres | undefined
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

  /** Documents that are probably the nearest, in no order. What is held is of the state of the store that it goes by. */
  near(request: NearRequest, held: HeldLists): number[] {
    const centres = this.readCentres()
    const scan = new Scan(request, this.table.prepare(request.unit))
    const wide = new Float64Array(request.unit)
    const order = byProduct(centres.products(this.table))
    // Vectors without direction are at no distance from anything.
    scan.open(this.entries(0, held))
    scan.look(Number.POSITIVE_INFINITY)
    for (; order.size > 0 && !scan.isDone; order.removeFirst()) {
      const row = order.first + 1
      if (scan.open(this.entries(row, held))) scan.look(wideDot(wide, centres.rows, centres.at(row)))
    }
    return scan.found()
  }

  /** Valid until the next call. */
  private entries(row: number, held: HeldLists): ListEntries {
    const known = held.get(row)
    if (known !== undefined) return known
    const borrowed = this.database.getBorrowed(entriesKey(this.embedder, row))
    return borrowed === undefined ? NO_ENTRIES : held.put(row, borrowed)
  }

  private readCentres(): Centres {
    const { database, embedder, dimensions, stored } = this
    this.centres ??= Centres.read(database, embedder, { dimensions, count: stored.count })
    return this.centres
  }
}

/** Rows from 1 on, less one, by their products: the largest first. */
function byProduct(products: Float64Array): KeyHeap {
  const keys = new Float64Array(Math.max(0, products.length - 1))
  for (let i = 0; i < keys.length; i++) keys[i] = -products[i + 1]!
  return KeyHeap.of(keys)
}

/** What one search has seen. */
class Scan {
  private readonly compared: TopEntries
  private readonly best: TopEntries
  private looked = 0
  /** How many entries had been looked at when the last of the best came. */
  private improvedAt = 0
  private list = NO_ENTRIES
  /** Where entries that count stand in the list, and how many do. */
  private places = new Uint32Array(256)
  private counting = 0

  constructor(
    private readonly request: NearRequest,
    private readonly table: SignTable,
  ) {
    this.compared = new TopEntries(request.compared)
    this.best = new TopEntries(request.count)
  }

  get isDone(): boolean {
    return this.looked >= this.request.looked || this.looked - this.improvedAt > this.request.patience
  }

  /** Answers whether there are entries in the list that count. */
  open(entries: ListEntries): boolean {
    const { members, slot } = this.request
    const { count, docIds, slots } = entries
    if (this.places.length < count) this.places = new Uint32Array(count)
    this.list = entries
    this.counting = 0
    for (let i = 0; i < count; i++) {
      if (members !== undefined && !members.has(docIds[i]!)) continue
      if (slot === undefined || slots[i] === slot) this.places[this.counting++] = i
    }
    return this.counting > 0
  }

  /** Looks at those of the list that was opened last. `product` is that of the query with the centre of the list. */
  look(product: number): void {
    const { table, places, counting } = this
    const { count, docIds, weights, codes } = this.list
    const width = codes.length / count
    for (let k = 0; k < counting; k++) {
      const i = places[k]!
      this.offer(docIds[i]!, product + weights[i]! * table.sum(codes, i * width))
    }
  }

  found(): number[] {
    return this.compared.docIds()
  }

  private offer(docId: number, score: number): void {
    this.looked++
    if (this.compared.offer(docId, score) && this.best.offer(docId, score)) this.improvedAt = this.looked
  }
}
