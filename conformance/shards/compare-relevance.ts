import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { TestServer } from '../../test/server.js'
import { recordings } from '../recordings.js'
import { ended, ShardNetwork } from './shard-network.js'

interface Search {
  readonly kind: string
  readonly body: Readonly<Record<string, unknown>>
}

interface SearchSet {
  readonly name: string
  readonly data: string
  readonly index: string
  readonly primaryKey: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly searches: readonly Search[]
}

type Hit = Readonly<Record<string, unknown>>

interface Found {
  readonly hits: readonly Hit[]
  readonly totalHits?: number
  readonly estimatedTotalHits?: number
  readonly facetDistribution?: unknown
  readonly facetStats?: unknown
  readonly remoteErrors?: unknown
}

export interface SameAnswers {
  readonly area: string
  readonly asked: number
  /** As often as all servers answered like one with all documents. */
  readonly same: number
}

/** Asks each search of a set of one server with all documents, and of each one of a network that has them in shards. */
export async function compareRelevance(file: string, shardCount: number): Promise<SameAnswers> {
  const set = readGzipped<SearchSet>(file)
  const documents = readGzipped<readonly unknown[]>(join(recordings, '..', 'data', set.data))
  const whole = await TestServer.start()
  const network = await ShardNetwork.start(shardCount)
  try {
    await load(set, documents, async (method, path, body) => {
      const { body: task } = await whole.request<{ taskUid: number }>(method, path, body)
      const { status } = await ended(whole, task.taskUid)
      if (status !== 'succeeded') throw new Error(`${method} ${path}: ${status}`)
    })
    await load(set, documents, (method, path, body) => network.run(method, path, body))
    return await compareSearches(set, whole, network)
  } finally {
    await Promise.all([whole.close(), network.close()])
  }
}

const BATCH = 10_000

async function load(
  { index, primaryKey, settings }: SearchSet,
  documents: readonly unknown[],
  run: (method: string, path: string, body: unknown) => Promise<void>,
): Promise<void> {
  await run('POST', '/indexes', { uid: index, primaryKey })
  await run('PATCH', `/indexes/${index}/settings`, settings)
  for (let i = 0; i < documents.length; i += BATCH) {
    await run('POST', `/indexes/${index}/documents`, documents.slice(i, i + BATCH))
  }
}

async function compareSearches(set: SearchSet, whole: TestServer, network: ShardNetwork): Promise<SameAnswers> {
  const path = `/indexes/${set.index}/search`
  let same = 0
  for (const { kind, body } of set.searches) {
    const asked = { ...body, showRankingScore: true, showRankingScoreDetails: true }
    const expected = factsOf((await whole.request<Found>('POST', path, asked)).body, set.primaryKey)
    const wrong: string[] = []
    for (const [i, server] of network.servers.entries()) {
      const differing = differences(
        expected,
        factsOf((await server.request<Found>('POST', path, asked)).body, set.primaryKey),
      )
      if (differing.length > 0) wrong.push(`server ${i}: ${differing.join(', ')}`)
    }
    if (wrong.length === 0) same++
    else console.log(`DIFF ${set.name} ${kind} ${JSON.stringify(body)}: ${wrong.join('; ')}`)
  }
  return { area: set.name, asked: set.searches.length, same }
}

type Facts = Readonly<Record<string, unknown>>

/** What an answer says, by names that tell where two differ. */
function factsOf(found: Found, primaryKey: string): Facts {
  const { hits = [], totalHits, estimatedTotalHits, facetDistribution, facetStats, remoteErrors = {} } = found
  return {
    hits: hits.map((hit) => hit[primaryKey]),
    scores: hits.map((hit) => hit._rankingScore),
    details: hits.map((hit) => hit._rankingScoreDetails),
    'members of hits': hits.map(({ _federation, ...members }) => members),
    total: totalHits ?? estimatedTotalHits,
    facets: [facetDistribution, facetStats],
    errors: 'hits' in found ? remoteErrors : found,
  }
}

/** Of each fact that differs its name, and where it is short what both said. */
function differences(expected: Facts, actual: Facts): string[] {
  return Object.keys(expected).flatMap((name) => {
    const [one, other] = [JSON.stringify(expected[name]), JSON.stringify(actual[name])]
    if (one === other) return []
    return one.length + other.length < 100 ? `${name} ${one} became ${other}` : name
  })
}

function readGzipped<T>(file: string): T {
  const bytes = readFileSync(file)
  return JSON.parse((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')) as T
}
