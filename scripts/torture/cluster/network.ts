import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Host } from '../../cluster/local-cluster.js'

/** Network namespaces need root, and Linux. */
export const canCutNetworks = process.platform === 'linux' && process.getuid?.() === 0

/** The address of nobody: what is sent to it vanishes without an error, as on a line that was cut. */
const NOBODY = '02:00:00:00:00:01'

const ip = (...args: readonly string[]): void => {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Machines with a network namespace each, on one bridge. This process is on the bridge as well. */
export class CutNetwork {
  readonly hosts: readonly Host[]
  private readonly bridge = `ft${process.pid}`
  private readonly prefix = `10.${200 + (process.pid % 50)}.${(process.pid >> 6) % 250}`
  private cuts: (readonly [from: number, to: number])[] = []

  private constructor(
    private readonly count: number,
    folder: string,
  ) {
    this.hosts = Array.from({ length: count }, (_, machine) => ({
      address: this.addressOf(machine),
      launcherOf: (program) => this.launcherOf(machine, program, folder),
    }))
  }

  static make(count: number, folder: string): CutNetwork {
    const network = new CutNetwork(count, folder)
    try {
      network.connect()
    } catch (error) {
      network.remove()
      throw error
    }
    return network
  }

  private connect(): void {
    ip('link', 'add', this.bridge, 'type', 'bridge')
    ip('addr', 'add', `${this.prefix}.254/24`, 'dev', this.bridge)
    ip('link', 'set', this.bridge, 'up')
    for (let machine = 0; machine < this.count; machine++) {
      const [space, cable] = [this.spaceOf(machine), `${this.bridge}-${machine}`]
      ip('netns', 'add', space)
      ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space)
      ip('link', 'set', cable, 'master', this.bridge, 'up')
      ip('-n', space, 'addr', 'add', `${this.addressOf(machine)}/24`, 'dev', 'eth0')
      ip('-n', space, 'link', 'set', 'eth0', 'up')
      ip('-n', space, 'link', 'set', 'lo', 'up')
    }
  }

  /** From now on nothing that one machine sends reaches the other. */
  cut(from: number, to: number): void {
    this.cuts.push([from, to])
    ip(...this.neighbour('replace', from, to), 'lladdr', NOBODY, 'nud', 'permanent')
  }

  heal(): void {
    for (const [from, to] of this.cuts) ip(...this.neighbour('del', from, to))
    this.cuts = []
  }

  remove(): void {
    for (let machine = 0; machine < this.count; machine++) attempt(() => ip('netns', 'del', this.spaceOf(machine)))
    attempt(() => ip('link', 'del', this.bridge))
  }

  private neighbour(action: string, from: number, to: number): string[] {
    return ['-n', this.spaceOf(from), 'neigh', action, this.addressOf(to), 'dev', 'eth0']
  }

  /** A file that runs a program in the namespace of a machine, in the same process. */
  private launcherOf(machine: number, program: string, folder: string): string {
    mkdirSync(folder, { recursive: true })
    const path = join(folder, `${basename(program)}-${machine + 1}`)
    const command = ['ip', 'netns', 'exec', this.spaceOf(machine), `'${program}'`].join(' ')
    writeFileSync(path, `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 })
    return path
  }

  private spaceOf(machine: number): string {
    return `${this.bridge}-${machine}`
  }

  private addressOf(machine: number): string {
    return `${this.prefix}.${machine + 1}`
  }
}

function attempt(work: () => void): void {
  try {
    work()
  } catch {
    // It was never made.
  }
}
