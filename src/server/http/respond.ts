import { createReadStream } from 'node:fs'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Answer, FileAnswer, StreamAnswer, WholeAnswer } from '../answers/answer.js'
import type { Coding } from './accept-encoding.js'
import { compress, createCompressor, createFlushingCompressor } from './compress.js'
import { corsHeaders, VARY } from './cors.js'
import type { Exchange } from './exchange.js'

/** Sends an answer. Resolves, or returns, when all of it was handed to the connection, or the client is gone. */
export function respond(exchange: Exchange, answer: Answer): Promise<void> | undefined {
  if (exchange.response.destroyed) {
    if (answer.kind === 'file') answer.file.close()
    return undefined
  }
  switch (answer.kind) {
    case 'whole':
      return sendWhole(exchange, answer)
    case 'stream':
      return sendStream(exchange, answer)
    case 'file':
      return sendFile(exchange, answer)
  }
}

function sendWhole(exchange: Exchange, answer: WholeAnswer): Promise<void> | undefined {
  const { response } = exchange
  const { body } = answer
  // 204 has neither body nor length; an empty body is never compressed (spec 1 §2.5).
  if (body === undefined || body.length === 0) {
    response.writeHead(answer.status, headersOf(exchange, answer, answer.status === 204 ? undefined : 0)).end()
    return undefined
  }
  const coding = codingOf(exchange)
  if (coding !== undefined) return sendCoded(exchange, answer, compress(body, coding), coding)
  response.writeHead(answer.status, headersOf(exchange, answer, Buffer.byteLength(body))).end(body)
  return undefined
}

async function sendCoded(
  exchange: Exchange,
  answer: WholeAnswer,
  packed: Buffer | Promise<Buffer>,
  coding: Coding,
): Promise<void> {
  const { response } = exchange
  const bytes = await packed
  if (response.destroyed) return
  response.writeHead(answer.status, codedHeaders(headersOf(exchange, answer, bytes.length), coding)).end(bytes)
}

async function sendStream(exchange: Exchange, answer: StreamAnswer): Promise<void> {
  const { response } = exchange
  const coding = answer.isPlain ? undefined : codingOf(exchange)
  const headers = headersOf(exchange, answer, undefined)
  response.writeHead(answer.status, coding === undefined ? headers : codedHeaders(headers, coding))
  response.flushHeaders()
  try {
    if (coding === undefined) await writeEach(answer.chunks, response)
    else await pipeline(Readable.from(answer.chunks, ONE_BY_ONE), createFlushingCompressor(coding), response)
  } catch (error) {
    // A client that stops listening is the normal end of an endless answer.
    if (!isClosed(response)) throw error
  }
}

/** Read and sent at once: few steps for the server thread, and no more memory for clients that read slowly. */
const FILE_CHUNK_BYTES = 256 * 1024

/** Sends a file as fast as the client reads it. One that cannot be read to its end breaks the connection. */
async function sendFile(exchange: Exchange, answer: FileAnswer): Promise<void> {
  const { response } = exchange
  const { descriptor, sizeBytes, close } = answer.file
  const coding = codingOf(exchange)
  const headers = headersOf(exchange, answer, coding === undefined ? sizeBytes : undefined)
  response.writeHead(answer.status, coding === undefined ? headers : codedHeaders(headers, coding))
  const options = { fd: descriptor, autoClose: false, start: 0, highWaterMark: FILE_CHUNK_BYTES }
  const bytes = createReadStream('', options)
  try {
    await (coding === undefined ? pipeline(bytes, response) : pipeline(bytes, createCompressor(coding), response))
  } catch (error) {
    if (!isClosed(response)) throw error
  } finally {
    close()
  }
}

const ONE_BY_ONE = { objectMode: true, highWaterMark: 1 }

/** Sends each chunk when it is there and the client has taken those before, without a chain of streams in between. */
async function writeEach(chunks: AsyncIterable<string | Uint8Array>, response: ServerResponse): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]()
  // It may be waiting for a chunk that comes in an hour. What it has to say about its end is heard below.
  const leave = () => void iterator.return?.().catch(() => {})
  response.once('close', leave)
  for (;;) {
    const { done, value } = await iterator.next()
    if (done || response.destroyed) break
    if (!response.write(value)) await drained(response)
  }
  response.off('close', leave)
  response.end()
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}

const isClosed = (response: ServerResponse): boolean => response.destroyed && !response.writableFinished

function codingOf({ encoding }: Exchange): Coding | undefined {
  return encoding === 'identity' || encoding === 'none' ? undefined : encoding
}

function headersOf(exchange: Exchange, answer: Answer, length: number | undefined): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { Vary: VARY, ...corsHeaders(exchange.request.headers), ...answer.headers }
  if (answer.contentType !== undefined) headers['Content-Type'] = answer.contentType
  if (length !== undefined) headers['Content-Length'] = length
  return headers
}

function codedHeaders(headers: OutgoingHttpHeaders, coding: Coding): OutgoingHttpHeaders {
  return { ...headers, 'Content-Encoding': coding, Vary: `${headers.Vary}, accept-encoding` }
}
