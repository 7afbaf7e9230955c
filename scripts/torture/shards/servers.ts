import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, type Task, TestServer } from '../../../test/server.js'

const KEY = 'a-master-key-of-some-length'
const FLAGS = ['--experimental-allowed-ip-networks', 'any']
const POLL_MS = 20
/** Longer than any change takes, kills included. */
const TASK_LIMIT_MS = 300_000

export const NAMES = ['a', 'b', 'c'] as const
export type Name = (typeof NAMES)[number]
export const LEADER = 'a'

export type ShardOwners = Readonly<Record<string, readonly Name[]>>

/** Servers that share an index, as processes of their own. The first of them leads. */
export class ShardServers {
  private constructor(private readonly servers: ReadonlyMap<Name, TestServer>) {}

  static async start(): Promise<ShardServers> {
    const options = { masterKey: KEY, flags: FLAGS, keepsPort: true }
    const started = NAMES.map(async (name) => {
      const server = await TestServer.start(options)
      await server.request('PATCH', '/experimental-features', { network: true })
      return [name, server] as const
    })
    return new ShardServers(new Map(await Promise.all(started)))
  }

  async close(): Promise<void> {
    await Promise.all([...this.servers.values()].map((server) => server.close()))
  }

  /** Undefined where it did not answer. */
  ask<Body>(name: Name, method: string, path: string, body?: unknown): Promise<Answer<Body> | undefined> {
    return this.servers
      .get(name)!
      .request<Body>(method, path, body)
      .catch(() => undefined)
  }

  /** A server may be killed at any moment: what it did not answer is asked again. */
  async insist<Body>(name: Name, method: string, path: string, body?: unknown): Promise<Body> {
    for (;;) {
      const answer = await this.ask<Body>(name, method, path, body)
      if (answer !== undefined && answer.status < 400) return answer.body
      if (answer !== undefined && answer.status < 500) throw new Error(`${method} ${path}: ${answer.text}`)
      await delay(POLL_MS)
    }
  }

  async kill(name: Name): Promise<void> {
    await this.servers.get(name)!.restart()
    for (const other of NAMES) if (other !== name) await this.forgive(other, name)
  }

  /** A server that did not answer is asked by another one again, and not after half a minute only. */
  async forgive(name: Name, remote: Name): Promise<void> {
    const message = { type: 'statusChangeForRemote', remote, status: 'available' }
    await this.ask(name, 'POST', '/network/control', { origin: { remoteName: LEADER, taskUid: 0 }, message })
  }

  /** Begins a change, which is awaited by `ended`. */
  async change(members: readonly Name[], shards: ShardOwners): Promise<number> {
    const remotes = members.map((name) => {
      return [name, { url: this.servers.get(name)!.url, searchApiKey: KEY, writeApiKey: KEY }] as const
    })
    const owners = Object.entries(shards).map(([name, owning]) => {
      return [name, owning.length === 0 ? null : { remotes: owning }] as const
    })
    const body = {
      self: LEADER,
      leader: LEADER,
      remotes: Object.fromEntries(remotes),
      shards: Object.fromEntries(owners),
    }
    return (await this.insist<{ taskUid: number }>(LEADER, 'PATCH', '/network', body)).taskUid
  }

  /** The task of the leader and those that it led to, when all of them have ended. */
  async ended(uid: number): Promise<Task[]> {
    const own = await this.endOf(LEADER, uid)
    const { remote_tasks } = own.network as { remote_tasks: Record<Name, { taskUid: number }> }
    const others = Object.entries(remote_tasks).map(([name, { taskUid }]) => this.endOf(name as Name, taskUid))
    return [own, ...(await Promise.all(others))]
  }

  /** When it has ended, and all others have heard of it. */
  private async endOf(name: Name, uid: number): Promise<Task> {
    const deadline = performance.now() + TASK_LIMIT_MS
    for (;;) {
      const task = await this.insist<Task>(name, 'GET', `/tasks/${uid}`)
      if (task.status !== 'enqueued' && task.status !== 'processing' && isHeard(task)) return task
      if (performance.now() > deadline) throw new Error(`task ${uid} of ${name} does not end: ${JSON.stringify(task)}`)
      await delay(POLL_MS)
    }
  }
}

function isHeard({ network }: Task): boolean {
  const { remote_tasks: others } = (network ?? {}) as { remote_tasks?: Record<string, { taskUid?: number }> }
  return Object.values(others ?? {}).every(({ taskUid }) => taskUid !== undefined)
}
