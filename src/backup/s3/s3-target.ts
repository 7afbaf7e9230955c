import type { S3Client } from '@aws-sdk/client-s3'
import type { S3Config } from '../../config/index.js'
import { FailureError, failure } from '../../errors/index.js'
import type { Outbound } from '../../outbound/index.js'
import { type BackoffLimits, retrying } from '../backoff.js'
import { withoutLastSlashes } from '../slashes.js'
import type { SnapshotTarget } from '../snapshot/target.js'
import { checkCancelled, type Watch } from '../watch.js'
import { OutboundHandler, TransportError } from './outbound-handler.js'
import { PartStream } from './part-stream.js'
import { credentialsOf } from './web-identity.js'

export interface S3Place {
  readonly config: S3Config
  /** The name of the object below the prefix. */
  readonly name: string
}

export interface S3Services {
  readonly outbound: Pick<Outbound, 'request'>
  readonly watch: Watch
  readonly limits?: BackoffLimits
}

/** Memory that parts on their way may take; one part is always sent. */
const MAX_IN_FLIGHT_BYTES = 1 << 30

/** An object that appears when all its parts have arrived (spec 2 §7). */
export async function s3Target({ config, name }: S3Place, services: S3Services): Promise<SnapshotTarget> {
  const upload = await MultipartUpload.begin({ config, name }, services)
  const { partSizeBytes, maxInFlightParts } = config
  const stream = new PartStream({
    partBytes: partSizeBytes,
    maxInFlight: Math.max(1, Math.min(maxInFlightParts, Math.floor(MAX_IN_FLIGHT_BYTES / partSizeBytes))),
    send: (number, bytes) => upload.part(number, bytes),
  })
  return { stream, finish: () => upload.complete(), abandon: () => upload.abort() }
}

class MultipartUpload {
  private readonly etags = new Map<number, string>()

  private constructor(
    private readonly client: S3Client,
    private readonly object: { readonly Bucket: string; readonly Key: string; readonly UploadId: string },
    private readonly services: S3Services,
  ) {}

  /** Asked for once: whatever goes wrong is final. */
  static async begin({ config, name }: S3Place, services: S3Services): Promise<MultipartUpload> {
    const { CreateMultipartUploadCommand } = await import('@aws-sdk/client-s3')
    const client = await openClient(config, services)
    const object = { Bucket: config.bucketName, Key: keyOf(config.snapshotPrefix, name) }
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(object)).catch((error) => {
      throw refusalOf(error, 'request')
    })
    if (UploadId === undefined) throw serverError('it did not say how the upload is called')
    return new MultipartUpload(client, { ...object, UploadId }, services)
  }

  async part(number: number, bytes: Buffer): Promise<void> {
    const { UploadPartCommand } = await import('@aws-sdk/client-s3')
    const command = { ...this.object, PartNumber: number, Body: bytes }
    const { ETag } = await this.retried(() => this.client.send(new UploadPartCommand(command)), 'part')
    if (ETag === undefined) throw serverError(`it did not acknowledge part ${number}`)
    this.etags.set(number, ETag)
  }

  async complete(): Promise<void> {
    const { CompleteMultipartUploadCommand } = await import('@aws-sdk/client-s3')
    const Parts = [...this.etags].sort(([a], [b]) => a - b).map(([PartNumber, ETag]) => ({ PartNumber, ETag }))
    const command = { ...this.object, MultipartUpload: { Parts } }
    await this.retried(() => this.client.send(new CompleteMultipartUploadCommand(command)), 'request')
  }

  /** What the store keeps of an upload that was not completed costs its owner money. */
  async abort(): Promise<void> {
    const { AbortMultipartUploadCommand } = await import('@aws-sdk/client-s3')
    await this.client.send(new AbortMultipartUploadCommand(this.object)).catch(() => {})
  }

  /** Again as long as nothing comes back; an answer is final, whatever it says. */
  private retried<T>(send: () => Promise<T>, stage: Stage): Promise<T> {
    const { watch, limits } = this.services
    return retrying<T>(
      async () => {
        try {
          return { is: 'done', value: await send() }
        } catch (error) {
          const refusal = refusalOf(error, stage)
          return error instanceof TransportError ? { is: 'again', error: refusal } : { is: 'final', error: refusal }
        }
      },
      { check: () => checkCancelled(watch), ...(limits === undefined ? {} : { limits }) },
    )
  }
}

async function openClient(config: S3Config, { outbound }: S3Services): Promise<S3Client> {
  const { S3Client: Client } = await import('@aws-sdk/client-s3')
  const { bucketUrl, bucketRegion, bucketName } = config
  if (!URL.canParse(bucketUrl)) throw badParameters(`the URL ${JSON.stringify(bucketUrl)} is none`)
  if (!/^[A-Za-z0-9][\w.-]+$/.test(bucketName))
    throw badParameters(`no bucket has the name ${JSON.stringify(bucketName)}`)
  return new Client({
    endpoint: bucketUrl,
    region: bucketRegion,
    forcePathStyle: true,
    credentials: await credentials(config, outbound),
    requestHandler: new OutboundHandler(outbound) as never,
    // Trying again is decided here.
    maxAttempts: 1,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
}

function credentials({ credentials, bucketRegion }: S3Config, outbound: S3Services['outbound']) {
  if (credentials.kind === 'webIdentity') return credentialsOf({ ...credentials, region: bucketRegion }, outbound)
  return { accessKeyId: credentials.accessKey, secretAccessKey: credentials.secretKey }
}

const keyOf = (prefix: string, name: string): string => {
  const folder = withoutLastSlashes(prefix.replace(/^\/+/, ''))
  return folder === '' ? name : `${folder}/${name}`
}

/** An error status for a part is the store's fault, for the requests around them it may be ours (spec 2 §7). */
type Stage = 'request' | 'part'

function refusalOf(error: unknown, stage: Stage): Error {
  if (error instanceof FailureError) return error
  if (error instanceof TransportError) return serverError(error.message, error)
  const { name, message, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } }
  const status = $metadata?.httpStatusCode
  if (status === undefined) return serverError(`its answer cannot be read (${message})`, error)
  const said = `status ${status}: ${name}, ${message}`
  if (stage === 'part' || status >= 500 || status < 400) return serverError(said, error)
  const refused = failure('invalid_s3_snapshot_request', `The object store refused the snapshot with ${said}.`)
  return new FailureError(refused, { cause: error })
}

const serverError = (reason: string, cause?: unknown): FailureError =>
  new FailureError(failure('s3_snapshot_server_error', `The object store failed: ${reason}.`), { cause })

const badParameters = (reason: string): FailureError =>
  new FailureError(failure('invalid_s3_snapshot_parameters', `The options for the object store are wrong: ${reason}.`))
