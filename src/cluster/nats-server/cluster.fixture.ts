import { join } from 'node:path'
import { atEnd } from '../../store/at-end.fixture.js'
import { temporaryFolder } from '../../store/temporary.fixture.js'
import type { NatsServerOptions } from './config.js'
import { findNatsServer, NatsServerMissing } from './find.js'
import { freePorts } from './free-ports.fixture.js'
import { NatsServer } from './server.js'

/** Undefined, and said so, where there is none: tests that need it are skipped. */
export async function natsServerForTests(): Promise<string | undefined> {
  try {
    return await findNatsServer()
  } catch (error) {
    if (!(error instanceof NatsServerMissing)) throw error
    process.stderr.write(`Tests with nats-server are skipped. ${error.message}\n`)
    return undefined
  }
}

/** Enough where tests run beside others. */
const READY_MS = 60_000

export interface ClusterOptions extends Pick<NatsServerOptions, 'lazySync' | 'authorization' | 'tls'> {
  readonly count?: number
}

/** nats-servers on loopback that are ended with the tests of the file. */
export class NatsCluster {
  private constructor(readonly servers: readonly NatsServer[]) {}

  static async start(binary: string, { count = 3, ...more }: ClusterOptions = {}): Promise<NatsCluster> {
    const ports = await freePorts(3 * count)
    const routes = ports.slice(0, count).map((port) => `127.0.0.1:${port}`)
    const folder = temporaryFolder()
    const servers = routes.map((_, i) => {
      const name = `n${i + 1}`
      return new NatsServer(binary, {
        name,
        clusterName: 'test',
        clusterPort: ports[i]!,
        clientPort: ports[count + i]!,
        monitorPort: ports[2 * count + i]!,
        routes: count === 1 ? [] : routes,
        folder: join(folder, name),
        ...more,
      })
    })
    const cluster = new NatsCluster(servers)
    atEnd(() => cluster.killAll())
    await Promise.all(servers.map((server) => server.start()))
    await cluster.ready()
    return cluster
  }

  get addresses(): string[] {
    return this.servers.map(({ address }) => address)
  }

  get monitors(): string[] {
    return this.servers.map(({ monitor }) => monitor)
  }

  named(name: string | undefined): NatsServer {
    const found = this.servers.find((server) => server.name === name)
    if (found === undefined) throw new Error(`no server is called ${name}`)
    return found
  }

  others(name: string | undefined): NatsServer[] {
    return this.servers.filter((server) => server.name !== name)
  }

  async ready(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.ready(READY_MS)))
  }

  /** Starts what is not running, lets go on what is stopped, and waits until all have caught up. */
  async heal(): Promise<void> {
    for (const server of this.servers) {
      await server.signal('SIGCONT')
      if (!server.isRunning) await server.start()
    }
    await this.ready()
  }

  async killAll(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.signal('SIGKILL')))
  }
}
