import { bareTimes } from '../bare-server.js'
import type { BenchServer } from '../bench-server.js'
import { filmTarget, readFilmSearches, readFilms } from '../data.js'
import { median, quantile } from '../figures.js'
import { createIndex, postAll, postBodies, timeTask } from '../fill.js'
import type { Report } from '../report.js'
import { askedAgainPerSecond, firstTimesByKind, timesAskedAgain, timesReworded } from '../search-times.js'
import type { Document, SearchSet, Workload } from '../workload.js'

/** So many times every search is asked until V8 has compiled what it will: some thousand searches. */
const SETTLING_ROUNDS = 20

/** 36,273 films: indexed in four posts, changed one by one, searched in all kinds of ways. */
export const movies: Workload = {
  name: 'movies',
  async run(bench) {
    const set = readFilmSearches()
    const documents = readFilms()
    const rounds = bench.isShort ? 2 : 5
    await bench.withServer(async (server) => {
      await index(server, set, documents, bench.report)
      await smallChanges(server, set, documents, bench.report)
      await search(server, set, rounds, bench.report)
    })
  },
}

/** From the first POST to the last task succeeded: posts of ten thousand, without waiting in between. */
async function index(
  server: BenchServer,
  set: SearchSet,
  documents: readonly Document[],
  report: Report,
): Promise<void> {
  const connection = server.connect()
  await createIndex(connection, set)
  const bodies = postBodies(documents)
  const memory = server.watchMemory()
  const started = performance.now()
  await postAll(connection, set.index, bodies)
  report.add('indexed', (performance.now() - started) / 1000, 's', filmTarget('4.5 s'))
  const peak = memory.stop()
  if (peak !== undefined) report.add('memory while indexing', peak / 1e6, 'MB', filmTarget('500 MB'))
  const disk = await server.diskBytes()
  if (disk !== undefined) report.add('disk', disk / 1e6, 'MB', filmTarget('45 MB'))
  connection.close()
}

/** One document added, changed and removed at a time, in the full index. */
async function smallChanges(
  server: BenchServer,
  set: SearchSet,
  documents: readonly Document[],
  report: Report,
): Promise<void> {
  const connection = server.connect()
  const path = `/indexes/${set.index}/documents`
  const sample = documents.filter((_, i) => i % 700 === 0).slice(0, 40)
  const newId = (i: number) => 90_000_000 + i
  const kinds: Record<string, (document: Document, i: number) => Promise<{ taskUid: number }>> = {
    added: (document, i) => connection.json('POST', path, [{ ...document, [set.primaryKey]: newId(i) }]),
    changed: (document) => connection.json('PUT', path, [{ [set.primaryKey]: document[set.primaryKey], year: 1999 }]),
    removed: (_, i) => connection.json('DELETE', `${path}/${newId(i)}`),
  }
  for (const [name, change] of Object.entries(kinds)) {
    const times: number[] = []
    for (const [i, document] of sample.entries()) times.push(await timeTask(connection, () => change(document, i)))
    report.add(`one document ${name}, median`, median(times), 'ms', filmTarget('25 ms'))
  }
  connection.close()
}

async function search(server: BenchServer, set: SearchSet, rounds: number, report: Report): Promise<void> {
  // First, so that V8 need not compile the client while the server is being timed.
  const bare = await bareTimes(set, SETTLING_ROUNDS)
  report.add('a bare server, right before, p50', median(bare), 'ms')
  report.add('a bare server, right before, p99', quantile(bare, 0.99), 'ms')
  await firstTimeSearches(server, set, rounds, report)
  await rememberedSearches(server, set, rounds, report)
}

async function firstTimeSearches(server: BenchServer, set: SearchSet, rounds: number, report: Report): Promise<void> {
  const times = await firstTimesByKind(server, set, rounds)
  const all = [...times.values()].flat()
  report.add('searches, first time, p50', median(all), 'ms')
  report.add('searches, first time, p99', quantile(all, 0.99), 'ms')
  for (const [kind, list] of times) report.add(`search, ${kind}, first time, p50`, median(list), 'ms')
}

async function rememberedSearches(server: BenchServer, set: SearchSet, rounds: number, report: Report): Promise<void> {
  const again = await timesAskedAgain(server, set, rounds)
  report.add('searches asked again, answer remembered, p50', median(again), 'ms', filmTarget('0.8 ms'))
  report.add('searches asked again, answer remembered, p99', quantile(again, 0.99), 'ms', filmTarget('2.5 ms'))
  const settled = await timesAskedAgain(server, set, rounds, SETTLING_ROUNDS)
  report.add(`the same, ${SETTLING_ROUNDS} rounds later, p50`, median(settled), 'ms')
  report.add(`the same, ${SETTLING_ROUNDS} rounds later, p99`, quantile(settled, 0.99), 'ms')
  const reworded = await timesReworded(server, set, rounds)
  report.add('searches reworded, ranking remembered, p50', median(reworded), 'ms')
  report.add('searches reworded, ranking remembered, p99', quantile(reworded, 0.99), 'ms')
  const perSecond = await askedAgainPerSecond(server, set, 16)
  report.add('searches asked again, answer remembered, 16 connections', perSecond, '/s', filmTarget('1600 /s +'))
}
