import { Bitmap } from '../../bitmap/index.js'
import { ChunkedDocSet, type IndexFolder } from '../../folder/index.js'
import { type ShardMap, shardOf } from '../../sharding/index.js'
import { ArrivalWriter } from './arrivals.js'
import { forgetSets, putShardNames, readShardNames, shardPrefix } from './stored-shards.js'

/** Documents between two looks at whether to go on. */
const CHECK_EVERY = 1024

/** How the assignment of all documents is watched; `step` may throw to end it. */
export type AssignmentStep = (finished: number, total: number) => void

/** Keeps the sets of shards up to date, inside the transaction of the documents. */
export class ShardWriter {
  private readonly sets: readonly ChunkedDocSet[]
  private readonly places: ReadonlyMap<string, number>
  private readonly arrivals: ArrivalWriter
  /** Whoever asks whether a document is kept soon puts it. */
  private last = { documentId: '', shard: '' }

  constructor(
    private readonly folder: IndexFolder,
    private readonly map: ShardMap,
  ) {
    const { shards } = folder.databases
    this.arrivals = new ArrivalWriter(shards)
    this.places = new Map(map.names.map((name, place) => [name, place]))
    this.sets = map.names.map((_, place) => new ChunkedDocSet(shards, shardPrefix(place)))
  }

  /** A task brings documents. Its number is the same on all servers. */
  beginTask(number: number): void {
    this.arrivals.begin(number)
  }

  /** Whether this server owns the shard of the document. To be asked once for each that a task brings. */
  keeps(documentId: string): boolean {
    this.arrivals.pass()
    return this.map.owned.has(this.shardOf(documentId))
  }

  set(documentId: string, docId: number, isMember: boolean): void {
    const place = this.places.get(this.shardOf(documentId))
    // There is none where documents are not spread yet, and this server keeps only what it is handed.
    if (place === undefined) return
    this.sets[place]!.set(docId, isMember)
    if (isMember) this.arrivals.put(docId)
  }

  flush(): void {
    for (const set of this.sets) set.flush()
    this.arrivals.flush()
  }

  /** Makes the sets those of this map, unless they are. */
  follow(step: AssignmentStep): void {
    const { shards } = this.folder.databases
    const { names } = this.map
    const before = readShardNames(shards)
    if (isSame(names, before)) return
    forgetSets(shards, before.length)
    putShardNames(shards, names)
    this.assignAll(step)
    if (before.length === 0) this.numberAll()
  }

  /** All documents are gone. */
  clear(): void {
    const { shards } = this.folder.databases
    shards.clear()
    putShardNames(shards, this.map.names)
  }

  /** Documents come in the order of their ids: places by docId first, since sets take ascending docIds much faster. */
  private assignAll(step: AssignmentStep): void {
    const docIds = this.folder.docIds()
    const total = docIds.size
    if (total === 0) return
    const places = new Uint16Array(docIds.max + 1)
    let finished = 0
    this.folder.databases.externalIds.eachBorrowed({}, (key, value) => {
      if (finished++ % CHECK_EVERY === 0) step(finished, total)
      places[value.readUInt32BE(0)] = this.places.get(shardOf(this.map.names, key.toString()))!
    })
    for (const docId of docIds) this.sets[places[docId]!]!.set(docId, true)
    this.flush()
  }

  private numberAll(): void {
    for (const docId of this.folder.docIds()) this.arrivals.putEarlier(docId)
    this.arrivals.flush()
  }

  get owned(): ReadonlySet<string> {
    return this.map.owned
  }

  shardOf(documentId: string): string {
    if (this.last.documentId !== documentId || this.last.shard === '') {
      this.last = { documentId, shard: shardOf(this.map.names, documentId) }
    }
    return this.last.shard
  }
}

/** The documents of shards that this server does not own. */
export function foreignDocuments(docIds: (shard: string) => Bitmap, { names, owned }: ShardMap): Bitmap {
  return Bitmap.orMany(names.filter((name) => !owned.has(name)).map(docIds))
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, i) => name === b[i])
