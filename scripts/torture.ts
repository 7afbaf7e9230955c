import { parseArgs } from 'node:util'
import { runKillRounds } from '../test/kill/run.js'

const { values } = parseArgs({ options: { kills: { type: 'string', default: '200' }, seed: { type: 'string' } } })
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(values.seed)
const kills = Number(values.kills)
console.log(`${kills} kills with seed ${seed}`)
const tasks = await runKillRounds({
  kills,
  seed,
  onRound: (round, seen) => process.stderr.write(`\r${round}/${kills} kills, ${seen} tasks`),
})
process.stderr.write('\n')
console.log(`nothing was lost: ${kills} kills, ${tasks} tasks`)
