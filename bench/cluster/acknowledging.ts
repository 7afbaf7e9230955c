import { setTimeout as pause } from 'node:timers/promises'
import { Connection } from '../http-client.js'

const ALONE = 400
const TOGETHER = 4_000
export const CLIENTS = 32
const WARM_UP = 100
/** What was written is indexed by then, and nobody is busy with it. */
const SETTLED_MS = 3_000

export interface Acknowledging {
  /** Milliseconds until 202, one write after the other. */
  readonly alone: readonly number[]
  /** The same with many clients. */
  readonly together: readonly number[]
  readonly perSecond: number
}

/** Small writes, evenly over the servers, by one client and then by many at once. */
export async function measureAcknowledging(urls: readonly string[], key: string): Promise<Acknowledging> {
  const clients = Array.from({ length: CLIENTS }, (_, i) => new Connection(urls[i % urls.length]!, key))
  let id = 0
  const post = async (client: Connection): Promise<number> => {
    const body = JSON.stringify([{ id: id++, title: 'some film', text: 'a stranger comes to town' }])
    const sentAt = performance.now()
    await client.send('POST', '/indexes/films/documents', body)
    return performance.now() - sentAt
  }
  const each = (i: number): Connection => clients[i % urls.length]!
  for (let i = 0; i < WARM_UP; i++) await post(each(i))
  await pause(SETTLED_MS)
  const alone: number[] = []
  for (let i = 0; i < ALONE; i++) alone.push(await post(each(i)))
  await pause(SETTLED_MS)
  const together: number[] = []
  const startedAt = performance.now()
  let sent = 0
  await Promise.all(
    clients.map(async (client) => {
      while (sent++ < TOGETHER) together.push(await post(client))
    }),
  )
  const perSecond = (TOGETHER / (performance.now() - startedAt)) * 1000
  for (const client of clients) client.close()
  return { alone, together, perSecond }
}
