import { availableParallelism, totalmem } from 'node:os'
import type { Bitmap } from '../bitmap/index.js'
import { ColumnMemory } from '../cache/index.js'
import type { DocId } from '../documents/index.js'
import type { IndexDatabases, IndexFolder } from '../folder/index.js'
import { EmbedderReader } from './embedder-reader.js'
import { type EmbedderRecord, readEmbedders } from './embedder-records.js'
import { unitOf } from './lists/centres.js'
import { HeldLists } from './lists/held-lists.js'
import { type DocMembers, ListReader } from './lists/list-reader.js'
import { type QueryDistances, queryDistances } from './query-distances.js'
import { readDocSet } from './stored-doc-set.js'
import { readVectorJournal } from './vector-journal.js'
import { VectorRows } from './vector-rows.js'

/** What the vectors of all indexes may hold in one thread: an eighth of the memory is for those of all threads. */
const MAX_BYTES = Math.max(64 * 1024 * 1024, totalmem() / 8 / availableParallelism())
const threadMemory = new ColumnMemory(MAX_BYTES)

/** The vectors of one index, as of the last `refresh`. Keep it as long as the index is open. */
export class StoredVectors {
  private readonly embedders = new Map<string, StoredEmbedder>()
  private version = -1

  constructor(
    private readonly folder: IndexFolder,
    private readonly memory: ColumnMemory = threadMemory,
  ) {}

  /** Follows the last commit: vectors of documents that did not change stay in memory. */
  refresh(): void {
    const { databases } = this.folder
    const version = this.folder.contentVersion()
    if (version === this.version) return
    const changed = readVectorJournal(databases.vectorJournal, this.version, version)
    this.version = version
    const records = new Map(readEmbedders(databases.main).map((record) => [record.name, record]))
    for (const [name, embedder] of this.embedders) {
      const record = records.get(name)
      const isKept = record !== undefined && changed !== 'everything' && embedder.follow(record, changed)
      if (!isKept) {
        embedder.release()
        this.embedders.delete(name)
      }
    }
    for (const [name, record] of records) {
      if (!this.embedders.has(name)) this.embedders.set(name, new StoredEmbedder(databases, record, this.memory))
    }
  }

  /** Undefined for a name that is no embedder. Valid until the next `refresh`. */
  embedder(name: string): StoredEmbedder | undefined {
    return this.embedders.get(name)
  }
}

/**
 * How much of many vectors is looked at by their codes, and how many of these are compared in full: what brings 98 of
 * the 100 nearest documents (bench/workloads/vectors.ts). A search mostly ends because nothing better came for a while,
 * whatever part of the documents a filter leaves. That while grows with the fourth root of what may still come: 1,024
 * entries for 4,096 documents, 2,276 for 100,000. A third of it is enough where the filter has nothing to do with the
 * query, but not where it leaves documents that are all far away (93 of 100; so it is 96).
 */
const PATIENCE_PER_ROOT = 128
const PATIENCE_PER_DOCUMENT = 4
const MIN_LOOKED = 4096
const MAX_LOOKED = 32_768
const LOOKED_PART = 1 / 20
const LOOKED_PER_DOCUMENT = 32
const MAX_WANTED_PART = 1 / 16
const MIN_COMPARED = 128
const COMPARED_PER_DOCUMENT = 6

export interface NearOptions {
  /** How many documents are wanted. */
  readonly count: number
  /** Which documents count; absent when all do. */
  readonly members?: DocMembers | undefined
  /** Which of the vectors of a document counts; absent when all do. */
  readonly slot?: number | undefined
}

/** The vectors of one embedder. */
export class StoredEmbedder {
  private reader: EmbedderReader
  private rows: VectorRows | undefined
  private embeddedSet: Bitmap | undefined
  private lists: ListReader | undefined
  private heldLists: HeldLists | undefined

  constructor(
    private readonly databases: IndexDatabases,
    private stored: EmbedderRecord,
    private readonly memory: ColumnMemory,
  ) {
    this.reader = new EmbedderReader(databases, stored)
    this.openLists()
  }

  get dimensions(): number {
    return this.stored.dimensions
  }

  /** Documents with a vector. */
  get embedded(): Bitmap {
    this.embeddedSet ??= readDocSet(this.databases.vectorSets, this.stored.id, 'embedded')
    return this.embeddedSet
  }

  slots(docId: number): readonly number[] {
    return this.reader.slots(docId as DocId)
  }

  /** In the order of their slots. */
  vectors(docId: number): readonly Float32Array[] {
    return this.reader.vectors(docId as DocId)
  }

  /** How far documents are from a vector, which has as many numbers as those of the embedder. */
  distancesFrom(query: Float32Array): QueryDistances {
    if (this.rows === undefined) {
      this.rows = new VectorRows(this.reader, this.memory)
      this.memory.add(this.rows, () => void (this.rows = undefined))
    } else this.memory.use(this.rows)
    return queryDistances(query, this.rows, this.stored.isQuantized)
  }

  /** Answers whether this is still the same embedder, with the vectors of `changed` made anew. */
  follow(record: EmbedderRecord, changed: Bitmap): boolean {
    const { id, dimensions, isQuantized } = this.stored
    if (record.id !== id || record.dimensions !== dimensions || record.isQuantized !== isQuantized) return false
    const areSameLists = changed.isEmpty && record.lists?.changedIn === this.stored.lists?.changedIn
    if (!areSameLists) this.releaseLists()
    this.stored = record
    this.embeddedSet = undefined
    this.reader = new EmbedderReader(this.databases, record)
    this.rows?.follow(this.reader, changed)
    this.openLists()
    return true
  }

  /**
   * Documents that are probably the nearest to a vector, more of them than `count`; undefined where all had better be
   * compared: there are few vectors, or a large part of them is wanted, or the vector has no direction.
   */
  near(query: Float32Array, { count, members, slot }: NearOptions): number[] | undefined {
    const { vectorCount } = this.stored
    const isLarge = count > vectorCount * MAX_WANTED_PART
    const unit = this.lists === undefined || isLarge ? undefined : unitOf(query)
    if (unit === undefined) return undefined
    const part = Math.min(MAX_LOOKED, vectorCount * LOOKED_PART)
    const looked = Math.max(MIN_LOOKED, part, count * LOOKED_PER_DOCUMENT)
    const compared = Math.max(MIN_COMPARED, count * COMPARED_PER_DOCUMENT)
    const pause = PATIENCE_PER_ROOT * (members?.size ?? vectorCount) ** 0.25
    const patience = Math.max(pause, count * PATIENCE_PER_DOCUMENT)
    return this.lists!.near({ unit, count, compared, patience, looked, members, slot }, this.useHeldLists())
  }

  private useHeldLists(): HeldLists {
    if (this.heldLists === undefined) {
      this.heldLists = new HeldLists(this.stored.dimensions, this.memory)
      this.memory.add(this.heldLists, () => void (this.heldLists = undefined))
    } else this.memory.use(this.heldLists)
    return this.heldLists
  }

  private openLists(): void {
    const { lists, id, dimensions } = this.stored
    if (lists === undefined) this.lists = undefined
    else if (this.lists !== undefined) this.lists.follow(lists)
    else this.lists = new ListReader(this.databases.vectorLists, id, dimensions, lists)
  }

  release(): void {
    if (this.rows !== undefined) this.memory.remove(this.rows)
    this.rows = undefined
    this.releaseLists()
  }

  private releaseLists(): void {
    if (this.heldLists !== undefined) this.memory.remove(this.heldLists)
    this.heldLists = undefined
  }
}
