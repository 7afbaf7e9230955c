import { ByteReader, ByteWriter, CorruptBytes } from '../bytes/index.js'

/**
 * A payload is a sequence of documents as they were received, in the form that indexing reads fastest.
 *
 * ```
 * file    := version(1 byte) record*
 * record  := length(u32, of what follows) body
 * body    := 0 names document | 1 names reason(text)
 * names   := count(varint) name(text)*            names met for the first time, numbered on
 * document:= count(varint) { name(varint) size(varint) }* value*
 * ```
 *
 * A value is canonical JSON text: no blanks, numbers as spec 3 §2.9 prints them. A record that begins with 1 stands
 * for a document that was accepted but makes its task fail (spec 3 §2.9: too deep, number too large).
 */
const PAYLOAD_VERSION = 1

const DOCUMENT = 0
const BROKEN = 1

/** Writes records. `names` is shared by all records of one payload. */
export class RecordWriter {
  readonly out = new ByteWriter(1 << 16)
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
      this.out.varint(values[i]!.length)
    }
    for (const value of values) this.out.raw(value)
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
  const version = window.need(1)[0]
  if (version !== PAYLOAD_VERSION) throw new CorruptBytes(`a payload has version ${version}`)
  const names: string[] = []
  while (!window.isAtEnd()) {
    const length = new ByteReader(window.need(4)).uint32()
    yield readRecord(new ByteReader(window.need(length)), names)
  }
}

function readRecord(reader: ByteReader, names: string[]): PayloadRecord {
  const kind = reader.byte()
  for (let left = reader.varint(); left > 0; left--) names.push(reader.text())
  if (kind === BROKEN) return { broken: reader.text() }
  const fieldNames: string[] = []
  const sizes: number[] = []
  for (let left = reader.varint(); left > 0; left--) {
    const name = names[reader.varint()]
    if (name === undefined) throw new CorruptBytes('a document names a field that its payload does not know')
    fieldNames.push(name)
    sizes.push(reader.varint())
  }
  return { document: { names: fieldNames, values: sizes.map((size) => reader.raw(size)) } }
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

  need(count: number): Uint8Array {
    while (this.chunk.length - this.at < count) {
      const more = this.readMore()
      if (more === undefined) throw new CorruptBytes('a payload ends too early')
      this.chunk = Buffer.concat([this.chunk.subarray(this.at), more])
      this.at = 0
    }
    const bytes = this.chunk.subarray(this.at, this.at + count)
    this.at += count
    return bytes
  }
}
