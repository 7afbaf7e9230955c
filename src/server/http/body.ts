import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import zlib from 'node:zlib'
import type { BodyPlace } from '../../bodies/index.js'
import { FailureError, fail, failure, failureSaying, ok, type Result } from '../../errors/index.js'
import type { JsonValue } from '../../json/index.js'
import { ClientGoneError } from '../../searching/index.js'
import { parseBody } from '../../shape/index.js'
import { GatheredBody } from './gathered-body.js'
import type { MediaType } from './media-type.js'

/**
 * The decompressed body of a request. It can be read once, as chunks or as a whole. Reading throws a `FailureError`
 * when the body exceeds the limit (`payload_too_large`), when too many large ones are in memory (503) or when it cannot
 * be decompressed (`bad_request`), and `ClientGoneError` when it never arrives; route handlers let these pass.
 */
export interface RawBody extends AsyncIterable<Buffer> {
  readonly mediaType: MediaType
  /** Whether it is known to be so short that it is read in no time. */
  readonly isShort: boolean
  /** The whole body, not empty: nothing at all is `missing_payload`. */
  bytes(): Promise<Result<Buffer>>
}

export interface BodySource {
  readonly request: IncomingMessage
  readonly mediaType: MediaType
  /** Largest number of bytes after decompression. */
  readonly limitBytes: number
  /** Where it is kept when it is read as a whole. */
  readonly place: BodyPlace
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

  get isShort() {
    return isSmall(this.source)
  }

  async bytes() {
    const bytes = await readWhole(this.source)
    return bytes.length === 0 ? fail('missing_payload', this.mediaType.subtype) : ok(bytes)
  }
}

/**
 * What values of a body that the server thread parses may weigh: some 20 ms. Routes with larger ones have them read
 * elsewhere.
 */
const MAX_WEIGHT = 200_000

/** The body as JSON: steps 2 to 3 of the checks of a body (spec 1 §2.2). */
export async function readJson(source: BodySource): Promise<Result<JsonValue>> {
  const bytes = await readJsonBytes(source)
  return bytes.ok ? parseBody(bytes.value, { maxWeight: MAX_WEIGHT }) : bytes
}

/** The bytes of the same, in memory of their own if they are many. */
export async function readJsonBytes(source: BodySource): Promise<Result<Buffer>> {
  const bytes = await readWhole(source)
  return bytes.length === 0 ? fail('missing_payload', 'json') : ok(bytes)
}

/** A body without coding, the usual one, is collected from events: several times cheaper than iterating. */
function readWhole(source: BodySource): Promise<Buffer> {
  refuseAnnouncedSize(source)
  return decompressorFor(source.request) === undefined ? collectPlain(source) : collectDecompressed(source)
}

function collectPlain(source: BodySource): Promise<Buffer> {
  const { request, limitBytes, place } = source
  return new Promise((resolve, reject) => {
    const whole = new GatheredBody(announcedSize(request))
    const leave = () => request.off('data', take).off('end', finish).off('close', abandon)
    const stop = (error: Error) => {
      leave().pause()
      reject(error)
    }
    const take = (chunk: Buffer) => {
      const size = whole.length + chunk.length
      if (size > limitBytes) stop(tooLarge(limitBytes))
      else if (!place.fits(size)) stop(noRoom())
      else whole.push(chunk)
    }
    const finish = () => {
      leave()
      resolve(whole.bytes)
    }
    const abandon = () => stop(new ClientGoneError())
    request.on('data', take).on('end', finish).on('close', abandon)
  })
}

async function collectDecompressed(source: BodySource): Promise<Buffer> {
  const whole = new GatheredBody()
  for await (const chunk of readChunks(source)) {
    if (!source.place.fits(whole.length + chunk.length)) throw noRoom()
    whole.push(chunk)
  }
  return whole.bytes
}

/** Up to this size a body is collected rather than iterated over, and read by the server thread itself. */
export const SMALL_BYTES = 64 * 1024

function isSmall({ request }: BodySource): boolean {
  const announced = announcedSize(request)
  return announced !== undefined && announced <= SMALL_BYTES && decompressorFor(request) === undefined
}

function announcedSize(request: IncomingMessage): number | undefined {
  const announced = request.headers['content-length']
  return announced === undefined ? undefined : Number(announced)
}

async function* readChunks(source: BodySource): AsyncGenerator<Buffer, void, void> {
  const { request, limitBytes } = source
  refuseAnnouncedSize(source)
  if (isSmall(source)) {
    yield await collectPlain(source)
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
  if ((announcedSize(request) ?? 0) > limitBytes) throw tooLarge(limitBytes)
}

/** By an option, or where a route takes less. */
function tooLarge(limitBytes: number): FailureError {
  const reason = `The body is larger than the limit of ${limitBytes} bytes (--http-payload-size-limit, or that of the route).`
  return new FailureError(failure('payload_too_large', reason))
}

function noRoom(): FailureError {
  const reason = 'Too many large bodies are being read: try again in a few seconds.'
  return new FailureError(failureSaying('too_many_search_requests', reason))
}

function readingProblem(error: unknown, request: IncomingMessage): unknown {
  if (error instanceof FailureError) return error
  const code = String((error as { code?: unknown }).code)
  const isCorrupt = code.startsWith('Z_') || code.startsWith('ERR_') || code.startsWith('BR')
  if (request.destroyed && !request.complete) return new ClientGoneError('the request ended early', { cause: error })
  if (!isCorrupt) return error
  const coding = request.headers['content-encoding']
  return new FailureError(failure('bad_request', `The body cannot be decompressed as ${coding}.`), { cause: error })
}
