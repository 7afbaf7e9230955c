import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { askMonitor } from '../monitor/ask-monitor.js'
import { type NatsServerOptions, natsServerConfig } from './config.js'

const POLL_MS = 50

/** A nats-server as a child process. What it has to say goes to `nats-server.log` in its folder. */
export class NatsServer {
  private child: ChildProcess | undefined

  constructor(
    private readonly binary: string,
    readonly options: NatsServerOptions,
  ) {}

  get name(): string {
    return this.options.name
  }

  get pid(): number | undefined {
    return this.child?.pid
  }

  get isRunning(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null
  }

  /** `host:port` for clients. */
  get address(): string {
    return `${this.host}:${this.options.clientPort}`
  }

  get monitor(): string {
    return `${this.options.tls === undefined ? 'http' : 'https'}://${this.host}:${this.options.monitorPort}`
  }

  async start(): Promise<void> {
    const { folder } = this.options
    await mkdir(folder, { recursive: true })
    const configFile = join(folder, 'nats-server.conf')
    await writeFile(configFile, natsServerConfig(this.options))
    const log = await open(join(folder, 'nats-server.log'), 'a')
    try {
      this.child = spawn(this.binary, ['--config', configFile], { stdio: ['ignore', log.fd, log.fd] })
      await once(this.child, 'spawn')
    } finally {
      await log.close()
    }
  }

  /** Resolves once it answers that it has caught up with its cluster. */
  async ready(timeoutMs = 30_000): Promise<void> {
    const end = performance.now() + timeoutMs
    while (!(await this.isHealthy())) {
      if (!this.isRunning) throw new Error(`nats-server ${this.name} has ended: see nats-server.log in its folder`)
      if (performance.now() > end) throw new Error(`nats-server ${this.name} is not ready after ${timeoutMs} ms`)
      await sleep(POLL_MS)
    }
  }

  /** Sends a signal; resolves when the process is gone, at once for signals that do not end it. */
  async signal(signal: 'SIGTERM' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const { child } = this
    if (child === undefined || !this.isRunning) return
    child.kill(signal)
    if (signal === 'SIGTERM' || signal === 'SIGKILL') await once(child, 'exit')
  }

  /** Hands its leaderships over and ends. */
  stop(): Promise<void> {
    return this.signal('SIGTERM')
  }

  private get host(): string {
    return this.options.host ?? '127.0.0.1'
  }

  private async isHealthy(): Promise<boolean> {
    return (await askMonitor(`${this.monitor}/healthz`, { timeoutMs: 1_000, tls: this.options.tls }))?.status === 200
  }
}
