import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from '../../src/cluster/nats-server/free-ports.fixture.js'
import { type ShardsOfServers, spread } from './divide-documents.js'
import { ClusterServer, type LocalSite, MASTER_KEY } from './local-cluster.js'

const POLL_MS = 20

export interface LocalNetworkOptions {
  readonly folder: string
  /** Servers, and shards: as many as there are servers by default. */
  readonly count?: number
  readonly shards?: number
  /** Servers that have each shard. */
  readonly owners?: number
  /** More options for every Findling, and its environment. */
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** Findlings on loopback that share each index: the first one leads. */
export class LocalNetwork implements LocalSite {
  readonly nats = []

  private constructor(
    readonly servers: readonly ClusterServer[],
    readonly shards: ShardsOfServers,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  static async start(options: LocalNetworkOptions): Promise<LocalNetwork> {
    const network = await LocalNetwork.prepare(options)
    await network.start()
    return network
  }

  /** Without starting anything. */
  static async prepare(options: LocalNetworkOptions): Promise<LocalNetwork> {
    const { folder, count = 3, shards = count, owners = 2, flags = [], env = {} } = options
    const reachable = ['--experimental-allowed-ip-networks', '127.0.0.0/8']
    const servers = (await freePorts(count)).map((port, i) => {
      const name = `findling-${i + 1}`
      return new ClusterServer(name, port, join(folder, name), [...reachable, ...flags])
    })
    const names = servers.map(({ name }) => name)
    return new LocalNetwork(servers, spread(names, shards, owners), env)
  }

  get leader(): ClusterServer {
    return this.servers[0]!
  }

  async start(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.start(this.env)))
    await Promise.all(this.servers.map((server) => server.ready()))
    for (const server of this.servers) await accepted(server, 'PATCH', '/experimental-features', { network: true })
    const remotes = Object.fromEntries(
      this.servers.map(({ name, url }) => [name, { url, searchApiKey: MASTER_KEY, writeApiKey: MASTER_KEY }]),
    )
    const { name } = this.leader
    const body = { self: name, leader: name, remotes, shards: this.shards }
    const { taskUid } = await accepted(this.leader, 'PATCH', '/network', body)
    await this.finished(taskUid)
  }

  /** Until a task of the leader is done there and on all others. Throws when it did not succeed. */
  async finished(taskUid: number): Promise<void> {
    const { status, error } = await this.leader.waitTask(taskUid, Number.POSITIVE_INFINITY)
    if (status !== 'succeeded') throw new Error(`task ${taskUid} ${status}: ${JSON.stringify(error)}`)
    await Promise.all(this.servers.slice(1).map((server) => this.finishedAt(server, taskUid)))
  }

  private async finishedAt(server: ClusterServer, taskUid: number): Promise<void> {
    for (;;) {
      const { body } = await this.leader.request('GET', `/tasks/${taskUid}`)
      const there = body.network?.remote_tasks[server.name]?.taskUid
      if (there !== undefined) return void (await server.waitTask(there, Number.POSITIVE_INFINITY))
      await sleep(POLL_MS)
    }
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    await Promise.all(this.servers.map((server) => server.signal(signal)))
  }
}

async function accepted(server: ClusterServer, method: string, path: string, sent: object) {
  const { status, body } = await server.request(method, path, sent)
  if (status >= 300) throw new Error(`${method} ${path} was answered ${status}: ${JSON.stringify(body)}`)
  return body
}
