import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fill, MASTER_KEY } from './filled-server.js'
import { killWhileImporting, killWhileUpgrading, killWhileWriting } from './kill/backups.js'
import { TestServer } from './server.js'

const LIMIT_MS = 240_000

function options(kills: number): { kills: number; seed: number } {
  const seed = Math.floor(Math.random() * 2 ** 32)
  console.log(`kills with seed ${seed}`)
  return { kills, seed }
}

/** Whether a kill comes in the midst of the work is up to the machine: as often as needed, within reason. */
async function untilInTheMidst(kill: () => Promise<{ readonly inTheMidst: number }>): Promise<void> {
  for (let tries = 0; tries < 4; tries++) if ((await kill()).inTheMidst > 0) return
  expect.fail('no kill came in the midst of the work')
}

test.each(['dumps', 'snapshots'] as const)(
  'a process that is killed while it writes %s leaves no half of one, and writes it after the next start',
  async (kind) => {
    await untilInTheMidst(() => killWhileWriting(kind, options(2)))
  },
  LIMIT_MS,
)

test.each(['dump', 'snapshot', 'snapshot of an older version'] as const)(
  'a process that is killed while it imports a %s imports it after the next start',
  async (kind) => {
    await untilInTheMidst(() => killWhileImporting(kind, options(2)))
  },
  LIMIT_MS,
)

test(
  'a process that is killed while it upgrades a folder ends the upgrade after the next start',
  async () => {
    await untilInTheMidst(() => killWhileUpgrading(options(3)))
  },
  LIMIT_MS,
)

test(
  'an upgrade that was begun before its folder said so is not begun twice',
  async () => {
    const server = await TestServer.start({ masterKey: MASTER_KEY })
    try {
      await fill(server, 10)
      const mark = () => writeFileSync(join(server.folder, 'data.ms', 'VERSION'), '1.48.0')
      const flags = ['--experimental-dumpless-upgrade']
      await server.stop('SIGTERM')
      mark()
      // The process is ended before the task is begun, and the folder set back to what it said in between.
      await server.restart({
        masterKey: MASTER_KEY,
        flags: [...flags, '--experimental-max-number-of-batched-tasks', '0'],
      })
      await server.stop('SIGKILL')
      mark()
      await server.restart({ masterKey: MASTER_KEY, flags })
      expect(await server.waitTask(2)).toMatchObject({ type: 'upgradeDatabase', status: 'succeeded' })
      expect((await server.request<{ total: number }>('GET', '/tasks?types=upgradeDatabase')).body.total).toBe(1)
    } finally {
      await server.close()
    }
  },
  LIMIT_MS,
)
