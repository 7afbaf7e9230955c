import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { extractArchive } from '../../src/backup/index.js'
import type { TestServer } from '../server.js'
import { FIXTURE } from './content.js'

export const UPGRADE = '--experimental-dumpless-upgrade'
/** Tasks are taken, but none is processed. */
export const HELD = ['--experimental-max-number-of-batched-tasks', '0']
/** The uid of the upgrade task: the next one after those of the older version. */
export const UPGRADE_TASK = 8

export const folderOf = ({ folder }: TestServer): string => join(folder, 'data.ms')
export const versionOf = (server: TestServer): string => readFileSync(join(folderOf(server), 'VERSION'), 'utf8')

/** Stops the server and puts the data folder that an older version left behind in the place of its own. */
export async function makeOlderFolder(server: TestServer): Promise<void> {
  await server.stop('SIGTERM')
  rmSync(folderOf(server), { recursive: true })
  await extractArchive({ path: FIXTURE, folder: server.folder })
}

/** Puts random bytes in the place of the data of an index; the answer takes them away again. */
export function damageOneIndex(server: TestServer): () => void {
  const [name] = readdirSync(join(folderOf(server), 'indexes'))
  const file = join(folderOf(server), 'indexes', name!, 'data.mdb')
  const before = readFileSync(file)
  writeFileSync(file, randomBytes(before.length))
  return () => writeFileSync(file, before)
}
