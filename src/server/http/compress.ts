import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { Coding } from './accept-encoding.js'

/** The lowest levels with a real gain: an answer costs tens of microseconds, as bench shows (a body of 5 kB: 50 µs). */
const BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }
const DEFLATE = { level: 1 }

/** Up to this size compressing at once is cheaper than a trip to the thread pool and back. */
const SYNC_LIMIT_BYTES = 32_768

const sync: { readonly [C in Coding]: (body: Uint8Array | string) => Buffer } = {
  br: (body) => zlib.brotliCompressSync(body, BROTLI),
  gzip: (body) => zlib.gzipSync(body, DEFLATE),
  deflate: (body) => zlib.deflateSync(body, DEFLATE),
}

const brotliCompress = promisify<Uint8Array | string, zlib.BrotliOptions, Buffer>(zlib.brotliCompress)
const gzip = promisify<Uint8Array | string, zlib.ZlibOptions, Buffer>(zlib.gzip)
const deflate = promisify<Uint8Array | string, zlib.ZlibOptions, Buffer>(zlib.deflate)

const pooled: { readonly [C in Coding]: (body: Uint8Array | string) => Promise<Buffer> } = {
  br: (body) => brotliCompress(body, BROTLI),
  gzip: (body) => gzip(body, DEFLATE),
  deflate: (body) => deflate(body, DEFLATE),
}

export function compress(body: Uint8Array | string, coding: Coding): Buffer | Promise<Buffer> {
  return body.length <= SYNC_LIMIT_BYTES ? sync[coding](body) : pooled[coding](body)
}

type Compressor = zlib.BrotliCompress | zlib.Gzip | zlib.Deflate

/** For what is too large to be compressed at once. */
export function createCompressor(coding: Coding): Compressor {
  if (coding === 'br') return zlib.createBrotliCompress(BROTLI)
  return coding === 'gzip' ? zlib.createGzip(DEFLATE) : zlib.createDeflate(DEFLATE)
}

/** For endless answers: what is written can be decompressed at the other end at once. */
export function createFlushingCompressor(coding: Coding): Compressor {
  if (coding === 'br') return zlib.createBrotliCompress({ ...BROTLI, flush: zlib.constants.BROTLI_OPERATION_FLUSH })
  const options = { ...DEFLATE, flush: zlib.constants.Z_SYNC_FLUSH }
  return coding === 'gzip' ? zlib.createGzip(options) : zlib.createDeflate(options)
}
