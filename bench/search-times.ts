import type { BenchServer } from './bench-server.js'
import { timed } from './figures.js'
import type { Connection } from './http-client.js'
import type { SearchSet } from './workload.js'

/**
 * Times of searches that were asked before, as a client sees them: one after the other on one connection that is kept
 * open. The first round, or as many as are said, is not counted. The server remembers the answers: these figures say
 * nothing about searching.
 */
export async function timesAskedAgain(
  server: BenchServer,
  set: SearchSet,
  rounds: number,
  uncounted = 1,
): Promise<number[]> {
  const connection = server.connect()
  const times: number[] = []
  for (let round = 0; round < uncounted + rounds; round++) {
    const ofRound = await timesOf(connection, set, bodiesOf(set))
    if (round >= uncounted) times.push(...ofRound)
  }
  connection.close()
  return times
}

/** The same searches, each a little different every time: the server knows their rankings, but has to make answers. */
export async function timesReworded(server: BenchServer, set: SearchSet, rounds: number): Promise<number[]> {
  const connection = server.connect()
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const reworded = set.searches.map(({ body }) => ({ ...body, highlightPreTag: `<em id="${round}">` }))
    times.push(...(await timesOf(connection, set, reworded)))
  }
  connection.close()
  return times
}

/**
 * Times of searches by kind, each asked once after a document was changed: the server remembers neither answers nor
 * rankings. This is what searching costs.
 */
export async function firstTimesByKind(
  server: BenchServer,
  set: SearchSet,
  rounds: number,
): Promise<Map<string, number[]>> {
  const connection = server.connect()
  const times = new Map<string, number[]>()
  for (let round = 0; round < rounds; round++) {
    const changed = [{ [set.primaryKey]: 90_000_000 + round, title: `round ${round}` }]
    const { taskUid } = await connection.json<{ taskUid: number }>('PUT', `/indexes/${set.index}/documents`, changed)
    await connection.finished(taskUid)
    const ofRound = await timesOf(connection, set, bodiesOf(set))
    for (const [i, { kind }] of set.searches.entries()) {
      const ofKind = times.get(kind) ?? []
      times.set(kind, [...ofKind, ofRound[i] ?? Number.NaN])
    }
  }
  connection.close()
  return times
}

const bodiesOf = ({ searches }: SearchSet) => searches.map(({ body }) => body)

/** Of some searches, one after the other. */
async function timesOf(connection: Connection, { index }: SearchSet, bodies: readonly object[]): Promise<number[]> {
  const times: number[] = []
  for (const body of bodies)
    times.push(await timed(() => connection.send('POST', `/indexes/${index}/search`, JSON.stringify(body))))
  return times
}

/** Searches a second over many connections at once, the client on the same machine; most answers are remembered ones. */
export async function askedAgainPerSecond(
  server: BenchServer,
  { index, searches }: SearchSet,
  connections: number,
): Promise<number> {
  const bodies = searches.map(({ body }) => JSON.stringify(body))
  const target = bodies.length * 8
  let sent = 0
  const took = await timed(() =>
    Promise.all(
      Array.from({ length: connections }, async () => {
        const connection = server.connect()
        while (sent < target) await connection.send('POST', `/indexes/${index}/search`, bodies[sent++ % bodies.length])
        connection.close()
      }),
    ),
  )
  return target / (took / 1000)
}
