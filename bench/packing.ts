import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ByteWriter } from '../src/bytes/index.js'
import type { FieldId } from '../src/documents/fields/field-registry.js'
import { trainTable } from '../src/documents/packing/train-table.js'
import { UnpackBuffer } from '../src/documents/packing/unpack-buffer.js'
import { seenValues, ValueSample } from '../src/documents/packing/value-sample.js'
import { decodeDocument, encodeDocument, type StoredDocument } from '../src/documents/stored-document.js'
import { Environment } from '../src/store/index.js'
import { filmSetNote, readFilms } from './data.js'

/**
 * What packing documents costs and saves, with the movies: bytes in the store, time for each document. Times are sums of
 * the fastest runs of small pieces, so that other work on the machine shows less.
 *
 *     npx tsx bench/packing.ts
 */
const ROUNDS = 30
const PIECE = 50
const MEASURED = 6000

console.log(filmSetNote)
const movies = readFilms()
const documents = movies.map(
  (movie): StoredDocument =>
    Object.values(movie).map((value, i) => ({ fieldId: i as FieldId, value: Buffer.from(JSON.stringify(value)) })),
)
const writer = new ByteWriter(4096)
const unpackBuffer = new UnpackBuffer()
const sample = new ValueSample()
for (const document of documents) sample.see(seenValues(document.map(({ value }) => value)))
const begin = performance.now()
const packing = { number: 1, table: trainTable(sample.values()) }
console.log(`trained in ${(performance.now() - begin).toFixed(0)} ms, ${packing.table.encode().length} bytes`)

for (const [name, by] of [['plain', undefined] as const, ['packed', packing] as const]) {
  const records = documents.map((document) => Buffer.from(encodeDocument(document, writer, by)))
  const recordBytes = records.reduce((total, { length }) => total + length, 0)
  const encode = fastest((i) => encodeDocument(documents[i]!, writer, by))
  const decode = fastest((i) => decodeDocument(records[i]!, { of: () => packing.table, unpackBuffer }))
  const stored = await storedBytes(records)
  console.log(
    `${name.padEnd(7)} records ${megabytes(recordBytes)}, put ${megabytes(stored.put)}, appended ` +
      `${megabytes(stored.appended)}, encode ${encode} µs, decode ${decode} µs`,
  )
}

async function storedBytes(records: readonly Uint8Array[]): Promise<{ put: number; appended: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'findling-bench-'))
  const environment = Environment.open(folder)
  const [put, appended] = [environment.database('put'), environment.database('appended')]
  environment.writeSync(() => {
    for (const [i, record] of records.entries()) {
      const key = Buffer.alloc(4)
      key.writeUInt32BE(i)
      put.put(key, record)
      appended.append(key, record)
    }
  })
  const sizes = { put: put.sizeBytes(), appended: appended.sizeBytes() }
  await environment.close()
  rmSync(folder, { recursive: true })
  return sizes
}

/** Microseconds for each document, taken from all over the list as hits are. */
function fastest(run: (i: number) => unknown): string {
  const pieces = new Float64Array(MEASURED / PIECE).fill(Number.POSITIVE_INFINITY)
  for (let round = 0; round < ROUNDS; round++) {
    for (let piece = 0; piece < pieces.length; piece++) {
      const start = performance.now()
      for (let i = piece * PIECE; i < (piece + 1) * PIECE; i++) run((i * 7919) % documents.length)
      pieces[piece] = Math.min(pieces[piece]!, performance.now() - start)
    }
  }
  return ((pieces.reduce((total, ms) => total + ms, 0) * 1000) / MEASURED).toFixed(1)
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
