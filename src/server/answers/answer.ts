import { errorBody, type Failure, statusOf } from '../../errors/index.js'

/** What a handler gives back. Compression, CORS and the usual headers are added on the way out. */
export type Answer = WholeAnswer | StreamAnswer | FileAnswer

export interface WholeAnswer {
  readonly kind: 'whole'
  readonly status: number
  /** Undefined: no body and no content type. */
  readonly body: string | Uint8Array | undefined
  readonly contentType: string | undefined
  readonly headers: Headers
  /** The code of an error answer, for the log. */
  readonly errorCode?: string
}

export interface StreamAnswer {
  readonly kind: 'stream'
  readonly status: number
  /** Each chunk is sent at once. It is told to stop (`return`) when the client is gone or the server closes. */
  readonly chunks: AsyncIterable<string | Uint8Array>
  readonly contentType: string
  readonly headers: Headers
  /** Never compressed, whatever the client accepts. */
  readonly isPlain?: boolean
}

/** An answer that is too large to be held. */
export interface FileAnswer {
  readonly kind: 'file'
  readonly status: number
  readonly file: OpenFile
  readonly contentType: string
  readonly headers: Headers
}

export interface OpenFile {
  readonly descriptor: number
  readonly sizeBytes: number
  /** To be called once, when the file has been read or is not wanted. */
  close(): void
}

export type Headers = Readonly<Record<string, string>>

const JSON_TYPE = 'application/json'
const NO_HEADERS: Headers = {}

/** Data, turned into JSON text. Members that are undefined are left out. */
export function json(status: number, data: unknown): WholeAnswer {
  return jsonText(status, JSON.stringify(data))
}

/** JSON that is serialized already. */
export function jsonText(status: number, body: string | Uint8Array): WholeAnswer {
  return { kind: 'whole', status, body, contentType: JSON_TYPE, headers: NO_HEADERS }
}

/** The same in a file. */
export function jsonFile(status: number, file: OpenFile): FileAnswer {
  return { kind: 'file', status, file, contentType: JSON_TYPE, headers: NO_HEADERS }
}

export function text(status: number, body: string, contentType: string): WholeAnswer {
  return { kind: 'whole', status, body, contentType, headers: NO_HEADERS }
}

export function empty(status: number, headers: Headers = NO_HEADERS): WholeAnswer {
  return { kind: 'whole', status, body: undefined, contentType: undefined, headers }
}

export function stream(fields: {
  status: number
  chunks: AsyncIterable<string | Uint8Array>
  contentType: string
  headers?: Headers
  isPlain?: boolean
}): StreamAnswer {
  return { kind: 'stream', headers: NO_HEADERS, ...fields }
}

/** Clients that came too early are told when to come again (spec 1 §3.1). */
const RETRY_LATER: Headers = { 'Retry-After': '10' }

/** `status` for the few refusals that HTTP itself has a status for, and the interface no code. */
export function errorAnswer(failure: Failure, errorsUrl: string, status = statusOf(failure.code)): WholeAnswer {
  const headers = status === 503 ? RETRY_LATER : NO_HEADERS
  return { ...json(status, errorBody(failure, errorsUrl)), headers, errorCode: failure.code }
}
