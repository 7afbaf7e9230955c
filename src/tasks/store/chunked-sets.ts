import { Bitmap } from '../../bitmap/index.js'
import type { Database, KeyRange } from '../../store/index.js'

const CHUNK = 65_536

/**
 * Named sets of task uids on disk, cut into chunks of 65,536 uids, so that adding one uid rewrites a few kilobytes at
 * most. Key: name, zero byte, chunk number (2 bytes). Writes belong inside a transaction. Sets that are kept in memory
 * show them at once, all others when they are on disk.
 */
export class ChunkedSets {
  private readonly loaded = new Map<string, Bitmap>()

  /** `isKept`: whether a set stays in memory. There must be few of these. */
  constructor(
    private readonly database: Database,
    private readonly isKept: (name: string) => boolean = () => true,
  ) {}

  /** The set itself, not a copy: do not change it. */
  get(name: string): Bitmap {
    const known = this.loaded.get(name)
    if (known !== undefined) return known
    const parts: Bitmap[] = []
    for (const { value } of this.database.range({ start: chunkKey(name, 0), end: endKey(name) }))
      parts.push(Bitmap.deserialize(value))
    const set = Bitmap.orMany(parts)
    // Anybody may ask for names that do not exist: those must not pile up.
    if (!set.isEmpty) this.keep(name, set)
    return set
  }

  add(name: string, uids: Bitmap): void {
    if (uids.isEmpty) return
    const set = this.get(name)
    set.orWith(uids)
    this.keep(name, set)
    this.writeChunks(name, set, uids)
  }

  remove(name: string, uids: Bitmap): void {
    if (uids.isEmpty) return
    const set = this.get(name)
    set.andNotWith(uids)
    this.writeChunks(name, set, uids)
  }

  /** All names that begin with `prefix` and have members, those included that are not yet on disk. */
  names(prefix: string): string[] {
    const names = new Set<string>()
    for (const key of this.database.keys(prefixRange(prefix))) names.add(nameOf(key))
    for (const [name, set] of this.loaded) if (name.startsWith(prefix) && !set.isEmpty) names.add(name)
    return [...names]
  }

  private keep(name: string, set: Bitmap): void {
    if (this.isKept(name)) this.loaded.set(name, set)
  }

  /** Forgets what is in memory, after a transaction that did not reach the disk. */
  forget(): void {
    this.loaded.clear()
  }

  private writeChunks(name: string, set: Bitmap, touched: Bitmap): void {
    for (let uid = touched.nextFrom(0); uid !== -1; uid = touched.nextFrom(nextChunk(uid))) {
      const chunk = uid >>> 16
      const part = partOf(set, chunk)
      part.runOptimize()
      if (part.isEmpty) this.database.delete(chunkKey(name, chunk))
      else this.database.put(chunkKey(name, chunk), part.serialize())
      if (chunk === 0xffff) return
    }
  }
}

/** A copy. Most sets have one chunk only. */
function partOf(set: Bitmap, chunk: number): Bitmap {
  if (set.min >>> 16 === chunk && set.max >>> 16 === chunk) return set.clone()
  return set.and(Bitmap.range(chunk * CHUNK, (chunk + 1) * CHUNK))
}

const nameOf = (key: Buffer): string => key.subarray(0, key.length - 3).toString('utf8')

/** Prefixes end in a colon, which is not the last byte. */
function prefixRange(prefix: string): KeyRange {
  const start = Buffer.from(prefix)
  const end = Buffer.from(start)
  end[end.length - 1]! += 1
  return { start, end }
}

const nextChunk = (uid: number): number => ((uid >>> 16) + 1) * CHUNK

function chunkKey(name: string, chunk: number): Buffer {
  return Buffer.concat([Buffer.from(name), Buffer.of(0, chunk >>> 8, chunk & 0xff)])
}

const endKey = (name: string): Buffer => Buffer.concat([Buffer.from(name), Buffer.of(1)])
