import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findNatsServer } from '../../src/cluster/nats-server/find.js'
import { freePorts } from '../../src/cluster/nats-server/free-ports.fixture.js'
import { NatsServer } from '../../src/cluster/nats-server/server.js'

/** The built server; another build can be tried without replacing it. */
export const CLI = process.env.FINDLING_CLI ?? join(import.meta.dirname, '../../dist/cli.js')
export const MASTER_KEY = 'a master key for this machine'

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, looked at by tests
  readonly body: any
}

/** Where a nats-server and a Findling run. */
export interface Host {
  readonly address: string
  /** The path of a program that runs another one there, with the same arguments. Default: the program itself. */
  readonly launcherOf?: (program: string) => string
}

const THIS_MACHINE: Host = { address: '127.0.0.1' }
const itself = (program: string): string => program

/** A Findling of the cluster as a child process. */
export class ClusterServer {
  /** How it ended when nobody had told it to. */
  readonly unexpectedEnds: string[] = []
  private child: ChildProcess | undefined
  private isToEnd = false

  constructor(
    readonly name: string,
    readonly port: number,
    readonly folder: string,
    readonly flags: readonly string[],
    private readonly host: Host = THIS_MACHINE,
  ) {}

  get url(): string {
    return `http://${this.host.address}:${this.port}`
  }

  /** Beside its folder: what it says shall not depend on room for data. */
  get logPath(): string {
    return `${this.folder}.log`
  }

  get pid(): number | undefined {
    return this.child?.pid
  }

  get isRunning(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null
  }

  async start(env: Readonly<Record<string, string>> = {}): Promise<void> {
    const { address, launcherOf = itself } = this.host
    mkdirSync(this.folder, { recursive: true })
    const log = openSync(this.logPath, 'a')
    const where = ['--db-path', 'data.ms', '--http-addr', `${address}:${this.port}`, '--master-key', MASTER_KEY]
    this.child = spawn(launcherOf(process.execPath), [CLI, ...where, '--no-analytics', ...this.flags], {
      cwd: this.folder,
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    this.isToEnd = false
    this.child.once('exit', (code, signal) => {
      if (!this.isToEnd) this.unexpectedEnds.push(`${code ?? signal} at ${new Date().toISOString()}`)
    })
    await once(this.child, 'spawn')
  }

  /** Until it says that it may be asked. */
  async ready(timeoutMs = 60_000): Promise<void> {
    const end = performance.now() + timeoutMs
    for (;;) {
      if (!this.isRunning) throw new Error(`${this.name} has ended: see ${this.logPath}`)
      const health = await this.request('GET', '/health').catch(() => undefined)
      if (health?.status === 200) return
      if (performance.now() > end) throw new Error(`${this.name} is not ready after ${timeoutMs} ms`)
      await sleep(50)
    }
  }

  async signal(signal: 'SIGTERM' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const { child } = this
    if (child === undefined || !this.isRunning) return
    const ends = signal === 'SIGTERM' || signal === 'SIGKILL'
    this.isToEnd ||= ends
    child.kill(signal)
    if (ends) await once(child, 'exit')
  }

  async request(method: string, path: string, body?: unknown, timeoutMs = 40_000): Promise<Answer> {
    const answer = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${MASTER_KEY}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: answer.status, body: await answer.json().catch(() => undefined) }
  }

  /** Until a task is finished; answers it. */
  async waitTask(uid: number, timeoutMs = 60_000): Promise<Answer['body']> {
    const end = performance.now() + timeoutMs
    for (;;) {
      const { body } = await this.request('GET', `/tasks/${uid}`)
      if (!['enqueued', 'processing'].includes(body.status)) return body
      if (performance.now() > end) throw new Error(`task ${uid} is still ${body.status} on ${this.name}`)
      await sleep(20)
    }
  }
}

export interface LocalClusterOptions {
  readonly folder: string
  readonly count?: number
  /** More options for every Findling. */
  readonly flags?: readonly string[]
  /** The machines they run on. Default: `count` times this one. */
  readonly hosts?: readonly Host[]
}

/** What runs on this machine and may be killed. */
export interface LocalSite {
  readonly nats: readonly NatsServer[]
  readonly servers: readonly ClusterServer[]
  start(): Promise<void>
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

/** nats-servers and Findlings on loopback. */
export class LocalCluster implements LocalSite {
  private constructor(
    readonly nats: readonly NatsServer[],
    readonly servers: readonly ClusterServer[],
  ) {}

  static async start(options: LocalClusterOptions): Promise<LocalCluster> {
    const cluster = await LocalCluster.prepare(options)
    await cluster.start()
    return cluster
  }

  /** Without starting anything. */
  static async prepare({ folder, count = 3, flags = [], hosts }: LocalClusterOptions): Promise<LocalCluster> {
    const machines = hosts ?? Array.from({ length: count }, () => THIS_MACHINE)
    const ports = await freePorts(4 * machines.length)
    const nats = await natsServersOn(machines, folder, ports.splice(machines.length))
    const log = [
      ...['--cluster-nats', nats.map(({ address }) => address).join(',')],
      ...['--cluster-nats-monitors', nats.map(({ monitor }) => monitor).join(',')],
      ...['--cluster-replicas', `${machines.length}`],
      // For documents that are divided among servers, whose addresses are private ones here.
      ...['--experimental-allowed-ip-networks', 'any'],
    ]
    const servers = machines.map((host, i) => {
      const name = `findling-${i + 1}`
      const port = ports[i]!
      const own = ['--cluster-name', 'demo', '--cluster-node-name', name]
      const url = ['--cluster-advertise-url', `http://${host.address}:${port}`]
      return new ClusterServer(name, port, join(folder, name), [...own, ...url, ...log, ...flags], host)
    })
    return new LocalCluster(nats, servers)
  }

  async start(): Promise<void> {
    await Promise.all(this.nats.map((server) => server.start()))
    await Promise.all(this.nats.map((server) => server.ready()))
    await Promise.all(this.servers.map((server) => server.start()))
    await Promise.all(this.servers.map((server) => server.ready()))
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    await Promise.all(this.servers.map((server) => server.signal(signal)))
    await Promise.all(this.nats.map((server) => server.signal(signal)))
  }
}

async function natsServersOn(
  machines: readonly Host[],
  folder: string,
  ports: readonly number[],
): Promise<NatsServer[]> {
  const binary = await findNatsServer()
  const count = machines.length
  const routes = machines.map(({ address }, i) => `${address}:${ports[i]}`)
  return machines.map(({ address, launcherOf = itself }, i) => {
    const name = `nats-${i + 1}`
    return new NatsServer(launcherOf(binary), {
      name,
      host: address,
      clusterName: 'findling',
      clusterPort: ports[i]!,
      clientPort: ports[count + i]!,
      monitorPort: ports[2 * count + i]!,
      routes: count === 1 ? [] : routes,
      folder: join(folder, name),
    })
  })
}
