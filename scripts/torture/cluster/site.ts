import { execFileSync } from 'node:child_process'
import { closeSync, cpSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { NatsServer } from '../../../src/cluster/nats-server/server.js'
import { type ClusterServer, LocalCluster } from '../../cluster/local-cluster.js'
import { canMountDisk } from '../disk.js'
import { CutNetwork } from './network.js'

/** A nats-server and a Findling that share their fate. */
export interface Machine {
  readonly nats: NatsServer
  readonly findling: ClusterServer
  /** Of the Findling, from its next start on. */
  env: Readonly<Record<string, string>>
}

/** Names of a nats-server and of a Findling. */
export interface Roles {
  readonly leader?: string
  readonly coordinator?: string
}

export interface SiteOptions {
  readonly folder: string
  /** Machines with networks that can be cut. */
  readonly hasCuts: boolean
  /** The last machine has a small disk. */
  readonly hasSmallDisk: boolean
}

const COUNT = 3
const DISK_BYTES = 2 ** 29
const READY_MS = 120_000

/** Three machines, and what can be done to them beside signals. */
export class Site {
  private constructor(
    readonly machines: readonly Machine[],
    readonly network: CutNetwork | undefined,
    /** Where the small disk is mounted. */
    private readonly disk: string | undefined,
  ) {}

  static async start({ folder, hasCuts, hasSmallDisk }: SiteOptions): Promise<Site> {
    const network = hasCuts ? CutNetwork.make(COUNT, join(folder, 'launchers')) : undefined
    const cluster = await LocalCluster.prepare({ folder, ...(network && { hosts: network.hosts }) })
    const machines = cluster.nats.map((nats, i) => ({ nats, findling: cluster.servers[i]!, env: {} }))
    const disk = hasSmallDisk && canMountDisk ? machines[COUNT - 1]!.findling.folder : undefined
    if (disk !== undefined) mount(disk)
    const site = new Site(machines, network, disk)
    try {
      await site.repair()
      await site.ready()
      return site
    } catch (error) {
      await site.remove()
      throw error
    }
  }

  get servers(): readonly ClusterServer[] {
    return this.machines.map(({ findling }) => findling)
  }

  get hasSmallDisk(): boolean {
    return this.disk !== undefined
  }

  /** Until nothing more can be written. */
  fillDisk(): void {
    const file = openSync(this.ballast, 'w')
    try {
      for (;;) writeSync(file, PIECE)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    } finally {
      closeSync(file)
    }
  }

  /** Ends whatever was done: starts what does not run, and lets go on what was stopped. */
  async repair(): Promise<void> {
    if (this.disk !== undefined) rmSync(this.ballast, { force: true })
    this.network?.heal()
    for (const { nats, findling, env } of this.machines) {
      await nats.signal('SIGCONT')
      await findling.signal('SIGCONT')
      if (!nats.isRunning) await nats.start()
      if (!findling.isRunning) await findling.start(env)
    }
  }

  /** Until all may be asked. */
  async ready(): Promise<void> {
    await Promise.all(this.machines.map(({ nats }) => nats.ready(READY_MS)))
    await Promise.all(this.servers.map((server) => server.ready(READY_MS)))
  }

  /** Who has which part to play at this instant, as far as anybody says. */
  async roles(): Promise<Roles> {
    const [leader, coordinator] = await Promise.all([this.leader(), this.coordinator()])
    return { ...(leader && { leader }), ...(coordinator && { coordinator }) }
  }

  private async leader(): Promise<string | undefined> {
    for (const { nats } of this.machines) {
      const answer = await fetch(`${nats.monitor}/jsz?streams=true`, { signal: AbortSignal.timeout(500) })
        .then((response) => response.json() as Promise<StreamReport>)
        .catch(() => undefined)
      const streams = answer?.account_details?.flatMap(({ stream_detail = [] }) => stream_detail) ?? []
      const leader = streams.find(({ name }) => name === 'demo')?.cluster?.leader
      if (leader) return leader
    }
    return undefined
  }

  private async coordinator(): Promise<string | undefined> {
    for (const server of this.servers) {
      const answer = await server.request('GET', '/cluster', undefined, 500).catch(() => undefined)
      if (typeof answer?.body?.coordinator === 'string') return answer.body.coordinator
    }
    return undefined
  }

  /** Ends all processes; the small disk stays. */
  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await Promise.all(this.servers.map((server) => server.signal(signal)))
    await Promise.all(this.machines.map(({ nats }) => nats.signal(signal)))
  }

  /** What the small disk holds stays, beside it. */
  async keep(): Promise<void> {
    await this.stop('SIGKILL')
    if (this.disk === undefined) return
    rmSync(this.ballast, { force: true })
    cpSync(this.disk, `${this.disk}-kept`, { recursive: true })
  }

  async remove(): Promise<void> {
    await this.stop('SIGKILL')
    this.network?.remove()
    if (this.disk !== undefined) execFileSync('umount', ['-l', this.disk])
  }

  private get ballast(): string {
    return join(this.disk!, 'ballast')
  }
}

const PIECE = Buffer.alloc(1 << 20)

interface StreamReport {
  readonly account_details?: readonly {
    readonly stream_detail?: readonly { readonly name: string; readonly cluster?: { readonly leader?: string } }[]
  }[]
}

function mount(folder: string): void {
  mkdirSync(folder, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', folder])
}
