import { encodeEntries, type ListEntries } from './list-layout.js'
import { codeWords, encodeResidual } from './residual-code.js'

/** Where the centre of a list stands. */
export interface Centre {
  readonly rows: Float32Array
  readonly at: number
}

/** The entries of one list while they change. */
export class EntryList implements ListEntries {
  count = 0
  docIds: Uint32Array
  weights: Float32Array
  codes: Int32Array
  slots: Uint8Array
  /** It differs from what is stored. */
  isChanged = false
  /** Words of a code. */
  private readonly width: number

  constructor(dimensions: number, capacity = 16) {
    this.width = codeWords(dimensions)
    this.docIds = new Uint32Array(capacity)
    this.weights = new Float32Array(capacity)
    this.codes = new Int32Array(capacity * this.width)
    this.slots = new Uint8Array(capacity)
  }

  static of(entries: ListEntries, dimensions: number): EntryList {
    const list = new EntryList(dimensions, entries.count + 8)
    list.count = entries.count
    list.docIds.set(entries.docIds)
    list.weights.set(entries.weights)
    list.codes.set(entries.codes)
    list.slots.set(entries.slots)
    return list
  }

  get sizeBytes(): number {
    return this.docIds.length * (9 + 4 * this.width)
  }

  add(docId: number, slot: number, unit: Float32Array, centre: Centre): void {
    if (this.count === this.docIds.length) this.grow()
    const at = this.count++
    this.docIds[at] = docId
    this.slots[at] = slot
    this.weights[at] = encodeResidual(unit, centre.rows, centre.at, this.codes, at * this.width)
    this.isChanged = true
  }

  indexOf(docId: number, slot: number): number {
    let at = this.docIds.indexOf(docId)
    while (at !== -1 && at < this.count && this.slots[at] !== slot) at = this.docIds.indexOf(docId, at + 1)
    return at < this.count ? at : -1
  }

  /** The last entry takes the place. */
  removeAt(at: number): void {
    const last = --this.count
    this.docIds[at] = this.docIds[last]!
    this.weights[at] = this.weights[last]!
    this.slots[at] = this.slots[last]!
    this.codes.copyWithin(at * this.width, last * this.width, (last + 1) * this.width)
    this.isChanged = true
  }

  clear(): void {
    this.count = 0
    this.isChanged = true
  }

  encode(): Uint8Array {
    return encodeEntries(this)
  }

  private grow(): void {
    const capacity = this.docIds.length * 2
    this.docIds = enlarged(this.docIds, new Uint32Array(capacity))
    this.weights = enlarged(this.weights, new Float32Array(capacity))
    this.slots = enlarged(this.slots, new Uint8Array(capacity))
    this.codes = enlarged(this.codes, new Int32Array(capacity * this.width))
  }
}

function enlarged<T extends Uint8Array | Uint32Array | Int32Array | Float32Array>(from: T, to: T): T {
  to.set(from)
  return to
}
