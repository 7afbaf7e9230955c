import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { natsServerForTests } from '../../src/cluster/nats-server/cluster.fixture.js'
import { temporaryFolder } from '../../src/store/temporary.fixture.js'

const project = join(import.meta.dirname, '../..')
const nats = await natsServerForTests()

class Demo {
  readonly folder = temporaryFolder()
  readonly child: ChildProcess
  output = ''

  constructor(flags: readonly string[], env: NodeJS.ProcessEnv = {}) {
    this.child = spawn(process.execPath, ['--import', 'tsx', 'scripts/cluster-demo.ts', ...flags], {
      cwd: project,
      env: { ...process.env, TMPDIR: this.folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.child.stdout!, this.child.stderr!]) {
      stream.on('data', (bytes: Buffer) => (this.output += bytes.toString()))
    }
  }

  async said(text: string | RegExp): Promise<void> {
    while (this.output.search(text) < 0) await once(this.child.stdout!, 'data')
  }

  async ended(): Promise<number | null> {
    if (this.child.exitCode === null) await once(this.child, 'close')
    return this.child.exitCode
  }

  get pids(): number[] {
    return [...this.output.matchAll(/kill -9 (\d+)/g)].map(([, pid]) => Number(pid))
  }

  expectNothingLeft(processes: number): void {
    expect(readdirSync(this.folder).filter((name) => name.startsWith('findling-cluster-'))).toEqual([])
    expect(this.pids).toHaveLength(processes)
    expect(this.pids.filter(isRunning)).toEqual([])
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe.runIf(nats !== undefined)('npm run cluster-demo', () => {
  test('loads the films, shows the members and leaves nothing behind', async () => {
    const demo = new Demo(['--seconds', '5'])
    expect([await demo.ended(), demo.output]).toEqual([0, expect.stringContaining('films are in the index "films"')])
    expect(demo.output).toMatch(/^findling-3 +yes .* http:\/\/127\.0\.0\.1:\d+$/m)
    expect(demo.output).toMatch(/^Log 1 to \d+, .*; nats-\d leads, 3 of 3 replicas current$/m)
    demo.expectNothingLeft(6)
  }, 180_000)

  test('ends with Ctrl-C', async () => {
    const demo = new Demo([])
    await demo.said('Cluster demo, as findling-1 sees it')
    demo.child.kill('SIGINT')
    expect(await demo.ended()).toBe(0)
    demo.expectNothingLeft(6)
  }, 120_000)
})

test.runIf(nats !== undefined)(
  'npm run cluster-demo -- --shards 3 shows two servers with each film, and all films when one of them is killed',
  async () => {
    const demo = new Demo(['--shards', '3'])
    const server = (n: number, cells: string) => `findling-${n} +${cells}\\n`
    const own = '\\d+ +\\d+ +\\d+ +'
    await demo.said(new RegExp([1, 2, 3].map((n) => server(n, `${own}36273`)).join('')))
    process.kill(demo.pids[1]!, 'SIGKILL')
    await demo.said(new RegExp(`${server(1, `${own}36273`)}findling-2\\n${server(3, `${own}36273`)}`))
    demo.child.kill('SIGINT')
    expect(await demo.ended()).toBe(0)
    demo.expectNothingLeft(6)
  },
  180_000,
)

test('without nats-server it says what to install', async () => {
  const demo = new Demo([], { FINDLING_NATS_SERVER: '/nowhere/nats-server' })
  expect(await demo.ended()).toBe(1)
  expect(demo.output).toMatch(/^FINDLING_NATS_SERVER names no nats-server .*: install nats-server 2\.15 or later/)
})
