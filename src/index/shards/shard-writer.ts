import { Bitmap } from '../../bitmap/index.js'
import type { IndexFolder } from '../../folder/index.js'
import type { ShardMap, ShardVersion } from '../../sharding/index.js'
import { ArrivalWriter } from './arrivals.js'
import { GenerationWriter } from './generation-writer.js'
import { forgetSets, putVersions, readVersions, type StoredVersion } from './stored-shards.js'

/** How the assignment of all documents is watched; `step` may throw to end it. */
export type AssignmentStep = (finished: number, total: number) => void

/** Keeps the sets of shards up to date, inside the transaction of the documents. */
export class ShardWriter {
  private readonly stored: readonly StoredVersion[]
  private readonly versions: readonly StoredVersion[]
  private readonly generations: readonly GenerationWriter[]
  /** Which shards of which generation are kept here: those of all versions. */
  private readonly kept: readonly { readonly generation: GenerationWriter; readonly owned: ReadonlySet<string> }[]
  private readonly arrivals: ArrivalWriter

  constructor(
    private readonly folder: IndexFolder,
    map: ShardMap,
  ) {
    const { shards } = folder.databases
    this.arrivals = new ArrivalWriter(shards)
    // There are no shards where documents are not spread yet, and this server keeps only what it is handed.
    const wanted = [map, ...(map.former ? [map.former] : [])].filter(({ names }) => names.length > 0)
    this.stored = readVersions(shards)
    this.versions = withGenerations(wanted, this.stored)
    const byNumber = new Map(
      this.versions.map((version) => [version.generation, new GenerationWriter(shards, version)]),
    )
    this.generations = [...byNumber.values()]
    this.kept = this.versions.map(({ generation }, i) => {
      return { generation: byNumber.get(generation)!, owned: wanted[i]!.owned }
    })
  }

  /** A task brings documents. Its number is the same on all servers. */
  beginTask(number: number): void {
    this.arrivals.begin(number)
  }

  /** Whether this server owns the shard of the document. To be asked once for each that a task brings. */
  keeps(documentId: string): boolean {
    this.arrivals.pass()
    return this.kept.some(({ generation, owned }) => owned.has(generation.shardOf(documentId)))
  }

  set(documentId: string, docId: number, isMember: boolean): void {
    for (const generation of this.generations) generation.set(documentId, docId, isMember)
    if (isMember && this.generations.length > 0) this.arrivals.put(docId)
  }

  /** A document was handed over, which came to another server before. */
  arrivedAs(docId: number, arrival: number): void {
    this.arrivals.putAs(docId, arrival)
  }

  flush(): void {
    for (const generation of this.generations) generation.flush()
    // That there is something to forget when nobody leads any more.
    if (this.versions.length === 0 && !this.arrivals.isEmpty) putVersions(this.folder.databases.shards, [])
    this.arrivals.flush()
  }

  /** Makes the sets those of this map, unless they are. */
  follow(step: AssignmentStep): void {
    const { stored, versions } = this
    if (isSame(stored, versions)) return
    const { shards } = this.folder.databases
    for (const each of stored) if (!hasGeneration(versions, each.generation)) forgetSets(shards, each)
    putVersions(shards, versions)
    for (const each of this.generations) {
      if (!hasGeneration(stored, each.number)) each.assignAll(this.folder, step)
    }
    if (stored.length === 0) this.numberAll()
  }

  /** All documents are gone. */
  clear(): void {
    const { shards } = this.folder.databases
    shards.clear()
    putVersions(shards, this.versions)
  }

  private numberAll(): void {
    for (const docId of this.folder.docIds()) this.arrivals.putEarlier(docId)
    this.arrivals.flush()
  }

  /** The shards that this server owns by the version that is to stay. */
  get owned(): ReadonlySet<string> {
    return this.kept[0]?.owned ?? new Set()
  }

  /** By that version; there is one. */
  shardOf(documentId: string): string {
    return this.kept[0]!.generation.shardOf(documentId)
  }
}

/** The documents of shards that this server does not own. */
export function foreignDocuments(docIds: (shard: string) => Bitmap, { names, owned }: ShardVersion): Bitmap {
  return Bitmap.orMany(names.filter((name) => !owned.has(name)).map(docIds))
}

/** Versions with the same shards share a generation, also with those that are stored; others get a number that is free. */
function withGenerations(wanted: readonly ShardVersion[], stored: readonly StoredVersion[]): StoredVersion[] {
  const placed: StoredVersion[] = []
  const taken = new Set(stored.map(({ generation }) => generation))
  for (const { version, names } of wanted) {
    const known = [...stored, ...placed].find((each) => isSameList(each.names, names))
    const generation = known?.generation ?? firstFree(taken)
    taken.add(generation)
    placed.push({ version, names, generation })
  }
  return placed
}

function firstFree(taken: ReadonlySet<number>): number {
  let number = 0
  while (taken.has(number)) number++
  return number
}

function hasGeneration(versions: readonly StoredVersion[], generation: number): boolean {
  return versions.some((each) => each.generation === generation)
}

const isSame = (a: readonly StoredVersion[], b: readonly StoredVersion[]): boolean =>
  a.length === b.length &&
  a.every(({ version, generation }, i) => version === b[i]!.version && generation === b[i]!.generation)

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, i) => name === b[i])
