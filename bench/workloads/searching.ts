import type { BenchServer } from './bench-server.js'
import { ms, quantile } from './figures.js'

/** Recorded searches on a set of documents. */
export interface SearchSet {
  readonly index: string
  readonly primaryKey: string
  readonly settings: object
  readonly searches: readonly { readonly kind: string; readonly body: object }[]
}

/** One after the other on one connection that is kept open: what a client sees, by kind of search. */
export async function searchByKind(server: BenchServer, set: SearchSet, rounds: number): Promise<void> {
  const connection = server.connect()
  const searches = set.searches.map(({ kind, body }) => ({ kind, body: JSON.stringify(body) }))
  const times = new Map<string, number[]>()
  // The first round is not counted: code and caches are cold.
  for (let round = 0; round <= rounds; round++) {
    for (const { kind, body } of searches) {
      const started = performance.now()
      await connection.send('POST', `/indexes/${set.index}/search`, body)
      const took = performance.now() - started
      if (round > 0) times.set(kind, [...(times.get(kind) ?? []), took])
    }
  }
  connection.close()
  const rows = [...times].map(([kind, list]) => [kind, { p50: ms(quantile(list, 0.5)), p99: ms(quantile(list, 0.99)) }])
  console.table(Object.fromEntries(rows))
  const all = [...times.values()].flat()
  console.log(`searches, one connection: p50 ${ms(quantile(all, 0.5))}, p99 ${ms(quantile(all, 0.99))}`)
}

/** The same searches, each once after a document was changed: the server remembers nothing of them. */
export async function searchAfterWrites(server: BenchServer, set: SearchSet, rounds: number): Promise<void> {
  const connection = server.connect()
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const changed = [{ [set.primaryKey]: 90_000_000 + round, title: `round ${round}` }]
    const { taskUid } = await connection.json<{ taskUid: number }>('PUT', `/indexes/${set.index}/documents`, changed)
    await connection.finished(taskUid)
    for (const { body } of set.searches) {
      const started = performance.now()
      await connection.send('POST', `/indexes/${set.index}/search`, JSON.stringify(body))
      times.push(performance.now() - started)
    }
  }
  connection.close()
  console.log(`searches, first since a write: p50 ${ms(quantile(times, 0.5))}, p99 ${ms(quantile(times, 0.99))}`)
}

/** Many connections at once, the client on the same machine. */
export async function searchInParallel(server: BenchServer, set: SearchSet, connections: number): Promise<void> {
  const bodies = set.searches.map(({ body }) => JSON.stringify(body))
  const target = bodies.length * 8
  let sent = 0
  const started = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const connection = server.connect()
      while (sent < target)
        await connection.send('POST', `/indexes/${set.index}/search`, bodies[sent++ % bodies.length])
      connection.close()
    }),
  )
  const took = (performance.now() - started) / 1000
  console.log(`searches, ${connections} connections: ${Math.round(target / took)} a second`)
}
