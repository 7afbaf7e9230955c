import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { CorruptBytes } from '../bytes/index.js'
import { PayloadSeal, readPayloadFile } from './payload-file.js'
import { RecordWriter, readRecords } from './record.js'

const folder = mkdtempSync(join(tmpdir(), 'findling-payload-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The values of a payload that lies in a file. */
function valuesIn(bytes: Uint8Array): string[] {
  const path = join(folder, 'payload')
  writeFileSync(path, bytes)
  const file = openSync(path, 'r')
  try {
    const records = [...readRecords(readPayloadFile(file))]
    return records.flatMap((record) =>
      !('document' in record) ? [] : record.document.values.map((value) => Buffer.from(value).toString()),
    )
  } finally {
    closeSync(file)
  }
}

function payloadOf(values: readonly string[]): Buffer {
  const writer = new RecordWriter()
  for (const value of values) writer.document([writer.numberOf('a')!], [Buffer.from(value)])
  return Buffer.from(writer.out.take())
}

function sealed(payload: Buffer): Buffer {
  const seal = new PayloadSeal()
  const half = payload.length >> 1
  seal.add(payload.subarray(0, half))
  seal.add(payload.subarray(half))
  return Buffer.concat([payload, seal.bytes()])
}

const values = fc.array(fc.string(), { maxLength: 20 })

test('a sealed file is read back without its seal, and so is one that has none', () => {
  fc.assert(
    fc.property(values, (values) => {
      expect(valuesIn(sealed(payloadOf(values)))).toEqual(values)
      expect(valuesIn(payloadOf(values))).toEqual(values)
    }),
  )
})

test('a flipped bit is noticed wherever it is', () => {
  fc.assert(
    fc.property(values, fc.nat(), fc.nat(7), (values, at, bit) => {
      const file = sealed(payloadOf(values))
      file[at % file.length]! ^= 1 << bit
      expect(() => valuesIn(file)).toThrow(CorruptBytes)
    }),
  )
})

test('a file that was cut off is noticed', () => {
  const file = sealed(payloadOf(['"one"', '"two"']))
  for (let length = 0; length < file.length; length++) {
    // Between two records, without anything of the seal, is where a file without one may end.
    const records = [1, payloadOf(['"one"']).length, file.length - 8]
    if (!records.includes(length)) expect(() => valuesIn(file.subarray(0, length)), `${length}`).toThrow(CorruptBytes)
  }
})

test('a seal is the same when no bytes come in between, from wherever they come', () => {
  const interrupted = new PayloadSeal()
  const payload = payloadOf(['1', '"two"'])
  for (const empty of [new Uint8Array(0), structuredClone(new Uint8Array(0))]) {
    interrupted.add(empty)
    interrupted.add(payload.subarray(0, 5))
    interrupted.add(empty)
    interrupted.add(payload.subarray(5))
    interrupted.add(empty)
  }
  const twice = new PayloadSeal()
  twice.add(Buffer.concat([payload, payload]))
  expect(interrupted.bytes()).toEqual(twice.bytes())
})
