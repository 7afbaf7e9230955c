import { MASTER_KEY } from '../../scripts/cluster/local-cluster.js'
import { Connection } from '../http-client.js'
import { processorMs } from '../process-figures.js'
import type { SearchSet } from '../workload.js'
import type { Place } from './filled.js'

export interface FirstTimes {
  /** Milliseconds of each search, in the order in which they were asked. */
  readonly one: readonly number[]
  readonly three: readonly number[]
  /** Of all servers for each search: what counts where they do not share a machine, or it has other work. */
  readonly processorMsEach: { readonly one: number; readonly three: number }
  /** Kinds of those that were not answered alike. */
  readonly different: readonly string[]
}

/** Asks each search once on one server and once on several, taking turns, and compares the answers. */
export async function firstTimes(
  one: Place,
  three: Place,
  { index, searches }: Pick<SearchSet, 'index' | 'searches'>,
): Promise<FirstTimes> {
  const [alone, ...shared] = [one, three].flatMap(({ servers }) =>
    servers.map(({ url }) => new Connection(url, MASTER_KEY)),
  )
  const times = { one: [] as number[], three: [] as number[] }
  const different: string[] = []
  const usedBefore = { one: usedBy(one), three: usedBy(three) }
  const ask = async (who: keyof typeof times, connection: Connection, body: string): Promise<string> => {
    const startedAt = performance.now()
    const answer = await connection.send('POST', `/indexes/${index}/search`, body)
    times[who].push(performance.now() - startedAt)
    return factsOf(answer)
  }
  for (const [i, { kind, body }] of firstOnly(searches).entries()) {
    const text = JSON.stringify(body)
    const single = await ask('one', alone!, text)
    const merged = await ask('three', shared[i % shared.length]!, text)
    if (single !== merged) different.push(kind)
  }
  for (const connection of [alone!, ...shared]) connection.close()
  const each = (place: Place, before: number) => (usedBy(place) - before) / times.one.length
  const processorMsEach = { one: each(one, usedBefore.one), three: each(three, usedBefore.three) }
  return { ...times, processorMsEach, different }
}

const usedBy = ({ servers }: Place): number => servers.reduce((sum, { pid }) => sum + processorMs(pid!), 0)

/** A search that was asked before might be remembered. */
function firstOnly(searches: SearchSet['searches']): SearchSet['searches'] {
  return [...new Map(searches.map((search) => [JSON.stringify(search.body), search])).values()]
}

/** What has to be the same: servers that merge say of each hit where it is from. */
function factsOf(answer: Buffer): string {
  const { hits, estimatedTotalHits, totalHits, facetDistribution } = JSON.parse(answer.toString())
  const plain = hits.map(({ _federation, ...hit }: Record<string, unknown>) => hit)
  return JSON.stringify([plain, estimatedTotalHits, totalHits, facetDistribution])
}
