/**
 * `npm run torture -- [--parts kill,clock] [--minutes 5] [--short] [--seed N]`: injects faults into the built
 * server and checks its guarantees, part by part, and says of each how it ended. `--minutes` are for each part; a leak shows from thirty on.
 * Of the part `cluster`, `--kills N` are as many blows instead of minutes, and `--chaos nats,cut` are their kinds; with
 * `--shards 3` documents are divided among the servers, two of which have each. Of the part `shards`, `--kills N` are as many
 * kills of servers.
 */
import { parseArgs } from 'node:util'
import type { Part } from './torture/part.js'
import { parts } from './torture/parts.js'

const { values } = parseArgs({
  options: {
    parts: { type: 'string', default: Object.keys(parts).join() },
    minutes: { type: 'string', default: '5' },
    short: { type: 'boolean', default: false },
    seed: { type: 'string' },
    kills: { type: 'string' },
    chaos: { type: 'string' },
    shards: { type: 'string' },
  },
})
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(values.seed)
const minutes = values.short ? 0 : Number(values.minutes)
const wanted = values.parts.split(',')
const unknown = wanted.filter((name) => parts[name] === undefined)
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}.`)
  process.exit(2)
}
console.log(`seed ${seed}, ${minutes} minutes for each part`)
let failed = 0
for (const name of wanted) if (!(await passes(name, parts[name]!))) failed++
console.log(failed === 0 ? `all ${wanted.length} parts passed` : `${failed} of ${wanted.length} parts FAILED`)
process.exitCode = failed === 0 ? 0 : 1

async function passes(name: string, part: Part): Promise<boolean> {
  const began = performance.now()
  const seconds = () => `${((performance.now() - began) / 1000).toFixed(0)} s`
  try {
    const seen = await part({
      seed,
      minutes,
      isShort: values.short,
      ...(values.kills !== undefined && { kills: Number(values.kills) }),
      ...(values.chaos !== undefined && { chaos: values.chaos.split(',') }),
      ...(values.shards !== undefined && { shards: Number(values.shards) }),
      progress: (line) => showProgress(`${name}: ${line}`),
    })
    showProgress('')
    console.log(`PASSED ${name} (${seconds()}): ${seen}`)
    return true
  } catch (error) {
    showProgress('')
    console.log(`FAILED ${name} (${seconds()}): ${error instanceof Error ? error.stack : error}`)
    return false
  }
}

/** One line that is written over, where somebody looks. */
function showProgress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`)
}
