import type { FieldId } from '../../documents/index.js'

/**
 * Keys of the facet database. All begin with the field, so that one field is one range, and end with the chunk, the
 * high 16 bits of the docIds in the bitmap that is the value:
 *
 * ```
 * field(2) kind(1) what chunk(2)
 *   what := nothing                        exists, null, empty
 *         | shift(1) prefix(8 - shift / 8) a number: the high bits of its sortable form, for each step of eight bits
 *         | text 0                         a normalized string
 * ```
 *
 * A number is stored once for each of eight precisions (Schindler and Diepenbroek, "Generic XML-based framework for
 * metadata portals", 2008), so a range is a few whole groups and two ragged edges, however many values it covers.
 */
export const FACET_KIND = { exists: 1, isNull: 2, isEmpty: 3, number: 4, string: 5 } as const

export const NUMBER_SHIFTS = [0, 8, 16, 24, 32, 40, 48, 56] as const

/** A key without its chunk, as text of one character a byte: what facts are collected and compared by. */
export type FactKey = string

export function markKey(field: FieldId, kind: 'exists' | 'isNull' | 'isEmpty'): FactKey {
  return String.fromCharCode(field >>> 8, field & 0xff, FACET_KIND[kind])
}

export function stringKey(field: FieldId, normalized: string): FactKey {
  return `${String.fromCharCode(field >>> 8, field & 0xff, FACET_KIND.string)}${Buffer.from(normalized).toString('latin1')}\0`
}

export function numberKey(field: FieldId, sortable: Buffer, shift: number): FactKey {
  const prefix = sortable.toString('latin1', 0, 8 - shift / 8)
  return `${String.fromCharCode(field >>> 8, field & 0xff, FACET_KIND.number, shift)}${prefix}`
}

export function numberFromSortable(bytes: Uint8Array): number {
  const raw = Buffer.from(bytes)
  if (raw[0]! & 0x80) raw[0] = raw[0]! & 0x7f
  else for (let i = 0; i < 8; i++) raw[i] = ~raw[i]! & 0xff
  return raw.readDoubleBE()
}

export function chunkedKey(fact: FactKey, chunk: number): Buffer {
  const key = Buffer.allocUnsafe(fact.length + 2)
  key.write(fact, 'latin1')
  key.writeUInt16BE(chunk, fact.length)
  return key
}

/** `chunkedKey` of a `stringKey`, at once. */
export function chunkedStringKey(field: FieldId, normalized: string, chunk: number): Buffer {
  const size = Buffer.byteLength(normalized)
  const key = Buffer.allocUnsafe(size + 6)
  key.writeUInt16BE(field)
  key[2] = FACET_KIND.string
  key.write(normalized, 3)
  key[3 + size] = 0
  key.writeUInt16BE(chunk, size + 4)
  return key
}
