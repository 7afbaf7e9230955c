import { beforeAll, expect, test } from 'vitest'
import { type ShardServers, startShardServers } from './shard-servers.fixture.js'

let network: ShardServers

const WORDS = ['red', 'fox', 'lazy', 'dog', 'quick', 'brown', 'foxes', 'docks']
const TAGS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 7, 8]

/** The same numbers each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return (state >>> 8) % below
  }
}

function documents(count: number): object[] {
  const next = numbers(11)
  return Array.from({ length: count }, (_, id) => ({
    id,
    text: Array.from({ length: 1 + next(4) }, () => WORDS[next(WORDS.length)]).join(' '),
    year: 1990 + next(12),
    ...(next(8) > 0 && { maker: `maker ${next(25)}` }),
    tags: Array.from({ length: next(4) }, () => TAGS[next(TAGS.length)]),
    crew: Array.from({ length: 1 + next(3) }, () => `person ${next(60)}`),
  }))
}

beforeAll(async () => {
  network = await startShardServers({ s1: 'a', s2: 'b', s3: 'c' })
  const filterableAttributes = ['maker', 'tags', 'crew', 'year']
  await network.done('PATCH', '/indexes/shop/settings', { filterableAttributes, sortableAttributes: ['year'] })
  await network.done('POST', '/indexes/shop/documents', documents(300))
}, 120_000)

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Json = any

const shown = ({ hits, facetDistribution, facetStats, estimatedTotalHits, totalHits }: Json) => ({
  hits: hits.map(({ id, _rankingScore }: Json) => [id, _rankingScore]),
  facetDistribution,
  facetStats,
  total: estimatedTotalHits ?? totalHits,
})

const searches = ['maker', 'tags', 'crew'].flatMap((distinct) =>
  ['', 'fox', 'red fox', 'lazy', 'quick brown dog'].flatMap((q) => [
    { q, distinct },
    { q, distinct, limit: 5 },
    { q, distinct, limit: 3, offset: 4 },
    { q, distinct, sort: ['year:desc'], limit: 6 },
    { q, distinct, limit: 4, facets: ['tags', 'year'] },
    { q, distinct, page: 2, hitsPerPage: 3, facets: ['tags', 'year'] },
    { q, distinct, page: 1, hitsPerPage: 50, facets: ['crew'] },
  ]),
)

/** Those of which the answer of some server is not the one of a server with all documents. */
async function differing(asked: readonly object[]): Promise<string[]> {
  const servers = [...network.servers.values()]
  const wrong: string[] = []
  for (const [i, search] of asked.entries()) {
    const body = { ...search, showRankingScore: true }
    const { json: whole } = await network.whole.send('POST', '/indexes/shop/search', { body })
    const { json: found } = await servers[i % servers.length]!.send('POST', '/indexes/shop/search', { body })
    const [expected, actual] = [JSON.stringify(shown(whole)), JSON.stringify(shown(found))]
    if (expected !== actual) wrong.push(`${JSON.stringify(search)}\n  ${expected}\n  ${actual}`)
  }
  return wrong
}

test('each value of an attribute comes once among all servers as on one', async () => {
  expect(await differing(searches)).toEqual([])
}, 240_000)

test('so it does where the settings ask for it', async () => {
  await network.done('PATCH', '/indexes/shop/settings', { distinctAttribute: 'crew' })
  expect(await differing(searches.slice(0, 35).map(({ distinct, ...search }) => search))).toEqual([])
}, 240_000)

test('what servers tell each other of values is checked', async () => {
  const a = network.servers.get('a')!
  for (const distinct of [1, { taken: [[]], most: null }, { taken: [], most: -1 }, { taken: ['a'] }]) {
    const query = { indexUid: 'shop', q: 'fox', federationOptions: { distinct } }
    const refused = await a.send('POST', '/multi-search', { body: { federation: {}, queries: [query] } })
    expect(refused.json).toMatchObject({ code: 'bad_request' })
  }
})
