import { setTimeout as pause } from 'node:timers/promises'
import type { LocalCluster } from '../../scripts/cluster/local-cluster.js'
import { type Experience, Traffic } from './traffic.js'

/** Between two blows, and after one. */
const CALM_MS = 2_000

interface Blow {
  readonly what: string
  /** Gaps that may be. */
  readonly wanted: { readonly writes: string; readonly searches?: string }
  /** Returns when all is as it was. */
  strike(cluster: LocalCluster, traffic: Traffic, round: number): Promise<void>
}

export interface Struck extends Pick<Blow, 'what' | 'wanted'> {
  readonly experience: Experience
}

/** Kills and restarts one thing after the other while clients write and search, and answers what they noticed. */
export async function* strikeAll(cluster: LocalCluster, rounds: number): AsyncIterable<Struck> {
  const traffic = new Traffic({
    servers: cluster.servers,
    index: 'films',
    search: () => ({ q: 'stranger' }),
    document: (id) => ({ id, title: 'a new film' }),
  })
  try {
    for (let round = 0; round < rounds; round++) {
      for (const { what, wanted, strike } of BLOWS) {
        await pause(CALM_MS)
        traffic.begin()
        await strike(cluster, traffic, round)
        await pause(CALM_MS)
        yield { what, wanted, experience: traffic.experience() }
      }
    }
  } finally {
    await traffic.stop()
  }
}

const BLOWS: readonly Blow[] = [
  {
    what: 'machine of the log’s leader killed',
    wanted: { writes: '8 s', searches: '0.5 s' },
    strike: async (cluster, traffic) => killMachine(cluster, traffic, await leaderOf(cluster)),
  },
  {
    what: 'machine of a follower killed',
    wanted: { writes: '1 s', searches: '0.5 s' },
    strike: async (cluster, traffic) => killMachine(cluster, traffic, ((await leaderOf(cluster)) + 1) % 3),
  },
  {
    what: 'a Findling restarted gracefully',
    wanted: { writes: '1 s', searches: '0.5 s' },
    strike: ({ servers }, _, round) => restart(servers[round % servers.length]!),
  },
  {
    what: 'a nats-server restarted gracefully',
    wanted: { writes: '1 s', searches: '0.5 s' },
    strike: ({ nats }, _, round) => restart(nats[round % nats.length]!),
  },
  {
    what: 'everything killed and started at once',
    wanted: { writes: '10 s' },
    async strike({ servers, nats }, traffic) {
      const all = [...nats, ...servers]
      await Promise.all(all.map((each) => each.signal('SIGKILL')))
      await Promise.all(all.map((each) => each.start()))
      await Promise.all(servers.map((server) => server.ready()))
      await traffic.writesGoOn()
    },
  },
]

async function killMachine({ servers, nats }: LocalCluster, traffic: Traffic, machine: number): Promise<void> {
  const [server, log] = [servers[machine]!, nats[machine]!]
  await Promise.all([server.signal('SIGKILL'), log.signal('SIGKILL')])
  await traffic.writesGoOn()
  await log.start()
  await server.start()
  await server.ready()
}

/** The number of the machine whose nats-server leads, as the first Findling that answers says. */
async function leaderOf({ servers, nats }: LocalCluster): Promise<number> {
  for (const server of servers) {
    const answer = await server.request('GET', '/cluster').catch(() => undefined)
    const leads = nats.findIndex(({ name }) => name === answer?.body?.log?.leader)
    if (leads >= 0) return leads
  }
  return 0
}

async function restart(server: LocalCluster['servers'][number] | LocalCluster['nats'][number]): Promise<void> {
  await server.signal('SIGTERM')
  await server.start()
  await server.ready()
}
