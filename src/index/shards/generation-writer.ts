import { ChunkedDocSet, type IndexFolder } from '../../folder/index.js'
import { shardOf } from '../../sharding/index.js'
import type { Database } from '../../store/index.js'
import { type StoredVersion, shardPrefix } from './stored-shards.js'

/** Documents between two looks at whether to go on. */
const CHECK_EVERY = 1024

/** Keeps the sets of one list of shards up to date. */
export class GenerationWriter {
  readonly number: number
  private readonly names: readonly string[]
  private readonly sets: readonly ChunkedDocSet[]
  private readonly places: ReadonlyMap<string, number>
  /** Whoever asks whether a document is kept soon puts it. */
  private last = { documentId: '', shard: '' }

  constructor(database: Database, { names, generation }: StoredVersion) {
    this.number = generation
    this.names = names
    this.places = new Map(names.map((name, place) => [name, place]))
    this.sets = names.map((_, place) => new ChunkedDocSet(database, shardPrefix(generation, place)))
  }

  shardOf(documentId: string): string {
    if (this.last.documentId !== documentId || this.last.shard === '') {
      this.last = { documentId, shard: shardOf(this.names, documentId) }
    }
    return this.last.shard
  }

  set(documentId: string, docId: number, isMember: boolean): void {
    this.sets[this.places.get(this.shardOf(documentId))!]!.set(docId, isMember)
  }

  flush(): void {
    for (const set of this.sets) set.flush()
  }

  /**
   * Puts all documents of an index into their sets. They come in the order of their ids: places by docId first, since sets
   * take ascending docIds much faster.
   */
  assignAll(folder: IndexFolder, step: (finished: number, total: number) => void): void {
    const docIds = folder.docIds()
    const total = docIds.size
    if (total === 0) return
    const places = new Uint16Array(docIds.max + 1)
    let finished = 0
    folder.databases.externalIds.eachBorrowed({}, (key, value) => {
      if (finished++ % CHECK_EVERY === 0) step(finished, total)
      places[value.readUInt32BE(0)] = this.places.get(shardOf(this.names, key.toString()))!
    })
    for (const docId of docIds) this.sets[places[docId]!]!.set(docId, true)
    this.flush()
  }
}
