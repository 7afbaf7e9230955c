import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { formatsIn, makeOlder } from '../../src/backup/older-format.fixture.js'
import { done, dumpOf, fill, MASTER_KEY, OLDER_VERSION, seen, send, snapshotOf } from '../filled-server.js'
import { seededRandom } from '../random.js'
import { CLI, TestServer } from '../server.js'

export interface BackupKillOptions {
  readonly kills: number
  readonly seed: number
  /** In the index that is written or read. */
  readonly documents?: number
}

export interface BackupKills {
  /** How many of the kills came in the midst of the work: the others were too early or too late. */
  readonly inTheMidst: number
}

const SIGN_LIMIT_MS = 30_000

/** Kills at instants spread over the time that the work took when nobody disturbed it, and a little longer. */
const instant = (random: () => number, tookMs: number): number => random() * tookMs * 1.1

/**
 * Kills a server while it writes a backup. After each kill: nothing that looks finished is a half, the data is what it
 * was, and the task is done after the next start. Throws with what is wrong.
 */
export async function killWhileWriting(kind: 'dumps' | 'snapshots', options: BackupKillOptions): Promise<BackupKills> {
  return withFilled(options, async (server, { random, kills }) => {
    const expected = await seen(server)
    const tookMs = await timeOf(server, kind)
    let inTheMidst = 0
    for (let round = 0; round < kills; round++) {
      const task = await send(server, 'POST', `/${kind}`)
      await untilWriting(server, kind, task)
      await delay(instant(random, tookMs))
      await server.stop('SIGKILL')
      if (isWriting(server, kind)) inTheMidst++
      checkFinished(join(server.folder, kind), kind === 'dumps' ? '.dump' : '.snapshot')
      await server.restart()
      checkSucceeded(await server.waitTask(task))
      if (isWriting(server, kind)) throw new Error('an unfinished file was left behind')
      checkSame(await seen(server), expected)
    }
    return { inTheMidst }
  })
}

async function timeOf(server: TestServer, kind: string): Promise<number> {
  const task = await send(server, 'POST', `/${kind}`)
  await untilWriting(server, kind, task)
  const began = performance.now()
  checkSucceeded(await server.waitTask(task))
  return performance.now() - began
}

/** Or until it is over: a busy machine may look away the whole time. */
async function untilWriting(server: TestServer, kind: string, task: number): Promise<void> {
  for (let looks = 1; !isWriting(server, kind); looks++) {
    if (looks % 50 === 0 && (await isFinished(server, task))) return
    await delay(1)
  }
}

async function isFinished(server: TestServer, task: number): Promise<boolean> {
  const { body } = await server.request<{ status: string }>('GET', `/tasks/${task}`)
  return body.status !== 'enqueued' && body.status !== 'processing'
}

const isWriting = ({ folder }: TestServer, kind: string): boolean =>
  existsSync(join(folder, kind)) && readdirSync(join(folder, kind)).some((name) => name.endsWith('.unfinished'))

/** Every file that looks finished is whole, for ordinary tools too. */
function checkFinished(folder: string, suffix: string): void {
  const names = readdirSync(folder).filter((name) => name.endsWith(suffix))
  for (const name of names) execFileSync('tar', ['tzf', name], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
}

export type Import = 'dump' | 'snapshot' | 'snapshot of an older version'

/**
 * Kills a server while it takes in a backup. After each kill, the same command line starts a server that has everything;
 * without the import, it is an empty one.
 */
export async function killWhileImporting(kind: Import, options: BackupKillOptions): Promise<BackupKills> {
  return withFilled(options, async (server, { random, kills }) => {
    const path = await fileOf(server, kind)
    const expected = await seen(server)
    const flag = kind === 'dump' ? 'dump' : 'snapshot'
    const fresh = ['--db-path', 'copy.ms']
    const flags = [...fresh, `--import-${flag}`, path, `--ignore-${flag}-if-db-exists`]
    const copy = join(server.folder, 'copy.ms')
    const tookMs = await importTime(server, flags)
    let inTheMidst = 0
    for (let round = 0; round < kills; round++) {
      // The one of the last round works on the copy, and would write into what is deleted.
      await server.stop()
      rmSync(copy, { recursive: true, force: true })
      const child = spawnServer(server, flags)
      await until(() => existsSync(join(copy, 'IMPORTING')) || existsSync(join(copy, 'VERSION')))
      await delay(instant(random, tookMs))
      await killed(child)
      const wasCutOff = existsSync(join(copy, 'IMPORTING'))
      if (wasCutOff) inTheMidst++
      const isForgotten = wasCutOff && random() < 0.25
      await server.restart({ masterKey: MASTER_KEY, flags: isForgotten ? fresh : flags })
      if (isForgotten) await checkEmpty(server)
      else checkSame(await seen(server), expected)
    }
    return { inTheMidst }
  })
}

async function fileOf(server: TestServer, kind: Import): Promise<string> {
  if (kind === 'dump') return dumpOf(server)
  if (kind === 'snapshot of an older version') return snapshotOf(server, OLDER_VERSION)
  await done(server, 'POST', '/snapshots')
  return join(server.folder, 'snapshots', 'data.ms.snapshot')
}

async function importTime(server: TestServer, flags: readonly string[]): Promise<number> {
  const mark = join(server.folder, 'copy.ms', 'IMPORTING')
  const child = spawnServer(server, flags)
  await until(() => existsSync(mark) || existsSync(join(server.folder, 'copy.ms', 'VERSION')))
  const began = performance.now()
  await until(() => !existsSync(mark))
  const tookMs = performance.now() - began
  await killed(child)
  return tookMs
}

async function checkEmpty(server: TestServer): Promise<void> {
  const { body } = await server.request<{ total: number }>('GET', '/indexes')
  if (body.total !== 0) throw new Error(`an import that was cut off left ${body.total} indexes`)
}

/**
 * Kills a server while it upgrades a folder of an older version. After each kill the folder is one of either version,
 * its index is in the old format or in the new one, the next start ends the upgrade with the task that began it, and the
 * data is what it was.
 */
export async function killWhileUpgrading(options: BackupKillOptions): Promise<BackupKills> {
  return withFilled(options, async (server, { random, kills }) => {
    const expected = await seen(server)
    const current = versionOf(server)
    const upgrade = { masterKey: MASTER_KEY, flags: ['--experimental-dumpless-upgrade'] }
    let inTheMidst = 0
    let tookMs = 0
    for (let round = 0; round <= kills; round++) {
      await server.stop('SIGTERM')
      await makeOlder(folderOf(server))
      writeFileSync(join(folderOf(server), 'VERSION'), OLDER_VERSION)
      // The first time nobody disturbs it.
      if (round > 0) await killInUpgrade(server, { flags: upgrade.flags, random, tookMs, current })
      const found = versionOf(server)
      if (found !== current && found !== OLDER_VERSION) {
        throw new Error(`the file VERSION says ${JSON.stringify(found)}`)
      }
      if (round > 0 && (await isHalfUpgraded(server, current))) inTheMidst++
      await server.restart(upgrade)
      const began = performance.now()
      const upgrades = await finishedUpgrades(server)
      if (upgrades !== round + 1) throw new Error(`${upgrades} upgrades were made, ${round + 1} were expected`)
      tookMs = Math.max(tookMs, performance.now() - began)
      checkSame(await seen(server), expected)
      await checkUpgraded(server)
    }
    return { inTheMidst }
  })
}

interface UpgradeKill {
  readonly flags: readonly string[]
  readonly random: () => number
  /** From the first answer of a server to the end of its upgrade. */
  readonly tookMs: number
  readonly current: string
}

/** Mostly once the upgrade has begun, sometimes at any instant since the start. */
async function killInUpgrade(server: TestServer, { flags, random, tookMs, current }: UpgradeKill): Promise<void> {
  const child = spawnServer(server, ['--db-path', 'data.ms', ...flags])
  if (random() < 0.8) await until(() => versionOf(server) === current)
  await delay(instant(random, tookMs))
  await killed(child)
}

/** The task is there, its work is not done. */
async function isHalfUpgraded(server: TestServer, current: string): Promise<boolean> {
  return versionOf(server) === current && (await formatsIn(folderOf(server))).includes(undefined)
}

/** One folder, in the newest format. */
async function checkUpgraded(server: TestServer): Promise<void> {
  await server.stop('SIGTERM')
  const formats = await formatsIn(folderOf(server))
  if (formats.length !== 1 || formats[0] === undefined) throw new Error(`the formats are ${JSON.stringify(formats)}`)
}

const folderOf = ({ folder }: TestServer): string => join(folder, 'data.ms')

const versionOf = (server: TestServer): string => readFileSync(join(folderOf(server), 'VERSION'), 'utf8')

/** Waits for all upgrades, and answers how many there were. */
async function finishedUpgrades(server: TestServer): Promise<number> {
  const { body } = await server.request<{ results: { uid: number }[] }>(
    'GET',
    '/tasks?types=upgradeDatabase&limit=1000',
  )
  for (const { uid } of body.results) checkSucceeded(await server.waitTask(uid))
  return body.results.length
}

interface Plan {
  readonly random: () => number
  readonly kills: number
}

async function withFilled(
  { kills, seed, documents = 2500 }: BackupKillOptions,
  work: (server: TestServer, plan: Plan) => Promise<BackupKills>,
): Promise<BackupKills> {
  const server = await TestServer.start({ masterKey: MASTER_KEY })
  try {
    await fill(server, documents)
    return await work(server, { random: seededRandom(seed), kills })
  } finally {
    await server.close()
  }
}

function spawnServer({ folder }: TestServer, flags: readonly string[]): ChildProcess {
  const command = [CLI, '--master-key', MASTER_KEY, '--no-analytics', '--http-addr', '127.0.0.1:0', ...flags]
  return spawn(process.execPath, command, { cwd: folder, env: { PATH: process.env.PATH }, stdio: 'ignore' })
}

async function killed(child: ChildProcess): Promise<void> {
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exit
}

async function until(hasHappened: () => boolean): Promise<void> {
  const deadline = Date.now() + SIGN_LIMIT_MS
  while (!hasHappened()) {
    if (Date.now() > deadline) throw new Error(`nothing happened in ${SIGN_LIMIT_MS} ms`)
    await delay(1)
  }
}

function checkSucceeded(task: { readonly status: string }): void {
  if (task.status !== 'succeeded') throw new Error(`a task failed: ${JSON.stringify(task)}`)
}

function checkSame(found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return
  throw new Error(`the server shows ${JSON.stringify(found)}, expected was ${JSON.stringify(expected)}`)
}
