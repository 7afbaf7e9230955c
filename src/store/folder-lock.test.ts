import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { FolderInUse, LOCK_FILE, lockFolder } from './folder-lock.js'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'findling-lock-'))
  folders.push(folder)
  return folder
}

function refusalOf(folder: string): FolderInUse {
  try {
    lockFolder(folder).release()
  } catch (error) {
    if (error instanceof FolderInUse) return error
    throw error
  }
  throw new Error('the folder was free')
}

test('a folder is locked once, and the refusal names the holder', () => {
  const folder = temporaryFolder()
  const before = new Date().toISOString()
  const lock = lockFolder(folder)
  const { message, holder } = refusalOf(folder)
  expect(holder).toMatchObject({ pid: process.pid, host: hostname() })
  expect(holder!.since >= before && holder!.since <= new Date().toISOString()).toBe(true)
  expect(message).toBe(
    `The folder ${folder} is in use by process ${process.pid} on host ${hostname()} since ${holder!.since}.`,
  )
  lock.release()
  lock.release()
  lockFolder(folder).release()
  expect(readdirSync(folder)).toEqual([])
})

test('a folder that was made for the lock goes with it unless it was filled, others stay', () => {
  const folder = join(temporaryFolder(), 'deep', 'data')
  lockFolder(folder).release()
  expect(existsSync(folder)).toBe(false)
  const lock = lockFolder(folder)
  writeFileSync(join(folder, 'VERSION'), '1')
  lock.release()
  expect(readdirSync(folder)).toEqual(['VERSION'])
  rmSync(join(folder, 'VERSION'))
  lockFolder(folder).release()
  expect(existsSync(folder)).toBe(true)
})

test.each(['', '{', '{"pid":1}', '{"pid":1,"host":"gone","since":"2020-01-01T00:00:00.000Z"}\n'.repeat(3)])(
  'the file alone means nothing: %j',
  (content) => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, LOCK_FILE), content)
    const lock = lockFolder(folder)
    expect(JSON.parse(readFileSync(join(folder, LOCK_FILE), 'utf8'))).toMatchObject({ pid: process.pid })
    lock.release()
  },
)

test('a holder that has not said who it is yet is told so', () => {
  const folder = temporaryFolder()
  const lock = lockFolder(folder)
  writeFileSync(join(folder, LOCK_FILE), '')
  expect(refusalOf(folder).message).toBe(`The folder ${folder} is in use by another process that has just begun.`)
  lock.release()
})

/** Takes the same lock without this module; says so, and waits to be ended. */
const HOLDER = `
  const { openSync, mkdirSync } = require('node:fs')
  const { tryLock } = require(${JSON.stringify(createRequire(import.meta.url).resolve('fs-native-extensions'))})
  const descriptor = openSync(process.env.LOCKED_FILE, 'a+')
  console.log(tryLock(descriptor, 2 ** 40, 1))
  setInterval(() => {}, 1000)
`

test('the system lets go of the lock of a process that is killed', async () => {
  const folder = temporaryFolder()
  const env = { ...process.env, LOCKED_FILE: join(folder, LOCK_FILE) }
  const child = spawn(process.execPath, ['-e', HOLDER], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [said] = await once(child.stdout, 'data')
  expect(String(said).trim()).toBe('true')
  expect(refusalOf(folder)).toBeInstanceOf(FolderInUse)
  child.kill('SIGKILL')
  await once(child, 'exit')
  lockFolder(folder).release()
})

test('a thread of the same process is refused like any other', async () => {
  const folder = temporaryFolder()
  const lock = lockFolder(folder)
  const env = { LOCKED_FILE: join(folder, LOCK_FILE) }
  const worker = new Worker(HOLDER.replace('console.log', "require('node:worker_threads').parentPort.postMessage"), {
    eval: true,
    env,
  })
  expect(await once(worker, 'message')).toEqual([false])
  await worker.terminate()
  expect(refusalOf(folder)).toBeInstanceOf(FolderInUse)
  lock.release()
})

test('a lock on a file that was removed meanwhile counts for nothing', () => {
  const folder = temporaryFolder()
  const first = lockFolder(folder)
  rmSync(join(folder, LOCK_FILE))
  const second = lockFolder(folder)
  expect(refusalOf(folder).holder).toMatchObject({ pid: process.pid })
  second.release()
  first.release()
})

test('a folder that cannot be made is an error of the system', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'file'), '')
  expect(() => lockFolder(join(folder, 'file'))).toThrow(expect.objectContaining({ code: 'EEXIST' }))
  mkdirSync(join(folder, 'taken', LOCK_FILE), { recursive: true })
  expect(() => lockFolder(join(folder, 'taken'))).toThrow(expect.objectContaining({ code: 'EISDIR' }))
})
