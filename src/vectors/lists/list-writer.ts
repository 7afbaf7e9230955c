import type { Database } from '../../store/index.js'
import { Centres, unitOf } from './centres.js'
import { EntryList } from './entry-list.js'
import type { KeptCentres } from './kept-centres.js'
import { decodeEntries, entriesKey, type ListsRecord, placeKey } from './list-layout.js'
import { codeWords, SignTable } from './residual-code.js'
import { twoMeans } from './two-means.js'

/** Lists of more entries are split. Small lists follow the shape of the data; each costs a look at its centre. */
const MAX_ENTRIES = 128

/** How many lists around are looked at after a split. */
const NEIGHBOURS = 8

/** Codes tell products of unit vectors to within about this much. */
const UNCERTAINTY = 0.02

/** What is held of lists before they are written out. */
const MAX_BYTES = 64 << 20

/** The list of vectors without direction. */
const NO_DIRECTION = 0

export interface ListWriterParts {
  readonly database: Database
  readonly embedder: number
  readonly dimensions: number
  /** Undefined when there are no lists yet. */
  readonly stored: ListsRecord | undefined
  readonly nextVersion: number
  /** Absent where centres are read anew each time. */
  readonly kept: KeptCentres | undefined
  /** The vector of an entry, as it is stored now. */
  vectorOf(docId: number, slot: number): Float32Array
}

/**
 * Keeps lists of neighbours in step with the vectors, inside a transaction. A vector goes into the list whose centre is
 * nearest. A list that gets too long is split in two, and what lies around is shared out anew among the old centres and
 * the new ones, after LIRE of "SPFresh: Incremental In-Place Update for Billion-Scale Vector Search" (Xu et al., 2023):
 * so a change touches a few lists, and the lists stay as if they had been made for the vectors of today.
 */
export class ListWriter {
  private readonly lists = new Map<number, EntryList>()
  private loadedCentres: Centres | undefined
  private heldBytes = 0
  private changedIn: number

  constructor(private readonly parts: ListWriterParts) {
    this.changedIn = parts.stored?.changedIn ?? parts.nextVersion
  }

  add(docId: number, slot: number, vector: Float32Array): void {
    const unit = unitOf(vector)
    const list = unit === undefined ? NO_DIRECTION : this.listFor(unit)
    this.place(list, docId, slot, unit ?? vector)
    this.splitLong([list])
  }

  private listFor(unit: Float32Array): number {
    const { centres } = this
    return centres.count === 1 ? centres.add(unit) : centres.nearest(unit)
  }

  remove(docId: number, slot: number): void {
    const key = this.placeKey(docId, slot)
    const stored = this.parts.database.getBorrowed(key)
    if (stored === undefined) throw new Error(`the vector ${slot} of document ${docId} is in no list`)
    const list = this.list(stored.readUInt32BE(0))
    list.removeAt(list.indexOf(docId, slot))
    this.parts.database.delete(key)
  }

  /** Writes what changed. */
  flush(): ListsRecord {
    const { database, embedder, nextVersion, stored } = this.parts
    this.writeLists()
    const centres = this.loadedCentres
    if (centres === undefined) return stored ?? { count: 1, changedIn: nextVersion }
    if (centres.flush(database, embedder)) this.changedIn = nextVersion
    const record = { count: centres.count, changedIn: this.changedIn }
    this.parts.kept?.keep({ database, embedder, record, centres })
    this.loadedCentres = undefined
    return record
  }

  private writeLists(): void {
    for (const [number, list] of this.lists)
      if (list.isChanged) this.parts.database.put(this.key(number), list.encode())
    this.lists.clear()
    this.heldBytes = 0
  }

  private get centres(): Centres {
    this.loadedCentres ??= this.parts.kept?.take(this.parts) ?? this.readCentres()
    return this.loadedCentres
  }

  private readCentres(): Centres {
    const { database, embedder, dimensions, stored } = this.parts
    const centres = Centres.read(database, embedder, { dimensions, count: stored?.count ?? 0 })
    if (centres.count === 0) centres.add(new Float32Array(dimensions))
    return centres
  }

  private list(number: number): EntryList {
    const known = this.lists.get(number)
    if (known !== undefined) return known
    const { database, dimensions } = this.parts
    const bytes = database.getBorrowed(this.key(number))
    const list = bytes === undefined ? new EntryList(dimensions) : EntryList.of(read(bytes, dimensions), dimensions)
    this.lists.set(number, list)
    this.heldBytes += list.sizeBytes
    return list
  }

  private place(list: number, docId: number, slot: number, unit: Float32Array): void {
    const { centres } = this
    this.list(list).add(docId, slot, unit, { rows: centres.rows, at: centres.at(list) })
    const number = Buffer.allocUnsafe(4)
    number.writeUInt32BE(list)
    this.parts.database.put(this.placeKey(docId, slot), number)
  }

  /** Splits lists until none is too long: sharing out may make another one so. */
  private splitLong(numbers: readonly number[]): void {
    const waiting = [...numbers]
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
      if (number !== NO_DIRECTION && this.list(number).count > MAX_ENTRIES) waiting.push(...this.split(number))
    }
    if (this.heldBytes > MAX_BYTES) this.writeLists()
  }

  /** Answers the lists that got entries. */
  private split(number: number): number[] {
    const members = this.membersOf(number)
    const { centres } = this
    const halves = twoMeans(members.map(({ unit }) => unit))
    centres.set(number, halves.centres[0])
    const second = centres.add(halves.centres[1])
    const around = centres.around([number, second], NEIGHBOURS)
    const gained = new Set([number, second])
    this.list(number).clear()
    for (const [i, { docId, slot, unit }] of members.entries()) {
      // What lies at the edge may be nearer to another list around.
      const best = this.nearestOf(unit, halves.isSecond[i] === 1 ? second : number, around)
      this.place(best, docId, slot, unit)
      gained.add(best)
    }
    for (const other of around) this.attract(other, [number, second], gained)
    return [...gained]
  }

  /** Moves entries of a list that are nearer to one of two new centres. Their codes say which to look at. */
  private attract(number: number, to: readonly number[], gained: Set<number>): void {
    const list = this.list(number)
    const isNear = to.map((other) => this.nearerTest(number, other))
    for (let i = list.count - 1; i >= 0; i--) {
      if (!isNear.some((test) => test(list, i))) continue
      const [docId, slot] = [list.docIds[i]!, list.slots[i]!]
      const unit = this.unit(docId, slot)
      const best = this.nearestOf(unit, number, to)
      if (best === number) continue
      list.removeAt(i)
      this.place(best, docId, slot, unit)
      gained.add(best)
    }
  }

  /** Whether an entry of a list is probably nearer to another centre than to that of the list. */
  private nearerTest(own: number, other: number): (list: EntryList, i: number) => boolean {
    const { centres } = this
    const way = centres.difference(other, own)
    const table = new SignTable(way.length).prepare(way)
    const ownCentre = centres.widened(centres.row(own))
    const border = centres.nearness(own, ownCentre) - centres.nearness(other, ownCentre)
    const width = codeWords(way.length)
    return (list, i) => list.weights[i]! * table.sum(list.codes, i * width) > border - UNCERTAINTY
  }

  private nearestOf(unit: Float32Array, own: number, others: readonly number[]): number {
    const wide = this.centres.widened(unit)
    let best = own
    let bestNearness = this.centres.nearness(own, wide)
    for (const other of others) {
      const nearness = this.centres.nearness(other, wide)
      if (nearness <= bestNearness) continue
      best = other
      bestNearness = nearness
    }
    return best
  }

  private membersOf(number: number): { docId: number; slot: number; unit: Float32Array }[] {
    const { count, docIds, slots } = this.list(number)
    return Array.from({ length: count }, (_, i) => {
      const [docId, slot] = [docIds[i]!, slots[i]!]
      return { docId, slot, unit: this.unit(docId, slot) }
    })
  }

  private unit(docId: number, slot: number): Float32Array {
    return unitOf(this.parts.vectorOf(docId, slot))!
  }

  private key(list: number): Buffer {
    return entriesKey(this.parts.embedder, list)
  }

  private placeKey(docId: number, slot: number): Buffer {
    return placeKey(this.parts.embedder, docId, slot)
  }
}

/** Borrowed bytes may begin anywhere. */
function read(borrowed: Buffer, dimensions: number) {
  return decodeEntries(new Uint8Array(borrowed.subarray(0, borrowed.length)), dimensions)
}
