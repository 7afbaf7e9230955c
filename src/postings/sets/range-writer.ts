import { ByteReader, ByteWriter } from '../../bytes/index.js'
import type { Database } from '../../store/index.js'
import { readDocList, writeDocList } from './doc-list.js'
import { MAX_DISTANCE, type RangeSets, type SetPart } from './range-sets.js'
import { kindOf, partOf, RANGE_SIZE, SET_KIND, type SetKind, setKey, termEnd } from './set-key.js'
import { united } from './stale-docs.js'

const NO_DOCS = new Uint16Array(0)

/** Terms between two looks at the cancelation flag. */
const CHECK_EVERY = 32

/** Brings the sets of one range of documents up to date: some documents are taken out of all of them, and put in anew. */
export class RangeWriter {
  /** 1 when a document is taken out. */
  private readonly isRenewed = new Uint8Array(RANGE_SIZE)
  private readonly docs = new Uint16Array(RANGE_SIZE)
  private readonly writer = new ByteWriter(1 << 14)
  /** Nothing is stored of this range, nor of any behind it: pages get full when the store knows. */
  private readonly isLast: boolean

  constructor(
    private readonly database: Database,
    private readonly range: number,
    renewed: Uint16Array,
    private readonly termCount: number,
  ) {
    for (const doc of renewed) this.isRenewed[doc] = 1
    this.isLast = Array.from(database.keys({ start: setKey(range, SET_KIND.field, 0, 0), limit: 1 })).length === 0
  }

  /** `check` is called now and then. */
  write(found: RangeSets, check: () => void): void {
    for (let term = 0; term < this.termCount; term++) {
      if (term % CHECK_EVERY === 0) check()
      const before = this.isLast ? new Map<number, Buffer>() : this.valuesOf(term)
      const { fields, steps } = found.placesOf(term)
      this.renewAll(term, SET_KIND.field, fields, before)
      this.renewAll(term, SET_KIND.position, steps, before)
      this.renewAll(term, SET_KIND.pair, found.pairsOf(term), before)
      for (const [key, value] of before)
        this.renew(term, (key >>> 16) as SetKind, { part: key & 0xffff, lists: [] }, value)
    }
  }

  /** By kind times 65,536 plus part. */
  private valuesOf(term: number): Map<number, Buffer> {
    const { range, database } = this
    const entries = database.range({ start: setKey(range, SET_KIND.field, term, 0), end: termEnd(range, term) })
    return new Map(Array.from(entries, ({ key, value }) => [kindOf(key) * 0x1_0000 + partOf(key), value]))
  }

  private renewAll(term: number, kind: SetKind, parts: readonly SetPart[], before: Map<number, Buffer>): void {
    for (const part of parts) {
      const key = kind * 0x1_0000 + part.part
      this.renew(term, kind, part, before.get(key))
      before.delete(key)
    }
  }

  /** Without lists nothing is put in. */
  private renew(term: number, kind: SetKind, { part, lists }: SetPart, before: Buffer | undefined): void {
    const { writer } = this
    const reader = before === undefined ? undefined : new ByteReader(before)
    let count = 0
    writer.clear()
    for (let number = 0; number < (kind === SET_KIND.pair ? MAX_DISTANCE : 1); number++) {
      const kept = reader === undefined ? NO_DOCS : this.keptOf(reader)
      const docs = together(kept, lists[number] ?? NO_DOCS)
      count += docs.length
      writeDocList(writer, docs)
    }
    const key = setKey(this.range, kind, term, part)
    if (count === 0) {
      if (before !== undefined) this.database.delete(key)
    } else if (this.isLast) this.database.append(key, writer.view())
    else if (before === undefined || before.compare(writer.view()) !== 0) this.database.put(key, writer.view())
  }

  private keptOf(reader: ByteReader): Uint16Array {
    const { docs, isRenewed } = this
    const count = readDocList(reader, docs)
    let kept = 0
    for (let i = 0; i < count; i++) {
      docs[kept] = docs[i]!
      kept += 1 - isRenewed[docs[i]!]!
    }
    return docs.subarray(0, kept)
  }
}

/** Most values are new, or stay as they are. */
function together(kept: Uint16Array, found: Uint16Array): Uint16Array {
  if (kept.length === 0) return found
  return found.length === 0 ? kept : united(kept, found)
}
