import { createHash } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { CorruptBytes } from '../../bytes/index.js'
import { print } from '../../json/index.js'
import { syncFolder } from '../../store/index.js'
import type { EmbeddingInput } from '../document-embedders.js'
import { decodeFloats, encodeFloats } from '../vector-bytes.js'

/**
 * What embedders answered during a job, in a file:
 *
 * ```
 * file  := "vectors" version(1 byte) { entry }* crc32 of all before(4 bytes)
 * entry := key(16 bytes) count(4 bytes) count floats of 4 bytes each, as `encodeFloats` writes them
 * ```
 *
 * Numbers are written with their highest byte first. The key is the first half of the SHA-256 of the name of the embedder
 * (its length first, 4 bytes) and of what was asked: `t` and a text, `f` and the JSON of a fragment, or `d` for the number of
 * dimensions, which then is the only float. An input without a vector has none.
 */
const HEAD = Buffer.from('vectors\x01', 'latin1')
const KEY_BYTES = 16
const ENTRY_HEAD_BYTES = KEY_BYTES + 4
const SUM_BYTES = 4

/** What an embedder was asked. */
export type Asked = EmbeddingInput | 'dimensions'

export function recordKey(name: string, asked: Asked): string {
  const nameBytes = Buffer.from(name)
  const length = Buffer.allocUnsafe(4)
  length.writeUInt32BE(nameBytes.length)
  const hash = createHash('sha256').update(length).update(nameBytes).update(textOf(asked))
  return hash.digest().toString('latin1', 0, KEY_BYTES)
}

function textOf(asked: Asked): string {
  if (asked === 'dimensions') return 'd'
  const { text, fragment } = asked
  return fragment === undefined ? `t${text ?? ''}` : `f${print(fragment)}`
}

/** Writes a record. There is no file before the first entry. Where each entry is stays in memory, the vectors do not. */
export class VectorRecordWriter {
  private file: number | undefined
  private length = 0
  private sum = 0
  private readonly places = new Map<string, number>()

  constructor(private readonly path: string) {}

  has(key: string): boolean {
    return this.places.has(key)
  }

  get(key: string): Float32Array | undefined {
    const place = this.places.get(key)
    return place === undefined ? undefined : readVector(this.file!, place)
  }

  /** What was put first counts. */
  put(key: string, vector: Float32Array): void {
    if (this.has(key)) return
    if (this.file === undefined) {
      this.file = openSync(this.path, 'w+')
      this.write(HEAD)
    }
    const head = Buffer.allocUnsafe(ENTRY_HEAD_BYTES)
    head.write(key, 'latin1')
    head.writeUInt32BE(vector.length, KEY_BYTES)
    this.places.set(key, this.length)
    this.write(head)
    this.write(encodeFloats(vector))
  }

  /** Completes the file and takes it to disk; false when there is none. */
  finish(): boolean {
    const { file } = this
    if (file === undefined) return false
    const sum = Buffer.allocUnsafe(SUM_BYTES)
    sum.writeUInt32BE(this.sum)
    this.write(sum)
    fsyncSync(file)
    this.close()
    syncFolder(dirname(this.path))
    return true
  }

  /** Leaves no file. */
  discard(): void {
    this.close()
    rmSync(this.path, { force: true })
  }

  private close(): void {
    if (this.file !== undefined) closeSync(this.file)
    this.file = undefined
  }

  private write(bytes: Uint8Array): void {
    // Of nothing, zlib begins a new checksum.
    if (bytes.length === 0) return
    this.sum = crc32(bytes, this.sum)
    for (let at = 0; at < bytes.length; ) at += writeSync(this.file!, bytes, at, bytes.length - at, this.length + at)
    this.length += bytes.length
  }
}

/** Reads a record. Vectors stay in the file until they are asked for. */
export class VectorRecordReader {
  private readonly places = new Map<string, number>()

  private constructor(private readonly file: number) {}

  /** Throws `CorruptBytes` when the file is not as it was written, and what Node says when there is none. */
  static open(path: string): VectorRecordReader {
    const file = openSync(path, 'r')
    try {
      const { size } = fstatSync(file)
      checkSum(file, size, path)
      const reader = new VectorRecordReader(file)
      reader.findEntries(size - SUM_BYTES)
      return reader
    } catch (error) {
      closeSync(file)
      throw error
    }
  }

  get(key: string): Float32Array | undefined {
    const place = this.places.get(key)
    return place === undefined ? undefined : readVector(this.file, place)
  }

  close(): void {
    closeSync(this.file)
  }

  private findEntries(end: number): void {
    for (let at = HEAD.length; at < end; ) {
      const head = readAt(this.file, at, ENTRY_HEAD_BYTES)
      this.places.set(head.toString('latin1', 0, KEY_BYTES), at)
      at += ENTRY_HEAD_BYTES + head.readUInt32BE(KEY_BYTES) * 4
    }
  }
}

const CHUNK_BYTES = 1 << 20

function checkSum(file: number, size: number, path: string): void {
  const damaged = () => new CorruptBytes(`the vectors in ${path} are not as they were recorded`)
  const end = size - SUM_BYTES
  if (end < HEAD.length || !readAt(file, 0, HEAD.length).equals(HEAD)) throw damaged()
  let sum = 0
  for (let at = 0; at < end; at += CHUNK_BYTES) sum = crc32(readAt(file, at, Math.min(CHUNK_BYTES, end - at)), sum)
  if (readAt(file, end, SUM_BYTES).readUInt32BE(0) !== sum) throw damaged()
}

function readVector(file: number, place: number): Float32Array {
  const count = readAt(file, place + KEY_BYTES, 4).readUInt32BE(0)
  return decodeFloats(readAt(file, place + ENTRY_HEAD_BYTES, count * 4))
}

function readAt(file: number, place: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  for (let at = 0; at < length; ) {
    const count = readSync(file, bytes, at, length - at, place + at)
    if (count === 0) throw new CorruptBytes('recorded vectors end too early')
    at += count
  }
  return bytes
}
