import { beforeAll, expect, test } from 'vitest'
import { type ShardServers, startShardServers } from './shard-servers.fixture.js'

/** One server for each shard, and two. */
const networks: ShardServers[] = []

/** Words that complete, misspell, split and join one another, so that places depend on documents of all shards. */
const WORDS = [
  ...['sun', 'flower', 'sunflower', 'sunflowers', 'flow', 'snow', 'board', 'snowboard', 'bord', 'snowbord', 'boards'],
  ...['sunf', 'lower', 'lowers', 'snowb', 'oard', 'flowers', 'blower', 'glower', 'slower', 'flowed', 'floe', 'hoard'],
]

/** The same numbers each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return (state >>> 8) % below
  }
}

function documents(count: number): object[] {
  const next = numbers(7)
  const text = (most: number) => Array.from({ length: 1 + next(most) }, () => WORDS[next(WORDS.length)]).join(' ')
  return Array.from({ length: count }, (_, id) => ({
    id,
    title: text(3),
    text: text(6),
    // A hundred words that begin alike, on all servers together.
    code: `st${String.fromCharCode(97 + (id % 26))}${String.fromCharCode(97 + ((id / 26) | 0))}`,
  }))
}

beforeAll(async () => {
  const alone = { s1: 'a', s2: 'b', s3: 'c' }
  const twice = { s1: 'ab', s2: 'bc', s3: 'cd', s4: 'da' }
  for (const network of [await startShardServers(alone), await startShardServers(twice)]) {
    networks.push(network)
    await network.done('PATCH', '/indexes/garden/settings', { searchableAttributes: ['title', 'text', 'code'] })
    await network.done('POST', '/indexes/garden/documents', documents(110))
    await network.done('POST', '/indexes/garden/documents', documents(150).slice(90))
  }
}, 120_000)

const QUERIES = [
  'sun',
  'sun flower',
  'sunflower',
  'sunf lower',
  'snow board sun',
  'snowboard flower',
  'flower snowbord boards',
  'st',
  'flow st',
  'sun stb',
  'glower',
  'flowe',
  'slowerboard',
  'sun "snow board"',
  'board -sun',
  'flower nothing',
  'sunflowers snow bord flow',
]

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Json = any

const shown = ({ hits, estimatedTotalHits }: Json) => ({
  hits: hits.map(({ _federation, ...hit }: Json) => hit),
  estimatedTotalHits,
})

test.each([
  ['last', 0],
  ['all', 0],
  ['frequency', 0],
  ['last', 1],
  ['frequency', 1],
] as const)(
  'places, scores and highlights with the strategy %s are those of one server',
  async (matchingStrategy, at) => {
    const network = networks[at]!
    const servers = [...network.servers.values()]
    for (const [i, q] of QUERIES.entries()) {
      const body = { q, matchingStrategy, limit: 30, showRankingScoreDetails: true, attributesToHighlight: ['*'] }
      const { json: whole } = await network.whole.send('POST', '/indexes/garden/search', { body })
      const { json: found } = await servers[i % servers.length]!.send('POST', '/indexes/garden/search', { body })
      expect(shown(found), q).toEqual(shown(whole))
    }
  },
  120_000,
)

test('what servers tell each other is not shown, and what is not of them is refused', async () => {
  const a = networks[0]!.servers.get('a')!
  const found = await a.send('POST', '/indexes/garden/search', { body: { q: 'sun flower' } })
  expect(found.text).not.toMatch(/collectionFindings|arrival|knowledge/)
  const query = { indexUid: 'garden', q: 'sun', federationOptions: { knowledge: { terms: 1 } } }
  const refused = await a.send('POST', '/multi-search', { body: { federation: {}, queries: [query] } })
  expect(refused.json).toMatchObject({ code: 'bad_request' })
})
