import { Bitmap } from '../../bitmap/index.js'
import type { Database } from '../../store/index.js'
import { parseTimestamp, type Timestamp } from '../../time/index.js'

/** Which date of which thing: the first byte of the key. */
export type DateKind =
  | 'taskEnqueued'
  | 'taskStarted'
  | 'taskFinished'
  | 'batchEnqueued'
  | 'batchStarted'
  | 'batchFinished'

const KIND_BYTE: Record<DateKind, number> = {
  taskEnqueued: 1,
  taskStarted: 2,
  taskFinished: 3,
  batchEnqueued: 4,
  batchStarted: 5,
  batchFinished: 6,
}

/** Both bounds are strict; a missing one is open. */
export interface DateBounds {
  readonly after?: Timestamp
  readonly before?: Timestamp
}

const EMPTY = Buffer.alloc(0)

/** Tasks and batches by date. Key: kind (1 byte), nanoseconds since 1970 (8 bytes), uid (4 bytes). */
export class DateIndex {
  /** The last time of each kind as it was read: tasks come in groups that share theirs. */
  private readonly lastRead = new Map<DateKind, { readonly text: string; readonly time: Timestamp }>()

  constructor(private readonly database: Database) {}

  add(kind: DateKind, time: string, uid: number): void {
    this.database.put(dateKey(kind, this.read(kind, time), uid), EMPTY)
  }

  remove(kind: DateKind, time: string, uid: number): void {
    this.database.delete(dateKey(kind, this.read(kind, time), uid))
  }

  private read(kind: DateKind, text: string): Timestamp {
    const last = this.lastRead.get(kind)
    if (last?.text === text) return last.time
    const time = parseTimestamp(text)!
    this.lastRead.set(kind, { text, time })
    return time
  }

  between(kind: DateKind, { after, before }: DateBounds): Bitmap {
    const start = dateKey(kind, after === undefined ? (0n as Timestamp) : ((after + 1n) as Timestamp), 0)
    const end = before === undefined ? Buffer.of(KIND_BYTE[kind] + 1) : dateKey(kind, before, 0)
    if (Buffer.compare(start, end) >= 0) return Bitmap.empty()
    const uids: number[] = []
    for (const key of this.database.keys({ start, end })) uids.push(key.readUInt32BE(9))
    return Bitmap.fromUnsorted(uids)
  }
}

const LATEST = 2n ** 64n - 1n

/** Times before 1970 count as 1970, times after 2554 as that. */
function dateKey(kind: DateKind, time: Timestamp, uid: number): Buffer {
  const key = Buffer.allocUnsafe(13)
  key[0] = KIND_BYTE[kind]
  key.writeBigUInt64BE(time < 0n ? 0n : time > LATEST ? LATEST : time, 1)
  key.writeUInt32BE(uid, 9)
  return key
}
