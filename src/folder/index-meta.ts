import { CorruptBytes } from '../bytes/index.js'

/** What an index knows about itself besides documents and settings. Times are RFC 3339 text. */
export interface IndexMeta {
  readonly primaryKey: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly documentCount: number
  /** Bytes of all stored documents, without keys. */
  readonly documentBytes: number
  /** For each field number, how many documents hold it at the top level. */
  readonly fieldCounts: readonly number[]
  /** All nested names of its documents are known. Absent where only those with a role are: see `fields/complete-names.ts`. */
  readonly hasAllNames?: true
  /** The last batch applied here and what came of it, so that a batch done twice after a crash answers the same. */
  readonly lastBatch: { readonly key: string; readonly outcome: unknown } | null
}

export function newIndexMeta(now: string, primaryKey: string | null): IndexMeta {
  return {
    primaryKey,
    createdAt: now,
    updatedAt: now,
    documentCount: 0,
    documentBytes: 0,
    fieldCounts: [],
    hasAllNames: true,
    lastBatch: null,
  }
}

/** Version byte, then JSON. */
const VERSION = 1

export function encodeJson(value: unknown): Buffer {
  return Buffer.concat([Buffer.of(VERSION), Buffer.from(JSON.stringify(value))])
}

export function decodeJson<T>(bytes: Uint8Array, what: string): T {
  if (bytes[0] !== VERSION) throw new CorruptBytes(`${what} has version ${bytes[0]}`)
  return JSON.parse(Buffer.from(bytes.subarray(1)).toString('utf8')) as T
}
