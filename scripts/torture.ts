/**
 * `npm run torture -- [--kills 200] [--hostile 1000] [--seed N]`: kills the built server while it writes, and searches
 * it with what is meant to hurt.
 */
import { parseArgs } from 'node:util'
import { attack } from '../test/hostile/run.js'
import { runKillRounds } from '../test/kill/run.js'
import { TestServer } from '../test/server.js'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    hostile: { type: 'string', default: '1000' },
    seed: { type: 'string' },
  },
})
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(values.seed)
console.log(`seed ${seed}`)
await search(Number(values.hostile))
await kill(Number(values.kills))

async function search(count: number): Promise<void> {
  if (count === 0) return
  const server = await TestServer.start()
  const { problems, slowest, growth } = await attack(server, seed, count)
  await server.close()
  for (const problem of problems) console.error(problem)
  console.log(`${count} hostile searches, ${problems.length} problems`)
  console.log(`the slowest (${slowest.name}) took ${slowest.milliseconds.toFixed(0)} ms`)
  console.log(`memory grew by ${(growth / 1e6).toFixed(0)} MB in the second half`)
  if (problems.length > 0) process.exitCode = 1
}

async function kill(kills: number): Promise<void> {
  if (kills === 0) return
  const tasks = await runKillRounds({
    kills,
    seed,
    onRound: (round, seen) => process.stderr.write(`\r${round}/${kills} kills, ${seen} tasks`),
  })
  process.stderr.write('\n')
  console.log(`nothing was lost: ${kills} kills, ${tasks} tasks`)
}
