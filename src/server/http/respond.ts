import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Coding } from './accept-encoding.js'
import type { Answer, StreamAnswer, WholeAnswer } from './answer.js'
import { compress, createCompressor } from './compress.js'
import { corsHeaders, VARY } from './cors.js'
import type { Exchange } from './exchange.js'

/** Sends an answer. Resolves when all of it was handed to the connection, or the client is gone. */
export async function respond(exchange: Exchange, answer: Answer): Promise<void> {
  if (exchange.response.destroyed) return
  if (answer.kind === 'stream') await sendStream(exchange, answer)
  else await sendWhole(exchange, answer)
}

async function sendWhole(exchange: Exchange, answer: WholeAnswer): Promise<void> {
  const { response } = exchange
  const { body } = answer
  // 204 has neither body nor length; an empty body is never compressed (spec 1 §2.5).
  if (body === undefined || body.length === 0) {
    response.writeHead(answer.status, headersOf(exchange, answer, answer.status === 204 ? undefined : 0)).end()
    return
  }
  const coding = codingOf(exchange)
  if (coding === undefined) {
    response.writeHead(answer.status, headersOf(exchange, answer, Buffer.byteLength(body))).end(body)
    return
  }
  const packed = compress(body, coding)
  const bytes = packed instanceof Promise ? await packed : packed
  if (response.destroyed) return
  response.writeHead(answer.status, codedHeaders(headersOf(exchange, answer, bytes.length), coding)).end(bytes)
}

async function sendStream(exchange: Exchange, answer: StreamAnswer): Promise<void> {
  const { response } = exchange
  const coding = answer.isPlain ? undefined : codingOf(exchange)
  const headers = headersOf(exchange, answer, undefined)
  response.writeHead(answer.status, coding === undefined ? headers : codedHeaders(headers, coding))
  response.flushHeaders()
  const chunks = Readable.from(answer.chunks, { objectMode: true, highWaterMark: 1 })
  try {
    if (coding === undefined) await pipeline(chunks, response)
    else await pipeline(chunks, createCompressor(coding), response)
  } catch (error) {
    // A client that stops listening is the normal end of an endless answer.
    if (!isClosed(response)) throw error
  }
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
