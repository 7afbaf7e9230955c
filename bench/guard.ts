/**
 * Fails when the server has become twice as slow, measured against a library in the same run: the speed of the machine
 * does not matter then. What is left to chance gets a second try. Part of `npm test`.
 *
 *   npx tsx bench/guard.ts
 */
import { median, timed } from './figures.js'
import { createIndex, postAll, postBodies } from './fill.js'
import { PEERS } from './peers/in-process.js'
import { Report } from './report.js'
import { firstTimesByKind } from './search-times.js'
import { Bench, hasSharedData, readDocuments, readSearches } from './workload.js'

/** Our time divided by that of the peer, as it was when last looked at; `docs/performance.md` tells more. */
const KNOWN = { indexing: 0.85, searching: 0.06 } as const
const ALLOWED = 2
const PEER = 'MiniSearch'
const SEARCH_ROUNDS = 2
/** The peer takes long: some of the searches are enough. */
const EVERY = 16

type Times = Record<keyof typeof KNOWN, number>

process.exitCode = hasSharedData() ? await main() : skipped()

function skipped(): number {
  console.log('guard: skipped, the films (../shared/data) are not here')
  return 0
}

async function main(): Promise<number> {
  const isGood = (await isFastEnough()) || (await isFastEnough())
  if (!isGood) console.error(`guard: more than ${ALLOWED} times as slow against ${PEER} as it was`)
  return isGood ? 0 : 1
}

async function isFastEnough(): Promise<boolean> {
  const [ours, peers] = [await measureServer(), await measurePeer()]
  let isGood = true
  for (const what of ['indexing', 'searching'] as const) {
    const ratio = ours[what] / peers[what]
    const share = ratio / KNOWN[what]
    console.log(
      `guard: ${what} ${ours[what].toFixed(1)} ms, ${PEER} ${peers[what].toFixed(1)} ms, ${share.toFixed(2)} × the known ratio`,
    )
    isGood &&= share <= ALLOWED
  }
  return isGood
}

async function measureServer(): Promise<Times> {
  const set = readSearches('movies-default')
  const bodies = postBodies(readDocuments('movies'))
  const times = { indexing: 0, searching: 0 }
  await new Bench(new Report(), {}, true).withServer(async (server) => {
    const connection = server.connect()
    await createIndex(connection, set)
    times.indexing = await timed(() => postAll(connection, set.index, bodies))
    connection.close()
    times.searching = median([...(await firstTimesByKind(server, set, SEARCH_ROUNDS)).values()].flat())
  })
  return times
}

async function measurePeer(): Promise<Times> {
  const peer = PEERS.find(({ name }) => name === PEER)!
  const documents = readDocuments('movies')
  const queries = readSearches('movies-default').searches.flatMap(({ body }) => (body as { q?: string }).q || [])
  const started = performance.now()
  const { find } = await peer.index(documents)
  const indexing = performance.now() - started
  const searches: number[] = []
  for (const q of queries.filter((_, i) => i % EVERY === 0)) searches.push(await timed(async () => find(q)))
  return { indexing, searching: median(searches) }
}
