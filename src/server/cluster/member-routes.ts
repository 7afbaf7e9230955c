import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '../../errors/index.js'
import { toPlain } from '../../json/index.js'
import { anyJson } from '../../shape/index.js'
import { FULL_ACCESS, readProxyHeaders } from '../../state/index.js'
import type { Ballot, TaskQueue } from '../../tasks/index.js'
import { empty, stream } from '../answers/answer.js'
import type { ServerContext } from '../context.js'
import type { RawBody } from '../http/body.js'
import { DOCUMENT_TYPES } from '../http/media-type.js'
import { type Call, jsonBody, type Outcome, type Route, rawBody, route } from '../http/route.js'
import type { ClusterShares } from '../shards/cluster-shares.js'

let copies = 0

/** Names all tasks of a batch. */
const MAX_BALLOT_BYTES = 64 << 20

/** What servers of a cluster ask each other, with the master key that they share. No part of the interface. */
export const memberRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/cluster/copy',
    action: 'snapshots.create',
    handle: ({ auth, context }) => (auth === FULL_ACCESS ? copyOf(context) : fail('invalid_api_key')),
  }),

  route({
    method: 'DELETE',
    path: '/cluster/members/{name}',
    action: 'snapshots.create',
    async handle({ auth, params, context: { cluster } }) {
      if (auth !== FULL_ACCESS) return fail('invalid_api_key')
      if (cluster === undefined) return empty(404)
      const isRemoved = await cluster.removeMember(params.name)
      return isRemoved ? empty(204) : fail('bad_request', `The server "${params.name}" is running: stop it first.`)
    },
  }),

  route({
    method: 'POST',
    path: '/cluster/ballots',
    action: 'snapshots.create',
    body: jsonBody(anyJson, MAX_BALLOT_BYTES),
    handle({ auth, body, signal, context: { shares, tasks } }) {
      if (auth !== FULL_ACCESS) return fail('invalid_api_key')
      if (shares === undefined) return empty(404)
      const chunks = votes({ shares, tasks, signal }, toPlain(body) as Ballot)
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
  /** Of the request. */
  readonly signal: AbortSignal
}

/** Blank lines until there is a vote. The batch stays prepared as long as the connection does: see `BatchLoop.vote`. */
async function* votes({ shares, tasks, signal }: Voting, ballot: Ballot): AsyncGenerator<string, void, void> {
  const vote = tasks.vote(ballot, signal).then((cast) => {
    return `${JSON.stringify(shares.isComplete ? cast : { ...cast, isPartial: true })}\n`
  })
  const pause = () => sleep(STILL_THERE_MS, '\n', { ref: false })
  for (let said = '\n'; said === '\n'; ) {
    said = await Promise.race([vote, pause()])
    yield said
  }
  while (!signal.aborted) yield await pause()
}

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

/** All data of this server, as of one place in the log. */
async function copyOf({ cluster, tasks, backups, config }: ServerContext): Promise<Outcome> {
  // As a server of its own answers for what it does not know.
  if (cluster === undefined) return empty(404)
  const path = join(config.backups.snapshotsPath, `copy-${process.pid}-${++copies}`)
  await tasks.betweenBatches(async (there) => {
    await cluster.fetchPayloads(tasks.waiting())
    await backups.copyTo(path, there)
  })
  return stream({ status: 200, chunks: readAndRemove(path), contentType: 'application/octet-stream', isPlain: true })
}

async function* readAndRemove(path: string): AsyncIterable<Uint8Array> {
  try {
    yield* createReadStream(path, { highWaterMark: 1 << 20 })
  } finally {
    await rm(path, { force: true })
  }
}
