import { spawn } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  cpSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { done, dumpOf, fill, MASTER_KEY, seen, send } from '../../test/filled-server.js'
import { seededRandom } from '../../test/random.js'
import { CLI, TestServer } from '../../test/server.js'
import { damagedValues } from './damaged-values.js'
import { deadlineOf, type Part, type PartOptions } from './part.js'

const DOCUMENTS = 800
const START_LIMIT_MS = 20_000
const MIN_ROUNDS = 2

/**
 * A flipped byte in a file must be reported, not served. Dumps, snapshots, payloads and the values of indexes have
 * checksums, and are judged. The rest of the stores has none (keys, pages of LMDB, tasks, API keys): what became of flips
 * anywhere in their files is counted.
 */
export const damagedFiles: Part = async (options) => {
  const server = await TestServer.start({ masterKey: MASTER_KEY })
  try {
    await fill(server, DOCUMENTS)
    const damage: Damage = { server, random: seededRandom(options.seed), options, expected: await seen(server) }
    const imports = await damagedImports(damage)
    const payloads = await damagedPayloads(damage)
    const values = await damagedValues(damage.random, (work) => rounds(options, work))
    const stores = options.isShort ? [] : [await damagedStores(damage)]
    return [imports, payloads, values, ...stores].join('; ')
  } finally {
    await server.close()
  }
}

interface Damage {
  readonly server: TestServer
  readonly random: () => number
  readonly options: PartOptions
  readonly expected: unknown
}

/** Changes one byte anywhere in a file, and answers where. */
function flipByte(path: string, random: () => number): number {
  chmodSync(path, 0o644)
  const file = openSync(path, 'r+')
  try {
    const at = Math.floor(random() * fstatSync(file).size)
    const byte = Buffer.alloc(1)
    readSync(file, byte, 0, 1, at)
    byte[0]! ^= 1 << Math.floor(random() * 8)
    writeSync(file, byte, 0, 1, at)
    return at
  } finally {
    closeSync(file)
  }
}

/** A quarter of the time for each kind, and a few rounds in any case. */
async function rounds(options: PartOptions, work: (round: number) => Promise<void>): Promise<number> {
  const deadline = deadlineOf({ ...options, minutes: options.minutes / 4 })
  let round = 0
  do await work(round++)
  while (performance.now() < deadline || round < MIN_ROUNDS)
  return round
}

async function damagedImports({ server, random, options, expected }: Damage): Promise<string> {
  const dump = await dumpOf(server)
  await done(server, 'POST', '/snapshots')
  const snapshot = join(server.folder, 'snapshots', 'data.ms.snapshot')
  let refused = 0
  const count = await rounds(options, async (round) => {
    const [kind, source] = round % 2 === 0 ? ['dump', dump] : ['snapshot', snapshot]
    const path = join(server.folder, `damaged.${kind}`)
    copyFileSync(source!, path)
    const at = flipByte(path, random)
    rmSync(join(server.folder, 'copy.ms'), { recursive: true, force: true })
    const outcome = await startedWith(server, ['--db-path', 'copy.ms', `--import-${kind}`, path])
    if (outcome === 'refused') refused++
    else await checkServed(server, { expected, what: `a ${kind} with a flipped byte at ${at}` })
    options.progress(`${round + 1} damaged backups, ${refused} refused`)
    rmSync(path)
  })
  await server.restart({ masterKey: MASTER_KEY })
  return `${refused} of ${count} damaged backups were refused, the others held nothing wrong`
}

/** Tries to start on another folder. Ends in a refusal with a status, or in a running server. */
async function startedWith(server: TestServer, flags: readonly string[]): Promise<'refused' | 'started'> {
  await server.stop('SIGTERM')
  const probe = await exitOf(server.folder, flags)
  if (probe === 1) return 'refused'
  if (probe !== undefined) throw new Error(`a damaged file ended the process with ${probe}`)
  await server.restart({ masterKey: MASTER_KEY, flags: flags.slice(0, 2) })
  return 'started'
}

/** The exit status, or undefined when the process was ready to listen, and was stopped. */
function exitOf(folder: string, flags: readonly string[]): Promise<number | string | undefined> {
  const command = [CLI, '--master-key', MASTER_KEY, '--no-analytics', '--http-addr', '127.0.0.1:0', ...flags]
  const child = spawn(process.execPath, command, {
    cwd: folder,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let isReady = false
  const limit = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS)
  child.stderr.on('data', (text) => {
    if (!String(text).includes('is ready')) return
    isReady = true
    child.kill('SIGTERM')
  })
  return new Promise((resolve) =>
    child.once('exit', (code, signal) => {
      clearTimeout(limit)
      resolve(isReady ? undefined : (code ?? signal ?? 'nothing'))
    }),
  )
}

async function checkServed(server: TestServer, { expected, what }: { expected: unknown; what: string }): Promise<void> {
  if (!isDeepStrictEqual(await seen(server), expected)) throw new Error(`${what} was served`)
}

/** Payloads that wait are damaged: their tasks must fail. */
async function damagedPayloads({ server, random, options }: Damage): Promise<string> {
  const updates = join(server.folder, 'data.ms', 'updates')
  // Larger than what travels with its task.
  const documents = Array.from({ length: 2000 }, (_, id) => ({ id, text: `number ${id} `.repeat(8) }))
  const count = await rounds(options, async (round) => {
    await server.restart({ masterKey: MASTER_KEY, flags: ['--experimental-max-number-of-batched-tasks', '0'] })
    const task = await send(server, 'POST', '/indexes/damaged/documents', documents)
    await server.stop('SIGKILL')
    const at = flipByte(join(updates, readdirSync(updates)[0]!), random)
    await server.restart({ masterKey: MASTER_KEY })
    const { status, error } = await server.waitTask(task)
    if (status !== 'failed' || error?.code !== 'internal') {
      throw new Error(`a payload with a flipped byte at ${at} ended ${status}, ${JSON.stringify(error)}`)
    }
    options.progress(`${round + 1} damaged payloads`)
  })
  return `${count} damaged payloads failed their tasks`
}

/** The same answers, an error that says so, no start, a process that died, or answers that are wrong. */
type StoreOutcome = 'harmless' | 'reported' | 'refused' | 'died' | 'wrong'

async function damagedStores({ server, random, options }: Damage): Promise<string> {
  const outcomes: Record<StoreOutcome, number> = { harmless: 0, reported: 0, refused: 0, died: 0, wrong: 0 }
  // What the parts before left behind is there, too.
  const expected = await seen(server)
  const every = await allDocuments(server)
  const kept = join(server.folder, 'kept.ms')
  await server.stop('SIGTERM')
  cpSync(join(server.folder, 'data.ms'), kept, { recursive: true })
  const count = await rounds(options, async (round) => {
    const copy = join(server.folder, 'copy.ms')
    rmSync(copy, { recursive: true, force: true })
    cpSync(kept, copy, { recursive: true })
    flipByte(anyStore(copy, random), random)
    outcomes[await outcomeOf(server, { expected, every })]++
    options.progress(`${round + 1} damaged stores: ${JSON.stringify(outcomes)}`)
  })
  return `${count} damaged stores, counted only: ${JSON.stringify(outcomes)}`
}

function anyStore(folder: string, random: () => number): string {
  const indexes = readdirSync(join(folder, 'indexes')).map((name) => `indexes/${name}`)
  // Mostly indexes: they are what is large on a real disk.
  const stores = random() < 0.8 ? indexes : ['tasks', 'auth']
  return join(folder, stores[Math.floor(random() * stores.length)]!, 'data.mdb')
}

interface Expected {
  readonly expected: unknown
  readonly every: string
}

async function outcomeOf(server: TestServer, { expected, every }: Expected): Promise<StoreOutcome> {
  try {
    await server.restart({ masterKey: MASTER_KEY, flags: ['--db-path', 'copy.ms'] })
  } catch {
    return 'refused'
  }
  try {
    const found = await seen(server)
    const documents = await allDocuments(server)
    if (isDeepStrictEqual(found, expected) && documents === every) return 'harmless'
    const isReported = JSON.stringify(found).includes('"internal"') || documents.includes('"internal"')
    return isReported ? 'reported' : 'wrong'
  } catch {
    return 'died'
  }
}

const allDocuments = async (server: TestServer): Promise<string> =>
  (await server.request('GET', '/indexes/movies/documents?limit=100000')).text
