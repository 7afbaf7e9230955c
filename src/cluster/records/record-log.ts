import { CorruptBytes } from '../../bytes/index.js'
import type { AppendOptions, BlobRef, LogEntry, ReplicatedLog } from '../log/model.js'
import type { ClusterRecord } from './record.js'
import { decodeRecord, encodeRecord } from './record-codec.js'

/** Longer bodies are blobs, so that no entry comes near the most bytes of a message. */
const MAX_INLINE_BYTES = 512 * 1024

const INLINE = 0
const BLOB = 1

/**
 * Appends a record; answers its place. The first byte of an entry's body says whether the record follows, or the JSON text of
 * a reference to the blob that it is.
 */
export async function appendRecord(
  log: ReplicatedLog,
  id: string,
  record: ClusterRecord,
  options: AppendOptions = {},
): Promise<number> {
  const bytes = encodeRecord(record)
  const body =
    bytes.length <= MAX_INLINE_BYTES
      ? Buffer.concat([Buffer.of(INLINE), bytes])
      : Buffer.concat([Buffer.of(BLOB), Buffer.from(JSON.stringify(await putBytes(log, bytes)))])
  return log.append({ id, kind: record.kind, body }, options)
}

export async function readRecord(log: ReplicatedLog, { kind, body }: LogEntry): Promise<ClusterRecord> {
  if (body[0] === INLINE) return decodeRecord(kind, body.subarray(1))
  if (body[0] !== BLOB) throw new CorruptBytes('an entry of the cluster log is neither a record nor a reference')
  const ref = blobOfEntry(body)
  const pieces: Uint8Array[] = []
  for await (const piece of log.openBlob(ref)) pieces.push(piece)
  return decodeRecord(kind, Buffer.concat(pieces))
}

const blobOfEntry = (body: Uint8Array): BlobRef => JSON.parse(Buffer.from(body.subarray(1)).toString()) as BlobRef

function putBytes(log: ReplicatedLog, bytes: Uint8Array): Promise<BlobRef> {
  return log.putBlob(
    (async function* () {
      yield bytes
    })(),
  )
}
