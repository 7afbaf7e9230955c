import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import zlib from 'node:zlib'
import { FailureError, fail, failure, ok, type Result } from '../../errors/index.js'
import { type JsonValue, parseBytes } from '../../json/index.js'
import type { MediaType } from './media-type.js'

/** The client went away before its body had arrived: nobody is left to answer. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError'
}

/**
 * The decompressed body of a request. It can be read once, as chunks or as a whole. Reading throws a `FailureError`
 * when the body exceeds the limit (`payload_too_large`) or cannot be decompressed (`bad_request`), and
 * `ClientGoneError` when it never arrives; route handlers let these pass.
 */
export interface RawBody extends AsyncIterable<Buffer> {
  readonly mediaType: MediaType
  /** The whole body, not empty: nothing at all is `missing_payload`. */
  bytes(): Promise<Result<Buffer>>
}

export interface BodySource {
  readonly request: IncomingMessage
  readonly mediaType: MediaType
  /** Largest number of bytes after decompression. */
  readonly limitBytes: number
}

export const openBody = (source: BodySource): RawBody => new IncomingBody(source)

class IncomingBody implements RawBody {
  constructor(private readonly source: BodySource) {}

  get mediaType() {
    return this.source.mediaType
  }

  [Symbol.asyncIterator]() {
    return readChunks(this.source)
  }

  async bytes() {
    const bytes = await readWhole(this.source)
    return bytes.length === 0 ? fail('missing_payload', this.mediaType.subtype) : ok(bytes)
  }
}

/** The body as JSON: steps 2 to 3 of the checks of a body (spec 1 §2.2). */
export async function readJson(source: BodySource): Promise<Result<JsonValue>> {
  const bytes = await readWhole(source)
  if (bytes.length === 0) return fail('missing_payload', 'json')
  const parsed = parseBytes(bytes)
  return parsed.ok ? ok(parsed.value) : fail('malformed_payload', `The body is not valid JSON: ${parsed.reason}.`)
}

/** A body without coding, the usual one, is collected from events: several times cheaper than iterating. */
function readWhole(source: BodySource): Promise<Buffer> {
  const { request, limitBytes } = source
  refuseAnnouncedSize(source)
  if (decompressorFor(request) !== undefined) return collectChunks(readChunks(source))
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const leave = () => request.off('data', take).off('end', finish).off('close', abandon)
    const stop = (error: Error) => {
      leave().pause()
      reject(error)
    }
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size > limitBytes) stop(tooLarge(limitBytes))
      else chunks.push(chunk)
    }
    const finish = () => {
      leave()
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size))
    }
    const abandon = () => stop(new ClientGoneError())
    request.on('data', take).on('end', finish).on('close', abandon)
  })
}

async function collectChunks(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const list: Buffer[] = []
  for await (const chunk of chunks) list.push(chunk)
  return Buffer.concat(list)
}

/** Up to this size a body is collected rather than iterated over. */
const SMALL_BYTES = 64 * 1024

function isSmall({ request }: BodySource): boolean {
  const announced = request.headers['content-length']
  return announced !== undefined && Number(announced) <= SMALL_BYTES && decompressorFor(request) === undefined
}

async function* readChunks(source: BodySource): AsyncGenerator<Buffer, void, void> {
  const { request, limitBytes } = source
  refuseAnnouncedSize(source)
  if (isSmall(source)) {
    const bytes = await readWhole(source)
    if (bytes.length > 0) yield bytes
    return
  }
  let size = 0
  try {
    for await (const chunk of decompressed(request)) {
      size += chunk.length
      if (size > limitBytes) throw tooLarge(limitBytes)
      yield chunk
    }
  } catch (error) {
    throw readingProblem(error, request)
  }
}

/** The request itself stays open when reading ends early, so that an answer can still be sent. */
function decompressed(request: IncomingMessage): AsyncIterable<Buffer> {
  const create = decompressorFor(request)
  if (create === undefined) return request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  return inflate(request, create())
}

async function* inflate(
  request: IncomingMessage,
  decompressor: Readable & NodeJS.WritableStream,
): AsyncGenerator<Buffer> {
  const feed = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  // The outcome is seen by the loop below: a failing pipeline destroys the decompressor with its error.
  pipeline(skipNothing(feed), decompressor, () => {})
  for await (const chunk of decompressor) yield chunk as Buffer
}

/** A generator between request and decompressor: destroying the pipeline then ends the loop, not the request. */
async function* skipNothing(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* chunks
}

const DECOMPRESSORS = new Map<string, () => zlib.Gunzip | zlib.Inflate | zlib.BrotliDecompress>([
  ['gzip', () => zlib.createGunzip()],
  ['deflate', () => zlib.createInflate()],
  ['br', () => zlib.createBrotliDecompress()],
])

/** Unknown and combined codings count as none (spec 1 §2.4). */
function decompressorFor(
  request: IncomingMessage,
): (() => zlib.Gunzip | zlib.Inflate | zlib.BrotliDecompress) | undefined {
  const coding = request.headers['content-encoding']
  return coding === undefined ? undefined : DECOMPRESSORS.get(coding.trim().toLowerCase())
}

function refuseAnnouncedSize({ request, limitBytes }: BodySource): void {
  const announced = request.headers['content-length']
  if (announced !== undefined && Number(announced) > limitBytes) throw tooLarge(limitBytes)
}

const tooLarge = (limitBytes: number): FailureError => new FailureError(failure('payload_too_large', limitBytes))

function readingProblem(error: unknown, request: IncomingMessage): unknown {
  if (error instanceof FailureError) return error
  const code = String((error as { code?: unknown }).code)
  const isCorrupt = code.startsWith('Z_') || code.startsWith('ERR_') || code.startsWith('BR')
  if (request.destroyed && !request.complete) return new ClientGoneError('the request ended early', { cause: error })
  if (!isCorrupt) return error
  const coding = request.headers['content-encoding']
  return new FailureError(failure('bad_request', `The body cannot be decompressed as ${coding}.`), { cause: error })
}
