import { ByteReader, ByteWriter, CorruptBytes } from '../bytes/index.js'

/**
 * A payload is a sequence of documents as they were received, in the form that indexing reads fastest.
 *
 * ```
 * file    := version(1 byte) record*
 * record  := length(u32, of what follows) body
 * body    := 0 names document | 1 names reason(text)
 * names   := count(varint) name(text)*            names met for the first time, numbered on
 * document:= count(varint) { name(varint) gap(varint) size(varint) }* text
 * ```
 *
 * The values lie in `text` in their order, each after a gap. Gaps hold what stood between the values when they came, or
 * are empty: copying the whole text of a document is several times faster than copying its values. A value is canonical
 * JSON text: no blanks, numbers as spec 3 §2.9 prints them. A record that begins with 1 stands for a document that was
 * accepted but makes its task fail (spec 3 §2.9: too deep, number too large).
 */
const PAYLOAD_VERSION = 2

const DOCUMENT = 0
const BROKEN = 1

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

  numberOf(name: string): number {
    const known = this.numbers.get(name)
    if (known !== undefined) return known
    const number = this.names.length
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

/** One document of a payload. Views into the bytes that were read: valid until the next record is asked for. */
export interface PayloadDocument {
  readonly names: readonly string[]
  readonly values: readonly Uint8Array[]
}

export type PayloadRecord = { readonly document: PayloadDocument } | { readonly broken: string }

/** Gives more bytes of a payload, or none at its end. */
export type ReadMore = () => Uint8Array | undefined

/** Reads the records of a payload one after the other, holding no more than one chunk and one record. */
export function* readRecords(readMore: ReadMore): IterableIterator<PayloadRecord> {
  const window = new Window(readMore)
  const version = window.need(1).byte()
  if (version !== PAYLOAD_VERSION) throw new CorruptBytes(`a payload has version ${version}`)
  const names: string[] = []
  const shapes = new Shapes(names)
  while (!window.isAtEnd()) {
    const length = window.need(4).uint32()
    yield readRecord(window.need(length), names, shapes)
  }
}

function readRecord(reader: ByteReader, names: string[], shapes: Shapes): PayloadRecord {
  const kind = reader.byte()
  for (let left = reader.varint(); left > 0; left--) names.push(reader.text())
  if (kind === BROKEN) return { broken: reader.text() }
  return { document: readDocument(reader, shapes) }
}

function readDocument(reader: ByteReader, shapes: Shapes): PayloadDocument {
  const count = reader.varint()
  if (count > reader.end - reader.at) throw new CorruptBytes('a document has more members than bytes')
  const numbers = new Array<number>(count)
  const gaps = new Array<number>(count)
  const sizes = new Array<number>(count)
  for (let i = 0; i < count; i++) {
    numbers[i] = reader.varint()
    gaps[i] = reader.varint()
    sizes[i] = reader.varint()
  }
  const values = new Array<Uint8Array>(count)
  const { buffer, byteOffset } = reader.bytes
  for (let i = 0; i < count; i++) {
    reader.skip(gaps[i]!)
    // A third of the price of `subarray` of a `Buffer`.
    values[i] = new Uint8Array(buffer, byteOffset + reader.skip(sizes[i]!), sizes[i])
  }
  return { names: shapes.namesOf(numbers), values }
}

/** Lists of names: most documents of a payload have the same ones in the same order, and share their list. */
class Shapes {
  private lastNumbers: readonly number[] = []
  private lastNames: readonly string[] = []

  constructor(private readonly names: readonly string[]) {}

  namesOf(numbers: readonly number[]): readonly string[] {
    if (!isSame(numbers, this.lastNumbers)) {
      this.lastNames = numbers.map((number) => this.nameOf(number))
      this.lastNumbers = numbers
    }
    return this.lastNames
  }

  private nameOf(number: number): string {
    const name = this.names[number]
    if (name === undefined) throw new CorruptBytes('a document names a field that its payload does not know')
    return name
  }
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
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
    if (this.chunk.length - this.at < count) this.gather(count)
    const start = this.at
    this.at += count
    return new ByteReader(this.chunk, start, this.at)
  }

  private gather(count: number): void {
    const parts = [this.chunk.subarray(this.at)]
    let size = parts[0]!.length
    while (size < count) {
      const more = this.readMore()
      if (more === undefined) throw new CorruptBytes('a payload ends too early')
      parts.push(more)
      size += more.length
    }
    this.chunk = Buffer.concat(parts, size)
    this.at = 0
  }
}
