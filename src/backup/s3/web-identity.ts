import { readFile } from 'node:fs/promises'
import { FailureError, failure } from '../../errors/index.js'
import type { Outbound } from '../../outbound/index.js'

export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

export interface WebIdentity {
  readonly roleArn: string
  /** Read each time: whoever runs the server renews it. */
  readonly tokenFilePath: string
  readonly region: string
  /** Where tokens are exchanged; the service of Amazon by default. */
  readonly exchangeUrl?: string
}

const TIMEOUT_MS = 30_000
const MAX_ANSWER_BYTES = 1 << 20

/** Exchanges the token of a file for keys that work for a while. */
export async function credentialsOf(identity: WebIdentity, outbound: Pick<Outbound, 'request'>): Promise<Credentials> {
  const { roleArn, tokenFilePath, region } = identity
  const token = (await readFile(tokenFilePath, 'utf8')).trim()
  const form = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: roleArn,
    RoleSessionName: 'findling',
    WebIdentityToken: token,
  })
  const outcome = await outbound.request({
    method: 'POST',
    url: identity.exchangeUrl ?? `https://sts.${region}.amazonaws.com/`,
    headers: [['Content-Type', 'application/x-www-form-urlencoded']],
    body: form.toString(),
    timeoutMs: TIMEOUT_MS,
    maxAnswerBytes: MAX_ANSWER_BYTES,
  })
  if (!outcome.ok) throw serverError(outcome.problem.message)
  const { status, body } = outcome.value
  if (status >= 500) throw serverError(`the exchange of tokens answered with status ${status}`)
  if (status >= 300) throw new FailureError(failure('invalid_s3_snapshot_request', refusal(status, body)))
  return readCredentials(body.toString('utf8'))
}

function readCredentials(xml: string): Credentials {
  const [accessKeyId, secretAccessKey, sessionToken] = ['AccessKeyId', 'SecretAccessKey', 'SessionToken'].map((name) =>
    between(xml, `<${name}>`, `</${name}>`),
  )
  if (!accessKeyId || !secretAccessKey || !sessionToken) throw serverError('the exchange of tokens gave no keys')
  return { accessKeyId, secretAccessKey, sessionToken }
}

function between(text: string, open: string, close: string): string | undefined {
  const start = text.indexOf(open)
  const end = text.indexOf(close, start)
  return start === -1 || end === -1 ? undefined : text.slice(start + open.length, end)
}

const refusal = (status: number, body: Buffer): string =>
  `The exchange of tokens answered with status ${status}: ${body.toString('utf8', 0, 1000)}`

const serverError = (reason: string): FailureError =>
  new FailureError(failure('s3_snapshot_server_error', `The object store cannot be used: ${reason}.`))
