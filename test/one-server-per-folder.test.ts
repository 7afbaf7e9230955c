import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { CLI, refusedStart, TestServer } from './server.js'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

/** Without one there would be a warning beside the sentence. */
const masterKey = 'a master key of some length'
const FLAGS = ['--db-path', 'data.ms', '--no-analytics', '--master-key', masterKey]

async function startServer(): Promise<TestServer> {
  const server = await TestServer.start({ masterKey })
  cleanups.push(() => server.close())
  return server
}

const DOCUMENTS = 3000

/** Documents of one task; each task is a batch of its own, with a payload that waits in a file. */
function documents(task: number): unknown[] {
  return Array.from({ length: DOCUMENTS }, (_, i) => ({ id: task * DOCUMENTS + i, title: `word${i} of task ${task}` }))
}

async function addAll(server: TestServer, from: number, to: number): Promise<number[]> {
  const uids: number[] = []
  for (let task = from; task < to; task++) {
    const { status, body } = await server.request<{ taskUid: number }>('POST', '/indexes/a/documents', documents(task))
    expect(status).toBe(202)
    uids.push(body.taskUid)
  }
  return uids
}

async function expectAll(server: TestServer, uids: readonly number[]): Promise<void> {
  for (const uid of uids) expect(await server.waitTask(uid)).toMatchObject({ status: 'succeeded', error: null })
  const { body } = await server.request('GET', '/indexes/a/stats')
  expect(body.numberOfDocuments).toBe(uids.length * DOCUMENTS)
}

/** One line that names the folder and the process that has it. */
function refusalFor(server: TestServer): RegExp {
  const path = join(server.folder, 'data.ms')
  const holder = `process ${server.pid} on host ${hostname()} since \\S+`
  return new RegExp(`^findling: The data folder ${path} is in use by ${holder}: [^\\n]+\\.\\n$`)
}

test('a second start on a data folder in use changes nothing and says who has it, on the same port and on another', async () => {
  const server = await startServer()
  const uids = await addAll(server, 0, 4)
  const onSamePort = ['--http-addr', `127.0.0.1:${server.port}`]
  for (const flags of [onSamePort, [], ['--experimental-dumpless-upgrade']]) {
    const { code, stderr } = await refusedStart(server.folder, [...flags, ...FLAGS])
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(refusalFor(server)) })
  }
  uids.push(...(await addAll(server, 4, 6)))
  await expectAll(server, uids)
  await server.restart()
  await expectAll(server, uids)
}, 120_000)

test('a dump or snapshot is not taken into a data folder in use', async () => {
  const server = await startServer()
  const uids = await addAll(server, 0, 1)
  await expectAll(server, uids)
  for (const path of ['/dumps', '/snapshots']) {
    const { body } = await server.request<{ taskUid: number }>('POST', path)
    expect(await server.waitTask(body.taskUid)).toMatchObject({ status: 'succeeded' })
  }
  const dump = join('dumps', readdirSync(join(server.folder, 'dumps'))[0]!)
  const snapshot = join('snapshots', 'data.ms.snapshot')
  expect(existsSync(join(server.folder, snapshot))).toBe(true)
  for (const flags of [
    ['--import-dump', dump, '--ignore-dump-if-db-exists'],
    ['--import-snapshot', snapshot, '--ignore-snapshot-if-db-exists'],
  ]) {
    const { code, stderr } = await refusedStart(server.folder, [...flags, ...FLAGS])
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(refusalFor(server)) })
  }
  await expectAll(server, uids)
}, 120_000)

test('a folder is free as soon as its server was killed or has ended', async () => {
  const server = await startServer()
  const uids = await addAll(server, 0, 1)
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    await server.stop(signal)
    await server.restart()
  }
  await expectAll(server, uids)
  await server.stop('SIGTERM')
  expect(readdirSync(join(server.folder, 'data.ms'))).not.toContain('LOCK')
}, 120_000)

interface Contender {
  readonly child: ChildProcess
  readonly said: () => string
  /** True when it is ready to be asked, false when it has ended. */
  readonly hasWon: Promise<boolean>
}

function contend(folder: string): Contender {
  const args = [...FLAGS, '--http-addr', '127.0.0.1:0']
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  cleanups.push(() => child.kill('SIGKILL'))
  let said = ''
  const hasWon = new Promise<boolean>((resolve) => {
    child.stderr.on('data', (chunk) => {
      said += chunk
      if (said.includes('http://127.0.0.1:')) resolve(true)
    })
    child.once('close', () => resolve(false))
  })
  return { child, said: () => said, hasWon }
}

test.each(['an empty folder', 'a folder with data'])(
  'of ten that start at once in %s one wins, and nothing is lost',
  async (kind) => {
    const folder = mkdtempSync(join(tmpdir(), 'findling-race-'))
    cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
    let uids: number[] = []
    const server = await startServer()
    if (kind === 'a folder with data') {
      uids = await addAll(server, 0, 1)
      await expectAll(server, uids)
      await server.stop()
      cpSync(join(server.folder, 'data.ms'), join(folder, 'data.ms'), { recursive: true })
    }
    const contenders = Array.from({ length: 10 }, () => contend(folder))
    const outcomes = await Promise.all(contenders.map(({ hasWon }) => hasWon))
    expect(outcomes.filter((hasWon) => hasWon)).toHaveLength(1)
    const winner = contenders[outcomes.indexOf(true)]!
    const refusal = /^findling: The data folder \S+ is in use by [^\n]+\.\n$/
    for (const { said, child } of contenders) {
      if (child !== winner.child)
        expect({ said: said(), code: child.exitCode }).toMatchObject({ said: expect.stringMatching(refusal), code: 1 })
    }
    if (uids.length === 0) return
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(winner.said())!
    const stats = (await (
      await fetch(`${url}/indexes/a/stats`, { headers: { authorization: `Bearer ${masterKey}` } })
    ).json()) as { numberOfDocuments: number }
    expect(stats.numberOfDocuments).toBe(DOCUMENTS)
  },
  180_000,
)
