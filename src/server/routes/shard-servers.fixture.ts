import { type IndexServer, startIndexServer } from '../index-server.fixture.js'
import { MASTER_KEY } from '../test-server.fixture.js'
import { type Line, openLine } from './line.fixture.js'

/** Servers that share indexes, by their names, and one that has all documents. */
export interface ShardServers {
  readonly servers: ReadonlyMap<string, IndexServer>
  readonly whole: IndexServer
  /** How the others reach each server. */
  readonly lines: ReadonlyMap<string, Line>
  /** Sends the same to all of them, and waits for the ends of the tasks. */
  done(method: string, path: string, body: object): Promise<void>
}

/** Each server is told by itself, as by the leader of the network: then it does not tell the others. */
const forwarded = (taskUid: number) => ({
  'X-Meili-Proxy-Origin-Remote': 'a',
  'X-Meili-Proxy-Origin-TaskUid': String(taskUid),
})

/** `owners` names the servers of each shard, one letter each. */
export async function startShardServers(owners: Record<string, string>, executor = {}): Promise<ShardServers> {
  const names = [...new Set(Object.values(owners).join(''))].sort()
  const shards = new Map(Object.entries(owners).map(([shard, servers]) => [shard, [...servers]]))
  const whole = await startIndexServer()
  const servers = new Map<string, IndexServer>()
  for (const name of names) {
    servers.set(name, await startIndexServer({ executor }))
  }
  const lines = new Map<string, Line>()
  for (const [name, { port }] of servers) lines.set(name, await openLine(port))
  const remotes = new Map(
    Array.from(lines, ([name, { port }]) => [
      name,
      { url: `http://127.0.0.1:${port}`, searchApiKey: MASTER_KEY, writeApiKey: null },
    ]),
  )
  for (const [self, { context }] of servers) {
    const network = { self, remotes, shards, leader: names[0]!, version: '00000000-0000-7000-8000-000000000000' }
    Object.defineProperty(context.network, 'current', { get: () => network })
    Object.defineProperty(context.network, 'inForce', { get: () => network })
    await context.features.change({ network: true })
  }
  await whole.context.features.change({ network: true })
  let taskUid = 0
  return {
    servers,
    whole,
    lines,
    async done(method, path, body) {
      const sent = { body, headers: forwarded(taskUid++) }
      await Promise.all([...servers.values()].map((server) => server.done(method, path, sent)))
      await whole.done(method, path, { body })
    },
  }
}
