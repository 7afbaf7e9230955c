import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { CorruptBytes } from '../../src/bytes/index.js'
import { IndexFolder } from '../../src/folder/index.js'
import { type Database, Environment } from '../../src/store/index.js'
import { MASTER_KEY } from '../../test/filled-server.js'
import { TestServer } from '../../test/server.js'
import { type Answered, answersOf, fillVaried } from '../../test/upgrade/content.js'

/** Repeats work, for a few rounds or minutes; answers how often. */
export type Rounds = (work: (round: number) => Promise<void>) => Promise<number>

/**
 * A flipped bit in a value of an index must be reported by whoever reads it, and nothing else may be served: every
 * answer is the right one or an error that says what is damaged, and the process goes on. Keys and the pages of the
 * store have no checksums: what becomes of flips there is counted elsewhere.
 */
export async function damagedValues(random: () => number, rounds: Rounds): Promise<string> {
  const server = await TestServer.start({ masterKey: MASTER_KEY })
  try {
    await fillVaried(server)
    const expected = await answersOf(server)
    await server.stop('SIGTERM')
    const kept = join(server.folder, 'data.ms')
    await compactIndexes(kept)
    let errors = 0
    const count = await rounds(async () => {
      errors += await damageOne(server, { kept, expected, random })
    })
    return `${count} damaged values of indexes were noticed, ${errors} answers said so, the others were right`
  } finally {
    await server.close()
  }
}

const indexesIn = (folder: string): string[] =>
  readdirSync(join(folder, 'indexes')).map((name) => join(folder, 'indexes', name))

/** So that no page is left of what was there before: each value is in the file once. */
async function compactIndexes(folder: string): Promise<void> {
  for (const path of indexesIn(folder)) {
    const environment = Environment.open(path)
    await environment.copyCompacted(`${path}-compacted`)
    await environment.close()
    rmSync(path, { recursive: true })
    renameSync(`${path}-compacted`, path)
  }
}

interface Round {
  readonly kept: string
  readonly expected: readonly Answered[]
  readonly random: () => number
}

/** Answers how many answers said that something is damaged. */
async function damageOne(server: TestServer, { kept, expected, random }: Round): Promise<number> {
  const copy = join(server.folder, 'copy.ms')
  rmSync(copy, { recursive: true, force: true })
  cpSync(kept, copy, { recursive: true })
  const indexes = indexesIn(copy)
  const path = indexes[Math.floor(random() * indexes.length)]!
  const what = await flipInValue(path, random)
  await server.restart({ masterKey: MASTER_KEY, flags: ['--db-path', 'copy.ms'] })
  const found = await answersOf(server)
  if ((await server.request('GET', '/health')).status !== 200) throw new Error(`${what} ended the server`)
  const wrong = found.findIndex((answer, i) => !isDeepStrictEqual(answer, expected[i]) && !isReport(answer))
  if (wrong >= 0) throw new Error(`${what} was served: ${JSON.stringify([found[wrong], expected[wrong]])}`)
  const reports = found.filter(isReport).length
  if (reports > 0 && !server.log.includes('stored data is damaged')) throw new Error(`${what} is not in the log`)
  await server.stop('SIGTERM')
  await checkNoticed(path, what)
  return reports
}

function isReport({ status, body }: Answered): boolean {
  const { code, message } = body as { code?: string; message?: string }
  return status === 500 && code === 'internal' && /stored data is damaged: .* of the index "\w+"/.test(message ?? '')
}

/** Flips a bit of one value of a closed index, and says which. Large values are hit more often than small ones. */
async function flipInValue(path: string, random: () => number): Promise<string> {
  const { name, key, sealed } = await someValue(path, random)
  const file = join(path, 'data.mdb')
  const bytes = readFileSync(file)
  // A small value stands behind its key, a large one in pages of its own.
  const pair = bytes.indexOf(Buffer.concat([key, sealed]))
  const start = pair < 0 ? bytes.indexOf(sealed) : pair + key.length
  if (start < 0) throw new Error(`a value of ${name} is not in its file`)
  const at = Math.floor(random() * sealed.length)
  bytes[start + at]! ^= 1 << Math.floor(random() * 8)
  writeFileSync(file, bytes)
  return `a flipped bit of ${name}, ${key.toString('hex')}, byte ${at} of ${sealed.length}`
}

interface StoredValue {
  readonly name: string
  readonly key: Buffer
  /** As it is in the file. */
  readonly sealed: Buffer
}

async function someValue(path: string, random: () => number): Promise<StoredValue> {
  const names = await databaseNames(path)
  const environment = Environment.open(path, { maxDatabases: 32 })
  const values = names.flatMap((name) =>
    Array.from(environment.database(name).range(), ({ key, value }): StoredValue => ({ name, key, sealed: value })),
  )
  await environment.close()
  let left = random() * values.reduce((sum, { sealed }) => sum + sealed.length, 0)
  return values.find(({ sealed }) => (left -= sealed.length) < 0) ?? values[0]!
}

async function databaseNames(path: string): Promise<string[]> {
  const folder = IndexFolder.open(path)
  await folder.close()
  return Object.keys(folder.databases)
}

/** Whoever reads everything hears of it. */
async function checkNoticed(path: string, what: string): Promise<void> {
  const folder = IndexFolder.open(path)
  try {
    for (const database of Object.values<Database>({ ...folder.databases })) for (const _ of database.range());
  } catch (error) {
    if (error instanceof CorruptBytes) return
    throw error
  } finally {
    await folder.close()
  }
  throw new Error(`${what} was not noticed`)
}
