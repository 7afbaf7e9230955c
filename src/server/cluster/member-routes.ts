import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fail } from '../../errors/index.js'
import { FULL_ACCESS } from '../../state/index.js'
import { empty, stream } from '../answers/answer.js'
import type { ServerContext } from '../context.js'
import { type Outcome, type Route, route } from '../http/route.js'

let copies = 0

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
]

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
