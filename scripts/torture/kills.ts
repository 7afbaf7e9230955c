import {
  type BackupKillOptions,
  type BackupKills,
  killWhileImporting,
  killWhileUpgrading,
  killWhileWriting,
} from '../../test/kill/backups.js'
import { runKillRounds } from '../../test/kill/run.js'
import { deadlineOf, type Part } from './part.js'

const KILLS = 10

/** Kills the server while it is written to, again and again: what was promised must be there after each start. */
export const killWhileLoaded: Part = async (options) => {
  const deadline = deadlineOf(options)
  let kills = 0
  let tasks = 0
  do {
    const onRound = (round: number, seen: number) => options.progress(`${kills + round} kills, ${tasks + seen} tasks`)
    tasks += await runKillRounds({ kills: KILLS, seed: options.seed + kills, onRound })
    kills += KILLS
  } while (performance.now() < deadline)
  return `nothing was lost in ${kills} kills, ${tasks} tasks`
}

const WORKS: readonly (readonly [name: string, work: (options: BackupKillOptions) => Promise<BackupKills>])[] = [
  ['writing a dump', (options) => killWhileWriting('dumps', options)],
  ['writing a snapshot', (options) => killWhileWriting('snapshots', options)],
  ['importing a dump', (options) => killWhileImporting('dump', options)],
  ['importing a snapshot', (options) => killWhileImporting('snapshot', options)],
  ['importing an older snapshot', (options) => killWhileImporting('snapshot of an older version', options)],
  ['upgrading', killWhileUpgrading],
]

/** Kills the server while it makes backups, takes them in, and upgrades. Each kind of work has its turn at least once. */
export const killInBackups: Part = async (options) => {
  const deadline = deadlineOf(options)
  const each = options.isShort ? 2 : KILLS
  let kills = 0
  let inTheMidst = 0
  do {
    for (const [name, work] of WORKS) {
      options.progress(`${kills} kills, now ${name}`)
      inTheMidst += (await work({ kills: each, seed: options.seed + kills })).inTheMidst
      kills += each
    }
  } while (performance.now() < deadline)
  return `every restart was clean: ${kills} kills, ${inTheMidst} in the midst of the work`
}
