import type { ClusterView } from '../server/index.js'

/** What the person at the terminal can do something about. */
export class Refusal extends Error {}

/** The server that is asked. */
export interface Asked {
  readonly url: string
  readonly apiKey?: string
}

const ANSWER_MS = 10_000

export async function askForStatus(asked: Asked): Promise<ClusterView> {
  const answer = await ask(asked, 'GET', 'cluster')
  if (isForbidden(answer))
    throw new Refusal(`The server at ${asked.url} wants a key with the action cluster.get: give it with --api-key.`)
  const body: unknown = await answer.json().catch(() => undefined)
  if (!answer.ok || !isView(body)) throw unknownCluster(asked, answer)
  if (!body.enabled) throw new Refusal(`The server at ${asked.url} belongs to no cluster.`)
  return body
}

export async function askToRemove(asked: Asked, name: string): Promise<void> {
  const answer = await ask(asked, 'DELETE', `cluster/members/${encodeURIComponent(name)}`)
  if (isForbidden(answer)) throw new Refusal(`The server at ${asked.url} wants the master key: give it with --api-key.`)
  if (answer.ok) return
  const body = (await answer.json().catch(() => undefined)) as { message?: string } | undefined
  throw body?.message === undefined ? unknownCluster(asked, answer) : new Refusal(body.message)
}

async function ask({ url, apiKey }: Asked, method: string, path: string): Promise<Response> {
  if (!URL.canParse(url)) throw new Refusal(`--url: expected an absolute URL, found ${JSON.stringify(url)}.`)
  const address = new URL(path, url.endsWith('/') ? url : `${url}/`)
  const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
  return fetch(address, { method, headers, signal: AbortSignal.timeout(ANSWER_MS) }).catch((error: Error) => {
    throw new Refusal(`No server answers at ${url} (${reasonOf(error)}): name one with --url.`)
  })
}

const isForbidden = ({ status }: Response): boolean => status === 401 || status === 403

const unknownCluster = ({ url }: Asked, { status }: Response): Refusal =>
  new Refusal(`The server at ${url} does not know what a cluster is (${status}).`)

function isView(body: unknown): body is ClusterView | { readonly enabled: false } {
  return typeof body === 'object' && body !== null && 'enabled' in body
}

/** `fetch` hides why it failed in the cause. */
function reasonOf({ message, cause }: Error): string {
  return (cause as { code?: string } | undefined)?.code ?? message
}
