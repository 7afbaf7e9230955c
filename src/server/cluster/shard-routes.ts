import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '../../errors/index.js'
import { arrayOf, object, required, type Shape, text, uint, uint32 } from '../../shape/index.js'
import { FULL_ACCESS, readProxyHeaders } from '../../state/index.js'
import type { Ballot, TaskQueue } from '../../tasks/index.js'
import { empty, stream } from '../answers/answer.js'
import type { RawBody } from '../http/body.js'
import { type JoinedSignal, joinedSignal } from '../http/joined-signal.js'
import { DOCUMENT_TYPES } from '../http/media-type.js'
import { type Call, jsonBody, type Outcome, type Route, rawBody, route } from '../http/route.js'
import type { ClusterShares } from '../shards/cluster-shares.js'

const field = <T>(shape: Shape<T>) => required(shape, 'bad_request', 'bad_request')

/** See `Ballot`. */
const ballot = object({
  id: field(text),
  kind: field(text),
  tasks: field(arrayOf(uint32)),
  batchUid: field(uint32),
  startedAt: field(text),
  strategy: field(text),
  after: field(uint),
  registered: field(uint),
})

/** Names all tasks of a batch. */
const MAX_BALLOT_BYTES = 64 << 20

/** What servers that divide documents among them ask each other, with the master key that they share. */
export const shardRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/cluster/ballots',
    action: 'snapshots.create',
    body: jsonBody(ballot, MAX_BALLOT_BYTES),
    handle({ auth, body, signal, context: { shares, tasks, closing } }) {
      if (auth !== FULL_ACCESS) return fail('invalid_api_key')
      if (shares === undefined) return empty(404)
      const chunks = votes({ shares, tasks, until: joinedSignal([signal, closing]) }, body as Ballot)
      return stream({ status: 200, chunks, contentType: 'application/json', isPlain: true })
    },
  }),

  route({
    method: 'POST',
    path: '/cluster/indexes/{index_uid}/documents',
    action: 'snapshots.create',
    body: rawBody(DOCUMENT_TYPES),
    handle: (call) => (call.auth === FULL_ACCESS ? takeDocuments(call) : fail('invalid_api_key')),
  }),
]

const STILL_THERE_MS = 2_000

interface Voting {
  readonly shares: ClusterShares
  readonly tasks: TaskQueue
  /** The end of the request, or of the server. */
  readonly until: JoinedSignal
}

/**
 * Blank lines until there is a vote, and then as long as what was prepared is held: see `BatchLoop.vote`. The end of the
 * connection says that it is not.
 */
async function* votes({ shares, tasks, until }: Voting, ballot: Ballot): AsyncGenerator<string, void, void> {
  const { signal, release } = until
  const held = tasks.vote(ballot, signal)
  const ended = Promise.race([aborted(signal), held.released]).then(() => undefined)
  const vote = held.vote.then((cast) => `${JSON.stringify(shares.isComplete ? cast : { ...cast, isPartial: true })}\n`)
  vote.catch(() => {})
  const next = (awaited: readonly Promise<string>[]): Promise<string | undefined> =>
    Promise.race([ended, ...awaited, sleep(STILL_THERE_MS, '\n', { ref: false })])
  let said: string | undefined = '\n'
  try {
    for (; said === '\n'; said = await next([vote])) yield said
    for (; said !== undefined; said = await next([])) yield said
  } finally {
    release()
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Documents of a shard that this server is to own. */
async function takeDocuments(call: Call<{ readonly index_uid: string }, unknown, RawBody>): Promise<Outcome> {
  const { headers, params, body, context } = call
  const proxy = readProxyHeaders(headers)
  if (!proxy.ok) return proxy
  const { shares, tasks, bodies } = context
  const { origin, import: handed } = proxy.value ?? {}
  if (shares === undefined || origin === undefined || handed === undefined) return empty(404)
  const receiver = tasks.receivePayload()
  try {
    const received = await bodies.receive({ name: 'ndjson' }, body, receiver)
    if (!received.ok) return received
    const payload = await receiver.finish()
    const admitted = shares.admits(origin)
    if (!admitted.ok) return admitted
    const source = payload.place === 'file' ? { path: tasks.payloadPath(payload.name) } : { bytes: payload.content }
    const taken = await shares.take(params.index_uid, source, handed)
    return taken.ok ? empty(204) : taken
  } finally {
    await receiver.discard()
  }
}
