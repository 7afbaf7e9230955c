import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { errorBody, failure } from '../../errors/index.js'

/** Search filters travel in the query string, so heads of requests are long. */
export const MAX_HEADER_BYTES = 128 * 1024

declare module 'node:net' {
  interface Socket {
    /** The answer that was last begun on a connection of the server. */
    lastResponse?: ServerResponse
  }
}

/** After a refusal the client has so long to read it and to hang up; what it still sends is thrown away. */
const LINGER_MS = 2_000

interface Problem {
  readonly statusLine: string
  /** What is wrong, as the end of a sentence. */
  readonly reason: string
}

const broken = (reason: string): Problem => ({ statusLine: '400 Bad Request', reason })

const UNREADABLE = broken('what arrived cannot be read as HTTP/1.1')
const BAD_LENGTH = broken(
  'Content-Length and Transfer-Encoding contradict each other, or one of them is no valid value',
)
const BAD_CHUNK = broken(
  'a chunk of the body does not begin with its size in hexadecimal digits, or does not end there',
)
const BAD_HEADER = broken('a header is not of the form `Name: value`')
const BAD_VERSION = broken('the request line does not end with HTTP/1.1 or HTTP/1.0')

/** By the codes of the parser of Node.js. */
const PROBLEMS: Readonly<Record<string, Problem>> = {
  HPE_INVALID_METHOD: broken('the request line does not begin with a method of HTTP, such as GET'),
  HPE_INVALID_URL: broken('the target in the request line is neither a path nor an absolute URL'),
  HPE_INVALID_VERSION: BAD_VERSION,
  HPE_INVALID_CONSTANT: BAD_VERSION,
  HPE_INVALID_HEADER_TOKEN: BAD_HEADER,
  HPE_CR_EXPECTED: BAD_HEADER,
  HPE_LF_EXPECTED: BAD_HEADER,
  HPE_INVALID_CONTENT_LENGTH: BAD_LENGTH,
  HPE_UNEXPECTED_CONTENT_LENGTH: BAD_LENGTH,
  HPE_INVALID_TRANSFER_ENCODING: BAD_LENGTH,
  HPE_INVALID_CHUNK_SIZE: BAD_CHUNK,
  HPE_STRICT: BAD_CHUNK,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    statusLine: '413 Payload Too Large',
    reason: 'the extensions of a chunk of the body are too long',
  },
  HPE_INVALID_EOF_STATE: broken('the connection ended in the middle of the request'),
  HPE_HEADER_OVERFLOW: {
    statusLine: '431 Request Header Fields Too Large',
    reason: `the request line and the headers have more than ${MAX_HEADER_BYTES} bytes together`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    statusLine: '408 Request Timeout',
    reason: 'the request did not arrive in time',
  },
}

/** Answers what is no HTTP with an error object, and closes the connection. */
export function createRefuseBroken(errorsUrl: string): (error: Error & { code?: string }, socket: Socket) => void {
  const refused = new WeakSet<Socket>()
  return (error, socket) => {
    // The parser complains again about every piece that follows.
    if (refused.has(socket)) return
    refused.add(socket)
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswered(socket)) {
      socket.destroy(error)
      return
    }
    socket.end(refusalOf(PROBLEMS[error.code ?? ''] ?? UNREADABLE, errorsUrl))
    // Closing at once would reset the connection under a client that still sends, before it has read the answer.
    const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref()
    socket.once('close', () => clearTimeout(timer))
  }
}

/** Whether the request that is broken has its answer already, or part of it: there can be no second one. */
function isAnswered({ lastResponse }: Socket): boolean {
  if (lastResponse === undefined || !lastResponse.headersSent) return false
  return !lastResponse.writableFinished || !lastResponse.req.complete
}

function refusalOf({ statusLine, reason }: Problem, errorsUrl: string): string {
  const body = JSON.stringify(errorBody(failure('bad_request', `The request is broken: ${reason}.`), errorsUrl))
  const head = ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close']
  return `HTTP/1.1 ${statusLine}\r\n${head.join('\r\n')}\r\n\r\n${body}`
}
