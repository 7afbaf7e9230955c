/**
 * Fails when the server has become twice as slow, measured against a library in the same run: the speed of the machine
 * does not matter then. What is left to chance gets a second try. Part of `npm test`.
 *
 *   npx tsx bench/guard.ts
 */
import { filmSet, filmSetNote, readFilmSearches, readFilms } from './data.js'
import { median, timed } from './figures.js'
import { createIndex, postAll, postBodies } from './fill.js'
import { PEERS } from './peers/in-process.js'
import { Report } from './report.js'
import { firstTimesByKind } from './search-times.js'
import { Bench } from './workload.js'

/**
 * Our time divided by that of the peer, as it was when last looked at; `docs/performance.md` tells more. Texts change
 * both ratios, so each set of films has its own.
 */
const KNOWN = {
  full: { indexing: 0.85, searching: 0.06 },
  example: { indexing: 1.3, searching: 0.3 },
}[filmSet]
const ALLOWED = 2
const PEER = 'MiniSearch'
const SEARCH_ROUNDS = 2
/** The peer takes long: some of the searches are enough. Without texts it takes less. */
const EVERY = { full: 16, example: 4 }[filmSet]

type Times = Record<keyof typeof KNOWN, number>

process.exitCode = await main()

async function main(): Promise<number> {
  console.log(`guard: ${filmSetNote}`)
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
  const set = readFilmSearches()
  const bodies = postBodies(readFilms())
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
  const documents = readFilms()
  const queries = readFilmSearches().searches.flatMap(({ body }) => (body as { q?: string }).q || [])
  const started = performance.now()
  const { find } = await peer.index(documents)
  const indexing = performance.now() - started
  const searches: number[] = []
  for (const q of queries.filter((_, i) => i % EVERY === 0)) searches.push(await timed(async () => find(q)))
  return { indexing, searching: median(searches) }
}
