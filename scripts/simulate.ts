/**
 * `npm run simulate -- [--minutes 1] [--seed N] [--trace]`: runs simulations of a cluster, one seed after the other, and says
 * which found something wrong. With `--trace` one run, event by event.
 */
import { parseArgs } from 'node:util'
import { simulate } from '../src/cluster/simulation/simulation.fixture.js'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string' },
    trace: { type: 'boolean', default: false },
  },
})
const firstSeed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(values.seed)
if (values.trace) await traceOne(firstSeed)
else await runMany(firstSeed, Number(values.minutes))

async function traceOne(seed: number): Promise<void> {
  const { problems } = await simulate(seed, { trace: (line) => console.log(line) })
  if (problems.length > 0) process.exitCode = 1
}

async function runMany(first: number, minutes: number): Promise<void> {
  const began = performance.now()
  const isOver = () => performance.now() - began > minutes * 60_000
  let entries = 0
  let failed = 0
  let seed = first
  console.log(`seeds from ${first} on, for ${minutes} minutes`)
  for (; !isOver(); seed++) {
    const result = await simulate(seed)
    entries += result.entries
    if (result.problems.length === 0) continue
    failed++
    console.log(`FAILED: seed ${seed}: ${result.problems.join('; ')}`)
  }
  const perMinute = Math.round(((seed - first) / (performance.now() - began)) * 60_000)
  console.log(`${seed - first} runs, ${perMinute} a minute, ${entries} entries of the log; ${failed} failed`)
  if (failed > 0) process.exitCode = 1
}
