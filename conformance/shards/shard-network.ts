import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, type Task, TestServer } from '../../test/server.js'

/** Servers that share the documents of all indexes, one shard each. The first leads. */
export class ShardNetwork {
  private constructor(readonly servers: readonly TestServer[]) {}

  /** `flags` are more of the command line of each. */
  static async start(count: number, masterKey?: string, flags: readonly string[] = []): Promise<ShardNetwork> {
    const given = [...flags, '--experimental-allowed-ip-networks', 'any']
    const options = { ...(masterKey === undefined ? {} : { masterKey }), flags: given }
    const servers = await Promise.all(Array.from({ length: count }, () => TestServer.start(options)))
    const network = new ShardNetwork(servers)
    await network.join(masterKey)
    return network
  }

  get leader(): TestServer {
    return this.servers[0]!
  }

  /** Whether a task of the leader has ended on all servers. */
  async isOver(uid: number): Promise<boolean> {
    const { body } = await this.leader.request<SharedTask>('GET', `/tasks/${uid}`)
    if (isUnfinished(body)) return false
    const others = this.servers.slice(1).map((server, i) => {
      const there = body.network?.remote_tasks?.[nameOf(i + 1)]
      if (there === undefined) return body.network === undefined
      return there.taskUid === undefined ? there.error != null : isOverOn(server, there.taskUid)
    })
    return (await Promise.all(others)).every(Boolean)
  }

  /** What became of a task of the leader on the other servers. */
  async tasksElsewhere(uid: number): Promise<Task[]> {
    const { body } = await this.leader.request<SharedTask>('GET', `/tasks/${uid}`)
    const others = this.servers.slice(1).map(async (server, i) => {
      const taskUid = body.network?.remote_tasks?.[nameOf(i + 1)]?.taskUid
      return taskUid === undefined ? [] : [(await server.request<Task>('GET', `/tasks/${taskUid}`)).body]
    })
    return (await Promise.all(others)).flat()
  }

  /** Sends a write to the leader, and waits until it has succeeded everywhere. */
  async run(method: string, path: string, body: unknown): Promise<void> {
    await this.succeeded(`${method} ${path}`, await this.leader.request<{ taskUid: number }>(method, path, body))
  }

  /** Leaves nothing running behind, be there no time to wait. */
  kill(): void {
    for (const { pid, isRunning } of this.servers) if (isRunning) process.kill(pid, 'SIGKILL')
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.close()))
  }

  private async join(masterKey: string | undefined): Promise<void> {
    for (const server of this.servers) await server.request('PATCH', '/experimental-features', { network: true })
    const key = masterKey === undefined ? {} : { searchApiKey: masterKey, writeApiKey: masterKey }
    const named = this.servers.map(({ url }, i) => [nameOf(i), { url, ...key }] as const)
    const shards = this.servers.map((_, i) => [`shard-${i}`, { remotes: [nameOf(i)] }] as const)
    await this.run('PATCH', '/network', {
      self: nameOf(0),
      leader: nameOf(0),
      remotes: Object.fromEntries(named),
      shards: Object.fromEntries(shards),
    })
  }

  private async succeeded(what: string, { status, text, body }: Answer<{ taskUid: number }>): Promise<void> {
    if (status !== 202) throw new Error(`${what}: ${text}`)
    while (!(await this.isOver(body.taskUid))) await delay(10)
    const { body: task } = await this.leader.request<Task>('GET', `/tasks/${body.taskUid}`)
    if (task.status !== 'succeeded') throw new Error(`${what}: ${task.status} ${JSON.stringify(task.error)}`)
  }
}

const nameOf = (place: number): string => `server-${place}`

/** What the leader tells of a task that others have too. */
interface SharedTask extends Task {
  readonly network?: {
    readonly remote_tasks?: Readonly<Record<string, { readonly taskUid?: number; readonly error?: unknown }>>
  }
}

const isUnfinished = ({ status }: Task): boolean => status === 'enqueued' || status === 'processing'

/** Waits until a task has ended: on a busy machine that may take a while. */
export async function ended(server: TestServer, uid: number): Promise<Task> {
  for (;;) {
    const { body } = await server.request<Task>('GET', `/tasks/${uid}`)
    if (!isUnfinished(body)) return body
    await delay(10)
  }
}

async function isOverOn(server: TestServer, uid: number): Promise<boolean> {
  const { body } = await server.request<Task>('GET', `/tasks/${uid}`)
  return !isUnfinished(body)
}
