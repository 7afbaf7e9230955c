import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { askMonitor } from '../monitor/ask-monitor.js'
import { NATS_LOG, type NatsServerOptions, natsServerConfig } from './config.js'

const POLL_MS = 50

const FIRST_WORDS = 'nats-server.err'

/**
 * A nats-server as a child process. What it has to say is in `nats-server.log` in its folder; why it could not begin, in
 * `nats-server.err`.
 */
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
    return this.child?.pid !== undefined && this.child.exitCode === null && this.child.signalCode === null
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
    // There may be a password in it.
    await writeFile(this.configFile, natsServerConfig(this.options), { mode: 0o600 })
    // What it says before it opens its log.
    const log = await open(join(folder, FIRST_WORDS), 'w')
    try {
      const argv = ['--config', this.configFile, '--pid', this.pidFile]
      this.child = spawn(this.binary, argv, { stdio: ['ignore', log.fd, log.fd] })
      await once(this.child, 'spawn')
    } finally {
      await log.close()
    }
  }

  /** Resolves once it answers that it has caught up with its cluster. */
  async ready(timeoutMs = 30_000): Promise<void> {
    const end = performance.now() + timeoutMs
    while (!(await this.isHealthy())) {
      if (!this.isRunning)
        throw new Error(`nats-server ${this.name} has ended: see ${NATS_LOG} and ${FIRST_WORDS} in its folder`)
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

  /** Resolves when the process is gone. */
  async ended(): Promise<void> {
    if (this.child !== undefined && this.isRunning) await once(this.child, 'exit')
  }

  /** Ends a process that an earlier run left behind, which would keep ports and folder. Needs Linux. */
  async endFormer(): Promise<void> {
    const pid = Number(await readFile(this.pidFile, 'utf8').catch(() => ''))
    while (pid > 0 && (await isRunOf(pid, this.configFile))) {
      process.kill(pid, 'SIGTERM')
      await sleep(POLL_MS)
    }
  }

  /** Hands its leaderships over and ends. */
  stop(): Promise<void> {
    return this.signal('SIGTERM')
  }

  private get configFile(): string {
    return join(this.options.folder, 'nats-server.conf')
  }

  private get pidFile(): string {
    return join(this.options.folder, 'nats-server.pid')
  }

  private get host(): string {
    return this.options.host ?? '127.0.0.1'
  }

  private async isHealthy(): Promise<boolean> {
    return (await askMonitor(`${this.monitor}/healthz`, { timeoutMs: 1_000, tls: this.options.tls }))?.status === 200
  }
}

/** Numbers of processes are used again, so its arguments have to say what it is. */
async function isRunOf(pid: number, configFile: string): Promise<boolean> {
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return line.split('\0').includes(configFile)
}
