/**
 * Workloads over HTTP, printed as one table: indexing movies, small changes in the full index, searches by kind on one
 * connection, and on many at once.
 *
 *   npm run bench                                   starts the built server in a folder of its own
 *   npm run bench -- --url http://127.0.0.1:7700    any empty server with this interface
 *   npm run bench -- --no-peers                     without other libraries for comparison
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { BenchServer } from './bench-server.js'
import { machineSpeed } from './figures.js'
import { indexMovies, smallChanges } from './indexing.js'
import { measurePeers } from './peers.js'
import { type SearchSet, searchAfterWrites, searchByKind, searchInParallel } from './searching.js'

const shared = join(import.meta.dirname, '..', '..', 'shared')
const { values: flags } = parseArgs({
  options: {
    url: { type: 'string' },
    key: { type: 'string' },
    data: { type: 'string', default: join(shared, 'data', 'movies.json.gz') },
    searches: { type: 'string', default: join(shared, 'conformance', 'relevance', 'movies-default.json') },
    rounds: { type: 'string', default: '5' },
    'no-peers': { type: 'boolean', default: false },
  },
})

const documents = JSON.parse(gunzipSync(readFileSync(flags.data)).toString()) as object[]
const set = JSON.parse(readFileSync(flags.searches, 'utf8')) as SearchSet

console.log(`machine: a plain loop of 2e8 steps took ${machineSpeed().toFixed(0)} ms`)
const server = await BenchServer.open(flags.url, flags.key)
try {
  await indexMovies(server, set, documents)
  await smallChanges(server, set, documents)
  await searchByKind(server, set, Number(flags.rounds))
  await searchAfterWrites(server, set, Number(flags.rounds))
  await searchInParallel(server, set, 16)
} finally {
  await server.close()
}
if (!flags['no-peers']) await measurePeers(set, documents)
