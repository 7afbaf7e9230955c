/**
 * `npm run fuzz -- --count 100000 [--seed N] [--described]`: the fuzz test for as long as wanted, against the built
 * server. Wild requests, or those that `GET /openapi.json` describes with single mistakes in them.
 */
import { parseArgs } from 'node:util'
import { Description, type Document } from '../test/fuzz/description.js'
import { described, fuzz } from '../test/fuzz/run.js'
import { TestServer } from '../test/server.js'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    described: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
})
const count = Number(values.count)
const seed = Number(values.seed)
const masterKey = 'a-master-key-of-enough-bytes'

console.log(`fuzz: seed ${seed}, ${count} ${values.described ? 'described' : 'wild'} requests`)
const server = await TestServer.start({ masterKey })
const started = performance.now()
const onProgress = (done: number) => {
  if (done % 10_000 === 0) console.log(`${done} requests, ${Math.round((performance.now() - started) / 1000)} s`)
}
const description = values.described
  ? new Description((await server.request<Document>('GET', '/openapi.json')).body)
  : undefined
const source = description && { source: described(description, masterKey) }
const problems = await fuzz({ port: server.port, masterKey, seed, count, onProgress, ...source })
if (description) console.log(`fuzz: never succeeded: ${[...description.untried].join(', ') || 'none'}`)
// Whatever was answered: nothing may surprise the server, not even in a task.
problems.push(...server.log.split('\n').filter((line) => line.includes('unexpectedly')))
if (!server.isRunning) problems.push(`the server ended:\n${server.log.slice(-2000)}`)
await server.close()
for (const problem of problems) console.error(problem)
console.log(`fuzz: ${problems.length} problems`)
if (problems.length > 0) process.exitCode = 1
