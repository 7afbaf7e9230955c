import { ByteReader, ByteWriter } from '../../bytes/index.js'
import type { Database } from '../../store/index.js'
import { POSITION_STEPS } from '../../text/index.js'
import { readDocList, writeDocList } from './doc-list.js'
import { MAX_DISTANCE, type SetCollector } from './set-collector.js'
import { partOf, RANGE_SIZE, SET_KIND, type SetKind, setKey, termEnd } from './set-key.js'
import { united } from './unsettled.js'

const NO_DOCS = new Uint16Array(0)

/** Lists of documents by what they are about: a term times 65,536 plus a part. */
interface NewLists {
  readonly kind: SetKind
  /** Ascending. */
  readonly keys: Uint32Array
  /** In each value. */
  readonly listCount: number
  readonly listOf: (key: number, number: number) => Uint16Array
}

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

  write(found: SetCollector): void {
    const { fields, pairs } = found
    this.writeKind({
      kind: SET_KIND.field,
      keys: fields.keys.slice().sort(),
      listCount: 1,
      listOf: (key) => found.fieldDocs(fields.numberOf(key)),
    })
    this.writeKind({
      kind: SET_KIND.position,
      keys: this.positionKeys(found),
      listCount: 1,
      listOf: (key) => found.stepDocs(key >>> 16, key & 0xffff)!,
    })
    this.writeKind({
      kind: SET_KIND.pair,
      keys: pairs.keys.slice().sort(),
      listCount: MAX_DISTANCE,
      listOf: (key, number) => found.pairDocs(pairs.numberOf(key), number + 1),
    })
  }

  private positionKeys(found: SetCollector): Uint32Array {
    const keys: number[] = []
    for (let term = 0; term < this.termCount; term++) {
      for (let step = 0; step < POSITION_STEPS.length; step++) {
        if (found.stepDocs(term, step) !== undefined) keys.push(((term << 16) | step) >>> 0)
      }
    }
    return Uint32Array.from(keys)
  }

  private writeKind(lists: NewLists): void {
    const { kind, keys } = lists
    let next = 0
    for (let term = 0; term < this.termCount; term++) {
      const before = this.isLast ? new Map<number, Buffer>() : this.valuesOf(kind, term)
      const first = next
      while (next < keys.length && keys[next]! >>> 16 === term) next++
      for (const key of keys.subarray(first, next)) {
        this.renew(lists, key, before.get(key & 0xffff), true)
        before.delete(key & 0xffff)
      }
      for (const [part, value] of before) this.renew(lists, ((term << 16) | part) >>> 0, value, false)
    }
  }

  private valuesOf(kind: SetKind, term: number): Map<number, Buffer> {
    const { range, database } = this
    const entries = database.range({ start: setKey(range, kind, term, 0), end: termEnd(range, kind, term) })
    return new Map(Array.from(entries, ({ key, value }) => [partOf(key), value]))
  }

  private renew(
    { kind, listCount, listOf }: NewLists,
    key: number,
    before: Buffer | undefined,
    isFound: boolean,
  ): void {
    const { writer } = this
    const reader = before === undefined ? undefined : new ByteReader(before)
    let count = 0
    writer.clear()
    for (let number = 0; number < listCount; number++) {
      const kept = reader === undefined ? NO_DOCS : this.keptOf(reader)
      const docs = isFound ? together(kept, listOf(key, number)) : kept
      count += docs.length
      writeDocList(writer, docs)
    }
    const stored = setKey(this.range, kind, key >>> 16, key & 0xffff)
    if (count === 0) {
      if (before !== undefined) this.database.delete(stored)
    } else if (this.isLast) this.database.append(stored, writer.view())
    else if (before === undefined || before.compare(writer.view()) !== 0) this.database.put(stored, writer.view())
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
