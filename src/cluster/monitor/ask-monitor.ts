import { readFile } from 'node:fs/promises'
import { get as getPlain, type IncomingMessage } from 'node:http'
import { get as getSecure, type RequestOptions } from 'node:https'

export interface MonitorFiles {
  readonly caFile?: string
  readonly certFile?: string
  readonly keyFile?: string
}

export interface MonitorOptions {
  readonly timeoutMs: number
  readonly tls?: MonitorFiles
}

export interface MonitorAnswer {
  readonly status: number | undefined
  readonly body: string
}

/** What the monitoring port of a nats-server answers, undefined when it does not. */
export async function askMonitor(url: string, { timeoutMs, tls }: MonitorOptions): Promise<MonitorAnswer | undefined> {
  try {
    const files = await readFiles(tls ?? {})
    return await request(new URL(url), { ...files, signal: AbortSignal.timeout(timeoutMs) })
  } catch {
    return undefined
  }
}

async function readFiles({ caFile, certFile, keyFile }: MonitorFiles): Promise<RequestOptions> {
  const [ca, cert, key] = await Promise.all([caFile, certFile, keyFile].map((file) => file && readFile(file)))
  return { ca, cert, key }
}

function request(url: URL, options: RequestOptions): Promise<MonitorAnswer> {
  const get = url.protocol === 'https:' ? getSecure : getPlain
  return new Promise((resolve, reject) => {
    const read = async (answer: IncomingMessage): Promise<void> => {
      const chunks: Buffer[] = []
      for await (const chunk of answer) chunks.push(chunk)
      resolve({ status: answer.statusCode, body: Buffer.concat(chunks).toString() })
    }
    get(url, { ...options, agent: false }, (answer) => void read(answer).catch(reject)).on('error', reject)
  })
}
