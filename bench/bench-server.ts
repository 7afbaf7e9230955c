import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { CLI } from '../test/server.js'
import { Connection } from './http-client.js'
import { anonymousBytes, folderBytes, processorMs, residentBytes, watchMemory } from './process-figures.js'

const { start } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')).scripts as {
  readonly start: string
}

/** What `npm start` gives to Node before the program. */
const NODE_OPTIONS = start.split(' ').filter((word) => word.startsWith('--'))

/** Files that go have gone by then. */
const SETTLED_MS = 200

const IDLE_MS = 3000

interface OpenOptions {
  /** Of a server that runs already. */
  readonly url?: string | undefined
  readonly key?: string | undefined
  /** For a server that is started. */
  readonly flags?: readonly string[]
}

/** The server that is measured: one that was started for it, or one that runs already. */
export class BenchServer {
  private constructor(
    readonly url: string,
    readonly key: string | undefined,
    private readonly started: { readonly child: ChildProcess; readonly folder: string } | undefined,
  ) {}

  static async open({ url, key, flags = [] }: OpenOptions): Promise<BenchServer> {
    if (url !== undefined) return new BenchServer(url, key, undefined)
    const folder = mkdtempSync(join(tmpdir(), 'findling-bench-'))
    const address = `127.0.0.1:${await freePort()}`
    const needed = ['--db-path', join(folder, 'data.ms'), '--http-addr', address, '--log-level', 'ERROR']
    const child = spawn(process.execPath, [...NODE_OPTIONS, CLI, ...needed, '--no-analytics', ...flags], {
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    const server = new BenchServer(`http://${address}`, undefined, { child, folder })
    await server.ready()
    return server
  }

  /** One connection that is kept open. */
  connect(): Connection {
    return new Connection(this.url, this.key)
  }

  /**
   * Bytes of the data folder on disk, undefined for a server that was not started here. What was sent is deleted a moment
   * after its task has ended: waits until nothing changes any more.
   */
  async diskBytes(): Promise<number | undefined> {
    if (this.started === undefined) return undefined
    const path = join(this.started.folder, 'data.ms')
    let [before, bytes] = [-1, folderBytes(path)]
    while (bytes !== before) {
      await pause(SETTLED_MS)
      ;[before, bytes] = [bytes, folderBytes(path)]
    }
    return bytes
  }

  /** Resolves when the process has hardly worked for some seconds. */
  async idle(): Promise<void> {
    let [before, now] = [Number.NEGATIVE_INFINITY, this.processorMs()]
    while (now - before > IDLE_MS / 20) {
      await pause(IDLE_MS)
      ;[before, now] = [now, this.processorMs()]
    }
  }

  /** Zero for a server that was not started here. */
  private processorMs(): number {
    if (this.started === undefined) return 0
    return processorMs(this.started.child.pid!)
  }

  /** Memory of the process that is its own, without what it maps from files; undefined as above. */
  anonymousBytes(): number | undefined {
    return this.started && anonymousBytes(this.started.child.pid!)
  }

  /** All memory of the process, with the pages of files that it has touched. */
  residentBytes(): number | undefined {
    return this.started && residentBytes(this.started.child.pid!)
  }

  /** The largest memory of its own that is seen until `stop`, looked at every few milliseconds. */
  watchMemory(): { stop(): number | undefined } {
    return this.started ? watchMemory([this.started.child.pid!]) : { stop: () => undefined }
  }

  async close(): Promise<void> {
    if (this.started === undefined) return
    const { child, folder } = this.started
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await gone
    rmSync(folder, { recursive: true, force: true })
  }

  private async ready(): Promise<void> {
    for (let tries = 0; tries < 4000; tries++) {
      const connection = this.connect()
      const isUp = await connection.send('GET', '/health').then(
        () => true,
        () => false,
      )
      connection.close()
      if (isUp) return
      await pause(5)
    }
    throw new Error('the server did not start')
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
