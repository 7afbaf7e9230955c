import { fail } from '../../errors/index.js'
import { remoteOrigin } from '../../outbound/index.js'
import { shardOf } from '../../sharding/index.js'
import { jsonText } from '../answers/answer.js'
import type { ServerContext } from '../context.js'
import type { Outcome } from '../http/route.js'

type Asking = Pick<ServerContext, 'network' | 'outbound'>

/** Says that another server of the cluster asks, which is not to be sent on. */
export const OWNER_HEADER = 'findling-owner'

const TIMEOUT_MS = 10_000
const MAX_ANSWER_BYTES = 128 << 20

/** Asks a server that owns the shard of a document, as this one was asked. Undefined where this server owns it itself. */
export async function askOwner(documentId: string, path: string, context: Asking): Promise<Outcome | undefined> {
  const { network, outbound } = context
  const { self, shards, remotes, away } = network.forSearch()
  if (shards === null) return undefined
  const owners = shards.get(shardOf([...shards.keys()], documentId)) ?? []
  if (self !== null && owners.includes(self)) return undefined
  for (const owner of [...owners].sort((a, b) => Number(away.includes(a)) - Number(away.includes(b)))) {
    const remote = remotes.get(owner)
    const origin = remote && remoteOrigin(remote.url)
    if (origin === undefined) continue
    const key = remote?.searchApiKey ?? null
    const answered = await outbound.request({
      method: 'GET',
      url: origin + path,
      headers: [[OWNER_HEADER, 'true'], ...(key === null ? [] : ([['Authorization', `Bearer ${key}`]] as const))],
      timeoutMs: TIMEOUT_MS,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      followRedirects: false,
    })
    if (answered.ok && answered.value.status < 500) return jsonText(answered.value.status, answered.value.body)
  }
  return fail('cluster_unavailable', 'No server that owns the shard of this document answers.')
}
