import { ByteReader, ByteWriter, CorruptBytes } from '../bytes/index.js'

/**
 * A payload is a sequence of documents as they were received, in the form that indexing reads fastest.
 *
 * ```
 * file    := version(1 byte) record*
 * record  := length(u32, of what follows) body
 * body    := 0 names document | 1 names reason(text) | 2 names
 * names   := count(varint) name(text)*            names met for the first time, numbered on
 * document:= count(varint) { name(varint) gap(varint) size(varint) }* text
 * ```
 *
 * The values lie in `text` in their order, each after a gap. Gaps hold what stood between the values when they came, or
 * are empty: copying the whole text of a document is several times faster than copying its values. A value is canonical
 * JSON text: no blanks, numbers as spec 3 §2.9 prints them. A record that begins with 1 stands for a document that was
 * accepted but makes its task fail (spec 3 §2.9: too deep, number too large); so does one that begins with 2, with which
 * there are more names than an index can hold.
 */
const PAYLOAD_VERSION = 2

const DOCUMENT = 0
const BROKEN = 1
const TOO_WIDE = 2

/** An index holds no more names (spec 3 §2.8), so nothing is kept of a document that would bring more. */
const MAX_NAMES = 65_536

/** Members of a document in columns: the number of the name, and where the value begins and ends. */
export interface Members {
  count: number
  readonly numbers: number[]
  readonly starts: number[]
  readonly ends: number[]
}

/** Writes records. `names` is shared by all records of one payload. */
export class RecordWriter {
  readonly out = new ByteWriter()
  count = 0
  private readonly numbers = new Map<string, number>()
  private readonly names: string[] = []
  private definedNames = 0

  constructor() {
    this.out.byte(PAYLOAD_VERSION)
  }

  /** Undefined for a new name when there are as many as an index can hold. */
  numberOf(name: string): number | undefined {
    const known = this.numbers.get(name)
    if (known !== undefined) return known
    const number = this.names.length
    if (number >= MAX_NAMES) return undefined
    this.names.push(name)
    this.numbers.set(name, number)
    return number
  }

  /** `numbers[i]` names `values[i]`. */
  document(numbers: readonly number[], values: readonly Uint8Array[]): void {
    const lengthAt = this.begin(DOCUMENT)
    this.out.varint(numbers.length)
    for (let i = 0; i < numbers.length; i++) {
      this.out.varint(numbers[i]!)
      this.out.byte(0)
      this.out.varint(values[i]!.length)
    }
    for (const value of values) this.out.raw(value)
    this.finish(lengthAt)
  }

  /** Values that lie in `bytes` one after the other. */
  slice(bytes: Uint8Array, { count, numbers, starts, ends }: Members): void {
    const { out } = this
    const lengthAt = this.begin(DOCUMENT)
    out.varint(count)
    const start = count === 0 ? 0 : starts[0]!
    let at = start
    for (let i = 0; i < count; i++) {
      out.varint(numbers[i]!)
      out.varint(starts[i]! - at)
      out.varint(ends[i]! - starts[i]!)
      at = ends[i]!
    }
    out.raw(bytes, start, at)
    this.finish(lengthAt)
  }

  broken(reason: string): void {
    const lengthAt = this.begin(BROKEN)
    this.out.text(reason)
    this.finish(lengthAt)
  }

  /** A document with names for which there is no room. */
  tooWide(): void {
    this.finish(this.begin(TOO_WIDE))
  }

  private begin(kind: number): number {
    const lengthAt = this.out.length
    this.out.uint32(0)
    this.out.byte(kind)
    this.out.varint(this.names.length - this.definedNames)
    for (; this.definedNames < this.names.length; this.definedNames++) this.out.text(this.names[this.definedNames]!)
    return lengthAt
  }

  private finish(lengthAt: number): void {
    this.out.patchUint32(lengthAt, this.out.length - lengthAt - 4)
    this.count++
  }
}

/**
 * One document of a payload. Its values are views into the bytes that were read: valid until the next record is asked
 * for. They are made when they are asked for, since many are not.
 */
export class PayloadDocument {
  private made: readonly Uint8Array[] | undefined

  /** `starts` and `ends` are offsets in `bytes`, one for each of the names. */
  constructor(
    readonly names: readonly string[],
    /** Of all values. */
    readonly sizeBytes: number,
    private readonly bytes: Uint8Array,
    private readonly places: Pick<Members, 'starts' | 'ends'>,
  ) {}

  get values(): readonly Uint8Array[] {
    return (this.made ??= this.makeValues())
  }

  valueAt(i: number): Uint8Array {
    const { bytes, places } = this
    const start = places.starts[i]!
    // A third of the price of `subarray` of a `Buffer`.
    return new Uint8Array(bytes.buffer, bytes.byteOffset + start, places.ends[i]! - start)
  }

  private makeValues(): Uint8Array[] {
    const values = new Array<Uint8Array>(this.names.length)
    for (let i = 0; i < values.length; i++) values[i] = this.valueAt(i)
    return values
  }
}

export type PayloadRecord =
  | { readonly document: PayloadDocument }
  | { readonly broken: string }
  /** It has, or brings, more names than an index can hold. */
  | { readonly isTooWide: true }

/** Gives more bytes of a payload, or none at its end. */
export type ReadMore = () => Uint8Array | undefined

/** Reads the records of a payload one after the other, holding no more than one chunk and one record. */
export class RecordReader {
  private readonly window: Window
  private readonly names: string[] = []
  private readonly shapes = new Shapes(this.names)

  constructor(readMore: ReadMore) {
    this.window = new Window(readMore)
    const version = this.window.need(1).byte()
    if (version !== PAYLOAD_VERSION) throw new CorruptBytes(`a payload has version ${version}`)
  }

  /** Undefined behind the last one. */
  next(): PayloadRecord | undefined {
    const { window, names } = this
    if (window.isAtEnd()) return undefined
    const reader = window.need(window.need(4).uint32())
    const kind = reader.byte()
    for (let left = reader.varint(); left > 0; left--) names.push(reader.text())
    if (kind === BROKEN) return { broken: reader.text() }
    if (kind === TOO_WIDE) return { isTooWide: true }
    return { document: readDocument(reader, this.shapes) }
  }
}

/** The same for loops. */
export function* readRecords(readMore: ReadMore): IterableIterator<PayloadRecord> {
  const reader = new RecordReader(readMore)
  for (let record = reader.next(); record !== undefined; record = reader.next()) yield record
}

function readDocument(reader: ByteReader, shapes: Shapes): PayloadDocument {
  const count = reader.varint()
  if (count > reader.end - reader.at) throw new CorruptBytes('a document has more members than bytes')
  const starts = new Array<number>(count)
  const ends = new Array<number>(count)
  let at = 0
  let sizeBytes = 0
  shapes.begin(count)
  for (let i = 0; i < count; i++) {
    shapes.see(i, reader.varint())
    starts[i] = at += reader.varint()
    const size = reader.varint()
    ends[i] = at += size
    sizeBytes += size
  }
  const text = reader.skip(at)
  for (let i = 0; i < count; i++) {
    starts[i]! += text
    ends[i]! += text
  }
  return new PayloadDocument(shapes.namesOf(), sizeBytes, reader.bytes, { starts, ends })
}

/** Lists of names: most documents of a payload have the same ones in the same order, and share their list. */
class Shapes {
  private numbers: number[] = []
  private lastNames: readonly string[] = []
  private isSame = true

  constructor(private readonly names: readonly string[]) {}

  /** The numbers of so many names follow. */
  begin(count: number): void {
    this.isSame = count === this.numbers.length
    if (!this.isSame) this.numbers.length = count
  }

  see(i: number, number: number): void {
    if (this.numbers[i] === number) return
    this.numbers[i] = number
    this.isSame = false
  }

  namesOf(): readonly string[] {
    if (!this.isSame) this.lastNames = this.numbers.map((number) => this.nameOf(number))
    return this.lastNames
  }

  private nameOf(number: number): string {
    const name = this.names[number]
    if (name === undefined) throw new CorruptBytes('a document names a field that its payload does not know')
    return name
  }
}

/** Bytes in order, joined where a record crosses two chunks. */
class Window {
  private chunk: Uint8Array = new Uint8Array(0)
  private at = 0

  constructor(private readonly readMore: ReadMore) {}

  isAtEnd(): boolean {
    while (this.at >= this.chunk.length) {
      const more = this.readMore()
      if (more === undefined) return true
      this.chunk = more
      this.at = 0
    }
    return false
  }

  /** A reader of exactly the next `count` bytes. */
  need(count: number): ByteReader {
    if (this.chunk.length - this.at < count) return new ByteReader(this.gather(count))
    const start = this.at
    this.at += count
    return new ByteReader(this.chunk, start, this.at)
  }

  /** The next `count` bytes, of which the chunk holds only the first; the rest of the last chunk stays where it is. */
  private gather(count: number): Uint8Array {
    const parts = [this.chunk.subarray(this.at)]
    let left = count - parts[0]!.length
    while (left > 0) {
      const more = this.readMore()
      if (more === undefined) throw new CorruptBytes('a payload ends too early')
      this.chunk = more
      this.at = Math.min(left, more.length)
      parts.push(more.subarray(0, this.at))
      left -= this.at
    }
    return Buffer.concat(parts, count)
  }
}
