/**
 * Workloads over HTTP, and other libraries in the same run. Says each figure when it is there, and all in one table.
 *
 *   npm run bench                                       everything, with the built server; takes half an hour
 *   npm run bench -- --only movies,peers                some workloads
 *   npm run bench -- --short                            fewer documents and rounds, a few minutes
 *   npm run bench -- --json figures.json                writes the figures too; `bench/page.ts` makes a page of them
 *   npm run bench -- --only cluster                     three servers with the same data (nats-server is needed); more with
 *                      --rounds 5 --read-backs 10000 --batches 1000
 *   npm run bench -- --only shards                      one index on three servers, against one server; more with --rounds 5,
 *                      another amount of small made documents with --documents 10000000
 *   npm run bench -- --url http://127.0.0.1:7700        any empty server with this interface (one workload at a time)
 *
 * The environment variable BENCH_PYTHON names a Python that has the package `tantivy`. BENCH_DATA=example measures the
 * films that come with the project, also where larger sets lie beside it (`bench/data.ts`).
 */
import { parseArgs } from 'node:util'
import { filmSetNote } from './data.js'
import { Report } from './report.js'
import { Bench, type Sizes, type Workload } from './workload.js'
import { asYouType } from './workloads/as-you-type.js'
import { chat } from './workloads/chat.js'
import { cities } from './workloads/cities.js'
import { cluster } from './workloads/cluster.js'
import { federation } from './workloads/federation.js'
import { growth } from './workloads/growth.js'
import { manyIndexes } from './workloads/many-indexes.js'
import { million } from './workloads/million.js'
import { mixed } from './workloads/mixed.js'
import { movies } from './workloads/movies.js'
import { peers } from './workloads/peers.js'
import { shards } from './workloads/shards.js'
import { shop } from './workloads/shop.js'
import { start } from './workloads/start.js'
import { tasks } from './workloads/tasks.js'
import { vectors } from './workloads/vectors.js'

const WORKLOADS: readonly Workload[] = [
  start,
  tasks,
  movies,
  growth,
  peers,
  cities,
  asYouType,
  mixed,
  federation,
  manyIndexes,
  shop,
  chat,
  vectors,
  million,
  cluster,
  shards,
]

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    short: { type: 'boolean', default: false },
    json: { type: 'string' },
    url: { type: 'string' },
    key: { type: 'string' },
    documents: { type: 'string' },
    rounds: { type: 'string' },
    'read-backs': { type: 'string' },
    batches: { type: 'string' },
  },
})

const names = flags.only?.split(',') ?? WORKLOADS.map(({ name }) => name)
const unknown = names.filter((name) => !WORKLOADS.some((workload) => workload.name === name))
if (unknown.length > 0) {
  const known = WORKLOADS.map(({ name }) => name).join(', ')
  console.error(`There is no workload ${unknown.join(', ')}; there are: ${known}.`)
  process.exit(2)
}

console.log(filmSetNote)
const report = new Report()
const bench = new Bench(
  report,
  { ...(flags.url && { url: flags.url }), ...(flags.key && { key: flags.key }) },
  flags.short,
  sizesOf({
    documents: flags.documents,
    rounds: flags.rounds,
    readBacks: flags['read-backs'],
    batches: flags.batches,
  }),
)
for (const workload of WORKLOADS) {
  if (!names.includes(workload.name)) continue
  report.begin(workload.name)
  await workload.run(bench)
  // What is measured so far is kept, whatever happens to the next.
  if (flags.json !== undefined) report.save(flags.json)
}
console.log()
report.print()

/** Those that were said. */
function sizesOf(said: Record<keyof Sizes, string | undefined>): Sizes {
  return Object.fromEntries(Object.entries(said).flatMap(([name, value]) => (value ? [[name, Number(value)]] : [])))
}
