import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Answer, CLI, type Task, TestServer } from '../../test/server.js'
import type { Part } from './part.js'

const isRoot = process.getuid?.() === 0

/** A small disk of its own needs the right to mount one. */
export const canMountDisk = process.platform === 'linux' && isRoot

const DISK_BYTES = 24 << 20

interface Refusal {
  readonly code: string
}

/** A disk that runs full: the write is refused with its own code, and everything goes on when there is room again. */
export const fullDisk: Part = async () => {
  if (!canMountDisk) return 'not tried: only root can mount a small disk'
  return onSmallDisk(async (disk) => {
    const ballast = join(disk, 'ballast')
    writeFileSync(ballast, Buffer.alloc(DISK_BYTES / 2))
    const server = await TestServer.start({ flags: ['--db-path', join(disk, 'data.ms')] })
    try {
      const { code } = await fillUp(server)
      if (code !== 'no_space_left_on_device') throw new Error(`a full disk was answered with ${code}`)
      await expectStatus(server.request('GET', '/health'), 200)
      rmSync(ballast)
      await expectSucceeded(server, '/indexes/b/documents', [{ id: 1 }])
      const { body } = await server.request<{ total: number }>('GET', '/indexes/a/documents?limit=0')
      if (body.total % BATCH !== 0) throw new Error(`a half of a batch is stored: ${body.total} documents`)
      return `full after ${body.total} documents, refused with ${code}, and on again with room`
    } finally {
      await server.close()
    }
  })
}

async function onSmallDisk<T>(work: (disk: string) => Promise<T>): Promise<T> {
  const disk = mkdtempSync(join(tmpdir(), 'findling-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', disk])
  try {
    return await work(disk)
  } finally {
    execFileSync('umount', ['-l', disk])
    rmSync(disk, { recursive: true, force: true })
  }
}

const BATCH = 20

/** Adds documents until one is refused; answers the refusal, of the request or of its task. */
async function fillUp(server: TestServer): Promise<Refusal> {
  for (let i = 0; i < 400; i++) {
    // Text that cannot be packed.
    const text = () => randomBytes(3000).toString('base64')
    const body = Array.from({ length: BATCH }, (_, n) => ({ id: i * BATCH + n, text: text() }))
    const answer = await server.request<{ taskUid: number } & Refusal>('POST', '/indexes/a/documents', body)
    if (answer.status !== 202) return answer.body
    const task = await server.waitTask(answer.body.taskUid)
    if (task.status !== 'succeeded') return task.error!
  }
  throw new Error('the disk never became full')
}

/** Root may write anywhere: the server runs as somebody else. */
const NOBODY = 65_534

/**
 * Folders that may only be read: a data folder is refused in a sentence; one that becomes so refuses what it cannot
 * write, and searches go on; backups fail alone.
 */
export const readOnlyFolder: Part = async () => {
  if (process.platform === 'win32') return 'not tried: there are no such modes on Windows'
  const server = await TestServer.start(isRoot ? { uid: NOBODY } : {})
  try {
    await expectSucceeded(server, '/indexes/a/documents', [{ id: 1, title: 'red fox' }])
    await refusesBackups(server)
    await refusesPayloads(server)
    await server.stop('SIGTERM')
    return `a start is refused with: ${await refusedStart(server.folder)}`
  } finally {
    chmodSync(join(server.folder, 'data.ms'), 0o755)
    await server.close()
  }
}

async function refusesBackups(server: TestServer): Promise<void> {
  for (const kind of ['dumps', 'snapshots']) {
    const folder = join(server.folder, kind)
    mkdirSync(folder, { recursive: true })
    chmodSync(folder, 0o555)
    if (isRoot) chownSync(folder, NOBODY, NOBODY)
    const { body } = await server.request<{ taskUid: number }>('POST', `/${kind}`)
    const task = await server.waitTask(body.taskUid)
    if (task.status !== 'failed') throw new Error(`${kind} into a folder that is read-only: ${JSON.stringify(task)}`)
    chmodSync(folder, 0o755)
  }
}

async function refusesPayloads(server: TestServer): Promise<void> {
  const updates = join(server.folder, 'data.ms', 'updates')
  chmodSync(updates, 0o555)
  // Larger than what travels with its task.
  const large = Array.from({ length: 2000 }, (_, id) => ({ id, text: 'some text '.repeat(10) }))
  const { status, text } = await server.request('POST', '/indexes/a/documents', large)
  if (status < 500 || !text.includes('"code"'))
    throw new Error(`a payload without a place was answered ${status}: ${text}`)
  const found = await server.request<{ hits: unknown[] }>('POST', '/indexes/a/search', { q: 'fox' })
  if (found.body.hits?.length !== 1) throw new Error(`a search beside it was answered ${found.text}`)
  chmodSync(updates, 0o755)
  await expectSucceeded(server, '/indexes/a/documents', large)
}

/** What the process says when its data folder may only be read. */
function refusedStart(folder: string): Promise<string> {
  execFileSync('chmod', ['-R', 'a-w', join(folder, 'data.ms')])
  const command = [CLI, '--db-path', 'data.ms', '--http-addr', '127.0.0.1:0', '--no-analytics', '--log-level', 'ERROR']
  const child = spawn(process.execPath, command, {
    cwd: folder,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(isRoot ? { uid: NOBODY } : {}),
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const limit = setTimeout(() => child.kill('SIGKILL'), 20_000)
  return new Promise((resolve, reject) =>
    child.once('exit', (code, signal) => {
      clearTimeout(limit)
      execFileSync('chmod', ['-R', 'u+w', join(folder, 'data.ms')])
      if (code === 1 && !/\n\s+at /.test(stderr)) resolve(stderr.trim().split('\n').at(-1)!)
      else reject(new Error(`a read-only data folder ended in ${code ?? signal}: ${stderr}`))
    }),
  )
}

async function expectStatus(answer: Promise<Answer<unknown>>, expected: number): Promise<void> {
  const { status, text } = await answer
  if (status !== expected) throw new Error(`${expected} was expected: ${status} ${text}`)
}

async function expectSucceeded(server: TestServer, path: string, body: unknown): Promise<Task> {
  const answer = await server.request<{ taskUid: number }>('POST', path, body)
  if (answer.status !== 202) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`)
  const task = await server.waitTask(answer.body.taskUid)
  if (task.status !== 'succeeded') throw new Error(`POST ${path}: ${JSON.stringify(task)}`)
  return task
}
