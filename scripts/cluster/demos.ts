import { clusterText } from '../../src/commands/index.js'
import type { ClusterView } from '../../src/server/index.js'
import { divideDocuments, spread } from './divide-documents.js'
import { documentsText } from './documents-text.js'
import { LocalCluster, type LocalSite, MASTER_KEY } from './local-cluster.js'

/** Servers of `npm run cluster-demo`, and what there is to see of them. */
export interface Demo {
  readonly what: string
  readonly site: LocalSite
  readonly advice: { readonly writes: string; readonly kill: string; readonly also: string }
  look(): Promise<Look>
}

interface Look {
  readonly text: string
  /** What makes it worth to be shown again, if not all of it does. */
  readonly news?: string
}

/** Every server has everything. */
export async function replicated(folder: string): Promise<Demo> {
  const site = await LocalCluster.prepare({ folder })
  const { url } = site.servers[0]!
  return {
    what: 'three nats-servers and three Findlings',
    site,
    advice: {
      writes: 'All of them take reads and writes.',
      kill: 'searches and writes go on',
      also: `npx findling cluster status --url ${url} --api-key '${MASTER_KEY}'`,
    },
    async look() {
      const view = await viewOf(site)
      if (view === undefined) return { text: 'No Findling answers\n' }
      return { text: clusterText(view), news: clusterText(withoutSilence(view)) }
    },
  }
}

const OWNERS = 2

/** Each shard is on two servers. */
export async function sharded(folder: string, count: number): Promise<Demo> {
  const cluster = await LocalCluster.prepare({ folder })
  const { servers, nats } = cluster
  const names = servers.map(({ name }) => name)
  const shards = spread(names, count, OWNERS)
  const { url } = servers[0]!
  return {
    what: `three nats-servers and three Findlings with ${count} shards, each on two of them`,
    site: {
      servers,
      nats,
      async start() {
        await cluster.start()
        await divideDocuments(servers, shards)
      },
      stop: (signal) => cluster.stop(signal),
    },
    advice: {
      writes: 'All of them take reads and writes, for the films of all.',
      kill: 'searches through the others still find all films, and writes go on',
      also: `curl ${url}/network -H 'Authorization: Bearer ${MASTER_KEY}'`,
    },
    look: async () => ({ text: `Films by server and shard\n${await documentsText(servers, shards, 'films')}` }),
  }
}

/** How long a member is silent changes all the time, and is no news. */
function withoutSilence(view: ClusterView): ClusterView {
  return { ...view, members: view.members.map((member) => ({ ...member, silentMs: 0 })) }
}

/** As the first that answers sees it. */
async function viewOf({ servers }: LocalCluster): Promise<ClusterView | undefined> {
  for (const server of servers) {
    const answer = await server.request('GET', '/cluster', undefined, 2_000).catch(() => undefined)
    if (answer?.status === 200) return answer.body
  }
  return undefined
}
