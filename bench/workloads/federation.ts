import { readFilms } from '../data.js'
import { median, timed } from '../figures.js'
import { postAll, postBodies } from '../fill.js'
import type { Connection } from '../http-client.js'
import type { Workload } from '../workload.js'

const INDEXES = ['one', 'two', 'three']
const WORDS = ['love story', 'war', 'the dark night', 'detective', 's', 'space ship', 'musical', 'new york', 'king', '']
const QUERIES = WORDS.map((q, i) => ({ indexUid: INDEXES[i % INDEXES.length]!, q }))

type Way = (connection: Connection) => Promise<unknown>

const WAYS = {
  federated: (connection) => connection.json('POST', '/multi-search', { queries: QUERIES, federation: {} }),
  'one after the other': async (connection) => {
    for (const { indexUid, q } of QUERIES) await connection.json('POST', `/indexes/${indexUid}/search`, { q })
  },
  'one request, ten results': (connection) => connection.json('POST', '/multi-search', { queries: QUERIES }),
} as const satisfies Record<string, Way>

interface Times {
  readonly way: string
  readonly first: number[]
  readonly again: number[]
}

/** Ten queries on three indexes of films: as one federated search, and in other ways. */
export const federation: Workload = {
  name: 'federation',
  async run(bench) {
    const { report } = bench
    await bench.withServer(async (server) => {
      const connection = server.connect()
      const documents = readFilms()
      for (const [i, index] of INDEXES.entries()) {
        const mine = documents.filter((_, place) => place % INDEXES.length === i)
        await postAll(connection, index, postBodies(mine))
      }
      const times = await compare(connection, bench.isShort ? 5 : 30)
      for (const round of ['first', 'again'] as const) {
        const label = round === 'first' ? 'first since a write' : 'again'
        for (const { way, [round]: list } of times) report.add(`ten queries, ${way}, ${label}, p50`, median(list), 'ms')
        const [together, apart] = times.map(({ [round]: list }) => median(list))
        report.add(`federated as a multiple of one after the other, ${label}`, together! / apart!, 'x', '1.3 ×')
      }
      connection.close()
    })
  },
}

/** The ways take turns, each on what a write of its own has left. */
async function compare(connection: Connection, rounds: number): Promise<readonly Times[]> {
  const times = Object.keys(WAYS).map((way): Times => ({ way, first: [], again: [] }))
  let id = 90_000_000
  // The first rounds are not counted: code and caches are cold.
  for (let round = -5; round < rounds; round++) {
    for (const { way, first, again } of times) {
      for (const index of INDEXES) await postAll(connection, index, postBodies([{ id: id++, title: 'a new film' }]))
      const ask = () => WAYS[way as keyof typeof WAYS](connection)
      const took = [await timed(ask), await timed(ask)] as const
      if (round < 0) continue
      first.push(took[0])
      again.push(took[1])
    }
  }
  return times
}
