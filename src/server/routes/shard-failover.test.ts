import { beforeAll, describe, expect, test } from 'vitest'
import type { IndexServer } from '../index-server.fixture.js'
import { type ShardServers, startShardServers } from './shard-servers.fixture.js'

let network: ShardServers
let a: IndexServer

const BOOKS = Array.from({ length: 90 }, (_, id) => ({ id, title: `book ${id % 7}` }))

beforeAll(async () => {
  network = await startShardServers({ s1: 'ab', s2: 'bc', s3: 'ca' })
  a = network.servers.get('a')!
  await network.done('POST', '/indexes/books/documents', BOOKS)
}, 60_000)

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Json = any

const search = async (): Promise<Json> =>
  (await a.send('POST', '/indexes/books/search', { body: { q: 'book', limit: 100 } })).json

/** The other server that answers for some shard. */
const partnerOf = ({ hits }: Json): string =>
  hits.map(({ _federation }: Json) => _federation.remote).find((name: string) => name !== 'a')

interface Watched {
  readonly answers: Json[]
  readonly longestMs: number
}

/** Searches on and on, by several people at once, while something happens. */
async function searchDuring(happening: (answers: readonly Json[]) => Promise<void>): Promise<Watched> {
  const answers: Json[] = []
  let isOver = false
  let longestMs = 0
  const person = async () => {
    while (!isOver) {
      const start = performance.now()
      answers.push(await search())
      longestMs = Math.max(longestMs, performance.now() - start)
    }
  }
  const people = Array.from({ length: 4 }, person)
  await happening(answers)
  isOver = true
  await Promise.all(people)
  return { answers, longestMs }
}

const until = async (isReached: () => boolean): Promise<void> => {
  while (!isReached()) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** On a machine that does nothing else it takes some milliseconds, and where nothing is heard a quarter of a second. */
const LONGEST_MS = 5000

describe.each<[string, 'cut' | 'silence']>([
  ['is killed', 'cut'],
  ['cannot be reached', 'silence'],
])('an owner %s', (_name, happens) => {
  test('no search fails and none is incomplete: another owner answers', async () => {
    for (let i = 0; i < 20; i++) await search()
    const partner = partnerOf(await search())
    const line = network.lines.get(partner)!
    const watched = await searchDuring(async (answers) => {
      line[happens]()
      const already = answers.length
      await until(() => answers.length >= already + 30)
    })
    for (const { estimatedTotalHits, hits, remoteErrors } of watched.answers) {
      expect([estimatedTotalHits, hits.length, remoteErrors]).toEqual([BOOKS.length, BOOKS.length, {}])
    }
    expect(watched.longestMs).toBeLessThan(LONGEST_MS)
    expect(partnerOf(watched.answers.at(-1))).not.toBe(partner)
    const { json } = await a.send('GET', '/network')
    expect(json.remotes[partner].status).toBe(happens === 'cut' ? 'unavailable' : 'available')
    await line.mend()
    a.context.network.availability.set(partner, 'available')
  })
})

test('a shard without a living owner is missing, and its owners are named', async () => {
  for (const name of ['b', 'c']) network.lines.get(name)!.cut()
  const { estimatedTotalHits, remoteErrors } = await search()
  expect(estimatedTotalHits).toBeLessThan(BOOKS.length)
  expect(estimatedTotalHits).toBeGreaterThan(0)
  expect(Object.keys(remoteErrors)).toEqual(['b', 'c'])
  // They rest now, and are not asked again.
  expect(Object.keys((await search()).remoteErrors)).toEqual(['b', 'c'])
  for (const name of ['b', 'c']) {
    await network.lines.get(name)!.mend()
    a.context.network.availability.set(name, 'available')
  }
  expect((await search()).estimatedTotalHits).toBe(BOOKS.length)
})
