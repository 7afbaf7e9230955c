import { CorruptBytes } from '../../bytes/index.js'
import { receivedWith, withPayload } from '../../tasks/index.js'
import type { AcceptedTask, BatchRecord, ClusterRecord, StateRecord, TaskRecord } from './record.js'

/**
 * The body of an entry of the log.
 *
 * ```
 * body := version(u8 = 1) headerBytes(u32, highest byte first) header(JSON) rest
 * ```
 *
 * `rest` is the payloads of tasks that came with one small enough to be kept in memory, one behind the other; the header of
 * tasks says how long each of them is. Keys and values of state are base64 in the header.
 */
const VERSION = 1
const HEADER_AT = 5
const NO_BYTES = Buffer.alloc(0)

export function encodeRecord(record: ClusterRecord): Buffer {
  const { header, rest } = partsOf(record)
  const json = Buffer.from(JSON.stringify(header))
  const body = Buffer.allocUnsafe(HEADER_AT + json.length + rest.length)
  body[0] = VERSION
  body.writeUInt32BE(json.length, 1)
  body.set(json, HEADER_AT)
  body.set(rest, HEADER_AT + json.length)
  return body
}

/** `kind` comes with the entry. Throws `NewerRecord` for what only later versions understand. */
export function decodeRecord(kind: string, bytes: Uint8Array): ClusterRecord {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (body[0] !== VERSION) throw new NewerRecord(`version ${body[0]} of a record`)
  if (body.length < HEADER_AT || body.length < HEADER_AT + body.readUInt32BE(1))
    throw new CorruptBytes('a record of the cluster log is too short')
  const restAt = HEADER_AT + body.readUInt32BE(1)
  const header: unknown = JSON.parse(body.toString('utf8', HEADER_AT, restAt))
  switch (kind) {
    case 'task':
      return tasksOf(header as TaskHeader, body.subarray(restAt))
    case 'state':
      return stateOf(header as StateHeader)
    case 'batch':
      return header as BatchRecord
    default:
      throw new NewerRecord(`a record of the kind "${kind}"`)
  }
}

/** The log holds something that this version does not know: it must not be passed over. */
export class NewerRecord extends Error {
  constructor(what: string) {
    super(`The cluster log holds ${what}: this server has to be upgraded before it can go on.`)
    this.name = 'NewerRecord'
  }
}

interface StateHeader extends Omit<StateRecord, 'entries'> {
  readonly entries: readonly (readonly [key: string, value: string | null])[]
}

interface TaskHeader {
  readonly tasks: readonly AcceptedTask[]
  /** Of each task; 0 for one that has none here. */
  readonly payloadBytes: readonly number[]
}

function partsOf(record: ClusterRecord): { header: unknown; rest: Uint8Array } {
  if (record.kind === 'batch') return { header: record, rest: NO_BYTES }
  if (record.kind === 'state') return { header: stateHeader(record), rest: NO_BYTES }
  const payloads = record.tasks.map(inlinePayload)
  const header: TaskHeader = {
    tasks: record.tasks.map((task) => withInlinePayload(task, NO_BYTES)),
    payloadBytes: payloads.map(({ length }) => length),
  }
  return { header, rest: Buffer.concat(payloads) }
}

function tasksOf({ tasks, payloadBytes }: TaskHeader, rest: Buffer): TaskRecord {
  let end = 0
  const complete = tasks.map((task, place) => {
    const start = end
    end += payloadBytes[place]!
    // A copy: the body is a part of what was received from the network, which would stay in memory as a whole.
    return withInlinePayload(task, Buffer.from(rest.subarray(start, end)))
  })
  if (end !== rest.length) throw new CorruptBytes('a record of the cluster log has other payloads than it says')
  return { kind: 'task', tasks: complete }
}

function inlinePayload({ content }: AcceptedTask): Uint8Array {
  const payload = receivedWith(content)
  return payload?.place === 'inline' ? payload.content : NO_BYTES
}

function withInlinePayload(task: AcceptedTask, bytes: Buffer): AcceptedTask {
  if (receivedWith(task.content)?.place !== 'inline') return task
  return { ...task, content: withPayload(task.content, { place: 'inline', content: bytes }) }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

function stateHeader({ entries, ...rest }: StateRecord): StateHeader {
  return { ...rest, entries: entries.map(([key, value]) => [base64(key), value === undefined ? null : base64(value)]) }
}

function stateOf({ entries, ...rest }: StateHeader): StateRecord {
  const bytes = (text: string): Buffer => Buffer.from(text, 'base64')
  return { ...rest, entries: entries.map(([key, value]) => [bytes(key), value === null ? undefined : bytes(value)]) }
}
