import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { afterAll, expect, test } from 'vitest'
import type { S3Config } from '../../config/index.js'
import { FailureError } from '../../errors/index.js'
import { createOutbound } from '../../outbound/index.js'
import { temporaryFolder } from '../../store/temporary.fixture.js'
import { JobCancelled } from '../../threads/index.js'
import { extractArchive } from '../archive/extract-archive.js'
import { fileWith } from '../archive/tar.fixture.js'
import { type BackupServer, openBackupServer } from '../backup-server.fixture.js'
import { PartStream } from './part-stream.js'
import { s3Target } from './s3-target.js'
import { credentialsOf } from './web-identity.js'

const PART_BYTES = 64 * 1024

const configFor = (port: number, change: Partial<S3Config> = {}): S3Config => ({
  bucketUrl: `http://127.0.0.1:${port}`,
  bucketRegion: 'us-east-1',
  bucketName: 'backups',
  snapshotPrefix: 'nightly',
  credentials: { kind: 'keys', accessKey: 'S3RVER', secretKey: 'S3RVER' },
  maxInFlightParts: 3,
  compressionLevel: 0,
  signatureDurationMs: 1000,
  partSizeBytes: PART_BYTES,
  ...change,
})

const cleanups: (() => Promise<unknown>)[] = []
const outbound = createOutbound({ networks: 'any', userAgent: 'test' })
afterAll(async () => {
  for (const cleanup of cleanups) await cleanup()
  await outbound.close()
})

interface FakeStore {
  readonly port: number
  object(key: string): Promise<Buffer>
}

/** What `s3rver` exports; it comes without types. */
interface S3rver {
  run(): Promise<{ address: string; port: number }>
  close(): Promise<void>
}

async function startStore(): Promise<FakeStore> {
  // @ts-expect-error it comes without types
  const { default: Store } = (await import('s3rver')) as { default: new (options: object) => S3rver }
  const directory = temporaryFolder()
  const buckets = [{ name: 'backups', configs: [] }]
  const store = new Store({ port: 0, address: '127.0.0.1', silent: true, directory, configureBuckets: buckets })
  const { port } = await store.run()
  cleanups.push(() => store.close())
  return {
    port,
    async object(key) {
      const folder = join(directory, 'backups', ...key.split('/').slice(0, -1))
      const file = readdirSync(folder).find(
        (found) => found.startsWith(key.split('/').at(-1)!) && found.endsWith('object'),
      )
      return readFileSync(join(folder, file!))
    },
  }
}

const taskViews = ({ queue }: BackupServer) => queue.tasks({}, { limit: 10, from: null, reverse: true }, null).results

test('a snapshot of several parts arrives at the store and can be restored', async () => {
  const store = await startStore()
  const server = openBackupServer({ s3: configFor(store.port) })
  await server.add(
    'movies',
    Array.from({ length: 500 }, (_, id) => ({ id, text: `text ${id * 7919}`.repeat(5) })),
  )
  await server.settle()
  await server.put({ type: 'snapshotCreation' })
  await server.settle()
  expect(taskViews(server)[1]).toMatchObject({ type: 'snapshotCreation', status: 'succeeded', error: null })
  const bytes = await store.object('nightly/db.snapshot')
  expect(bytes.length).toBeGreaterThan(2 * PART_BYTES)
  const folder = temporaryFolder()
  await extractArchive({ path: fileWith(bytes, 'db.snapshot'), folder: join(folder, 'db') })
  const copy = openBackupServer({ folder })
  expect(copy.documents('movies')).toEqual(server.documents('movies'))
}, 30_000)

/** A store that answers each request with what the test says. */
async function startFaulty(
  answer: (request: IncomingMessage) => [status: number, body: string] | 'cut',
): Promise<number> {
  const server: Server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      const said = answer(request)
      if (said === 'cut') return void request.socket.destroy()
      response.writeHead(said[0], { etag: '"e"', 'content-type': 'application/xml' }).end(said[1])
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(async () => server.close())
  return (server.address() as AddressInfo).port
}

const OPENED =
  '<?xml version="1.0"?><InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>'
const COMPLETED = '<?xml version="1.0"?><CompleteMultipartUploadResult><ETag>e</ETag></CompleteMultipartUploadResult>'
const REFUSED = '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>no</Message></Error>'

const isOpening = ({ method, url }: IncomingMessage) => method === 'POST' && /[?&]uploads/.test(url!)
const isPart = ({ method }: IncomingMessage) => method === 'PUT'
const isClosing = ({ method, url }: IncomingMessage) => method === 'POST' && !/[?&]uploads/.test(url!)

const STAGES = { opening: isOpening, part: isPart, closing: isClosing }

const limits = { firstMs: 1, longestMs: 1, giveUpMs: 1000 }

/** Sends a few bytes, and answers the code of the failure. */
async function outcome(config: S3Config, isCancelled = () => false): Promise<string> {
  const watch = { progress: () => {}, isCancelled }
  try {
    const target = await s3Target({ config, name: 'db.snapshot' }, { outbound, watch, limits })
    await pipeline([Buffer.alloc(PART_BYTES + 10)], target.stream)
    await target.finish()
    return 'done'
  } catch (error) {
    return error instanceof FailureError ? error.failure.code : (error as Error).constructor.name
  }
}

test('the object is found by its path, below the prefix', async () => {
  const seen: string[] = []
  const port = await startFaulty((request) => {
    seen.push(`${request.method} ${request.url!.split('?')[0]}`)
    return [200, isOpening(request) ? OPENED : COMPLETED]
  })
  expect(await outcome(configFor(port, { snapshotPrefix: '/a/b/' }))).toBe('done')
  const path = '/backups/a/b/db.snapshot'
  expect(seen).toEqual([`POST ${path}`, `PUT ${path}`, `PUT ${path}`, `POST ${path}`])
})

test.each([
  ['opening', 403, 'invalid_s3_snapshot_request'],
  ['opening', 503, 's3_snapshot_server_error'],
  ['part', 403, 's3_snapshot_server_error'],
  ['part', 500, 's3_snapshot_server_error'],
  ['closing', 404, 'invalid_s3_snapshot_request'],
  ['closing', 500, 's3_snapshot_server_error'],
] as const)('the %s refused with status %d fails with %s, without another try', async (stage, status, code) => {
  let refusals = 0
  const port = await startFaulty((request) => {
    if (STAGES[stage](request)) {
      refusals++
      return [status, REFUSED]
    }
    return [200, isOpening(request) ? OPENED : COMPLETED]
  })
  expect(await outcome(configFor(port, { maxInFlightParts: 1 }))).toBe(code)
  expect(refusals).toBe(1)
})

test('connections that break are tried again for parts and the end, not for the beginning', async () => {
  const cuts = { part: 0, closing: 0 }
  const port = await startFaulty((request) => {
    if (isPart(request) && cuts.part++ < 2) return 'cut'
    if (isClosing(request) && cuts.closing++ < 2) return 'cut'
    return [200, isOpening(request) ? OPENED : COMPLETED]
  })
  expect(await outcome(configFor(port))).toBe('done')
  let openings = 0
  const broken = await startFaulty(() => {
    openings++
    return 'cut'
  })
  expect(await outcome(configFor(broken))).toBe('s3_snapshot_server_error')
  expect(openings).toBe(1)
})

test('an answer that is no XML of a store is the fault of the store', async () => {
  const port = await startFaulty(() => [200, 'hello'])
  expect(await outcome(configFor(port))).toBe('s3_snapshot_server_error')
})

test('an address that cannot be one fails as a wrong option', async () => {
  expect(await outcome(configFor(1, { bucketUrl: 'nowhere' }))).toBe('invalid_s3_snapshot_parameters')
  expect(await outcome(configFor(1, { bucketName: 'a/b' }))).toBe('invalid_s3_snapshot_parameters')
})

test('an upload that is stopped ends between parts', async () => {
  const port = await startFaulty((request) => [200, isOpening(request) ? OPENED : COMPLETED])
  expect(await outcome(configFor(port), () => true)).toBe(JobCancelled.name)
})

test('a failing store fails the task', async () => {
  const port = await startFaulty(() => [403, REFUSED])
  const server = openBackupServer({ s3: configFor(port) })
  await server.put({ type: 'snapshotCreation' })
  await server.settle()
  expect(taskViews(server)).toMatchObject([
    { status: 'failed', error: { code: 'invalid_s3_snapshot_request', type: 'internal' } },
  ])
})

test('parts have the size asked for and their order, whatever the chunks are', async () => {
  const parts: Buffer[] = []
  const stream = new PartStream({
    partBytes: 10,
    maxInFlight: 2,
    send: async (number, bytes) => {
      await new Promise((resolve) => setTimeout(resolve, number % 2))
      parts[number - 1] = bytes
    },
  })
  const text = 'abcdefghijklmnopqrstuvwxyz0123456789'
  for (const chunk of ['abc', 'defghijklmnopqrstuvwxyz0', '123456789']) stream.write(chunk)
  await new Promise<void>((resolve) => stream.end(resolve))
  expect(parts.map((part) => part.length)).toEqual([10, 10, 10, 6])
  expect(Buffer.concat(parts).toString()).toBe(text)
})

test('a token is exchanged for keys', async () => {
  const tokenFilePath = join(temporaryFolder(), 'token')
  writeFileSync(tokenFilePath, 'a token\n')
  const answer = '<R><AccessKeyId>A</AccessKeyId><SecretAccessKey>S</SecretAccessKey><SessionToken>T</SessionToken></R>'
  const good = await startFaulty(() => [200, answer])
  const identity = (port: number) => ({
    roleArn: 'arn:aws:iam::1:role/x',
    tokenFilePath,
    region: 'us-east-1',
    exchangeUrl: `http://127.0.0.1:${port}/`,
  })
  expect(await credentialsOf(identity(good), outbound)).toEqual({
    accessKeyId: 'A',
    secretAccessKey: 'S',
    sessionToken: 'T',
  })
  const refusing = await startFaulty(() => [400, REFUSED])
  await expect(credentialsOf(identity(refusing), outbound)).rejects.toThrow(/status 400/)
})
