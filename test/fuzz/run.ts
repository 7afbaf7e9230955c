import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Description } from './description.js'
import { type DescribedRequest, nearValidRequests } from './near-valid.js'
import { type FuzzRequest, fuzzRequests } from './requests.js'
import { PREPARATION } from './vocabulary.js'

export interface FuzzOptions {
  readonly port: number
  readonly masterKey: string
  readonly seed: number
  readonly count: number
  /** Wild requests unless told otherwise. */
  readonly source?: RequestSource
  readonly onProgress?: (done: number) => void
}

/** Where requests come from, and what more is asked of their answers. */
export interface RequestSource<Request extends FuzzRequest = FuzzRequest> {
  make(seed: number, count: number): Request[]
  /** What is wrong with an answer that keeps the promises of all answers; undefined for nothing. */
  judge(request: Request, answer: Answer): string | undefined
}

/** Requests to every route whose parts are put together without much regard for each other. */
const wild = (masterKey: string): RequestSource => ({ make: fuzzRequests(masterKey), judge: () => undefined })

/** Requests as the description of the interface wants them, but for one mistake; answers must be as it says. */
export function described(description: Description, masterKey: string): RequestSource {
  return {
    make: nearValidRequests(description, masterKey),
    judge: (request, answer) => description.contradiction((request as DescribedRequest).operation, request, answer),
  }
}

export interface Answer {
  readonly status: number
  readonly contentType: string
  readonly text: string
}

/** Requests made at a time from one seed, between preparations: some of them take away what others need. */
const ROUND = 250
const CONNECTIONS = 8
const ANSWER_LIMIT_MS = 20_000

/** Sends `count` random requests and describes each answer that breaks a promise. Stops after the first twenty. */
export async function fuzz(options: FuzzOptions): Promise<string[]> {
  const { port, masterKey, seed, count, source = wild(masterKey), onProgress } = options
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const problems: string[] = []
  for (let done = 0; done < count && problems.length < 20; done += ROUND) {
    const roundSeed = seed + done / ROUND
    for (const request of preparation(masterKey)) await send(request, port, agent)
    const waiting = source.make(roundSeed, Math.min(ROUND, count - done))
    const worker = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const problem = await send(next, port, agent).then(
          (answer) => judge(next, answer) ?? source.judge(next, answer),
          (error: unknown) => `no answer: ${error}`,
        )
        if (problem) problems.push(`seed ${roundSeed}: ${describe(next)}\n  ${problem}`)
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, worker))
    onProgress?.(Math.min(done + ROUND, count))
  }
  agent.destroy()
  return problems
}

function preparation(masterKey: string): FuzzRequest[] {
  const headers = { authorization: `Bearer ${masterKey}`, 'content-type': 'application/json' }
  return PREPARATION.map(([method, path, body]) => ({ method, path, headers, body: Buffer.from(body) }))
}

function describe({ method, path, headers, body }: FuzzRequest): string {
  const shown = body === undefined ? '' : ` ${JSON.stringify(body.toString('latin1').slice(0, 300))}`
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(headers)}${shown}`
}

function send({ method, path, headers, body }: FuzzRequest, port: number, agent: Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const target = { host: '127.0.0.1', port, agent, method, path, headers, timeout: ANSWER_LIMIT_MS }
    const outgoing = httpRequest(target, (incoming) => read(incoming).then(resolve, reject))
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${ANSWER_LIMIT_MS} ms`)))
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

async function read(incoming: IncomingMessage): Promise<Answer> {
  const { statusCode: status = 0, headers } = incoming
  const contentType = headers['content-type'] ?? ''
  // The stream of logs has no end.
  if (contentType === 'application/octet-stream') {
    incoming.destroy()
    return { status, contentType, text: '' }
  }
  const bytes = Buffer.concat(await incoming.toArray())
  return { status, contentType, text: decompress(bytes, headers['content-encoding']).toString() }
}

function decompress(bytes: Buffer, encoding: string | undefined): Buffer {
  // The answer to HEAD has the headers of a body and no body.
  if (bytes.length === 0) return bytes
  if (encoding === 'br') return brotliDecompressSync(bytes)
  return encoding === 'gzip' ? gunzipSync(bytes) : bytes
}

const ERROR_MEMBERS = ['message', 'code', 'type', 'link']

/** What an answer promises whatever was asked (interface §7: all errors use the error object). Undefined when all of it is kept. */
export function judge({ method }: Pick<FuzzRequest, 'method'>, answer: Answer): string | undefined {
  const { status, contentType, text } = answer
  if (status >= 500) return isMeant(status, text) ? undefined : `status ${status}: ${text.slice(0, 500)}`
  if (method === 'HEAD') return text === '' ? undefined : 'an answer to HEAD has a body'
  if (contentType === 'application/json') return judgeJson(status, text)
  return status < 400 ? undefined : `status ${status} with no JSON but the body ${JSON.stringify(text.slice(0, 200))}`
}

function judgeJson(status: number, text: string): string | undefined {
  const value = parseOrUndefined(text)
  if (value === undefined) return `status ${status}: not JSON: ${text.slice(0, 200)}`
  if (status < 400) return undefined
  const isError = JSON.stringify(Object.keys(value ?? {})) === JSON.stringify(ERROR_MEMBERS)
  return isError ? undefined : `status ${status}: no error object: ${text.slice(0, 200)}`
}

function parseOrUndefined(text: string): object | null | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What the interface does not have yet, what comes too early, and a compaction in the way of a backup. */
function isMeant(status: number, text: string): boolean {
  const { code, errorMessage } = (parseOrUndefined(text) ?? {}) as { code?: string; errorMessage?: string }
  if (status === 503) return code === 'import_task_without_network_task'
  return status === 501 ? code?.startsWith('unimplemented_') === true : errorMessage?.startsWith('A backup') === true
}
