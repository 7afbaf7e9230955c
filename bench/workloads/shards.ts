import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ClusterServer } from '../../scripts/cluster/local-cluster.js'
import { LocalNetwork } from '../../scripts/cluster/local-network.js'
import { freePorts } from '../../src/cluster/nats-server/free-ports.fixture.js'
import { Traffic } from '../cluster/traffic.js'
import { median, quantile } from '../figures.js'
import { anonymousBytes } from '../process-figures.js'
import type { Report } from '../report.js'
import { type Collection, films, smallArticles } from '../shards/collection.js'
import { alone, type Filling, fill, type Place, together } from '../shards/filled.js'
import { type FirstTimes, firstTimes } from '../shards/first-searches.js'
import type { Bench, Workload } from '../workload.js'

/** Before and after one of them is killed. */
const CALM_MS = 3_000

/** Bounds of each process, where an amount of documents is asked for: what is larger than memory has to be possible. */
const BOUNDED = {
  flags: ['--max-indexing-memory', '1GiB'],
  env: { NODE_OPTIONS: '--max-old-space-size=1024' },
}

/** One index on three servers against one server with all of it, on this machine; and one of the three killed. */
export const shards: Workload = {
  name: 'shards',
  async run(bench) {
    if (!bench.startsServers) return
    const folder = mkdtempSync(join(tmpdir(), 'findling-bench-'))
    try {
      await compare(bench, folder)
      if (bench.sizes.documents === undefined) await killOne(bench, folder)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function compare({ report, sizes }: Bench, folder: string): Promise<void> {
  const { documents } = sizes
  const collection = documents === undefined ? films() : smallArticles(documents)
  const { flags, env } = documents === undefined ? { flags: [], env: {} } : BOUNDED
  const [port] = await freePorts(1)
  const server = new ClusterServer('alone', port!, join(folder, 'alone'), flags)
  const network = await LocalNetwork.prepare({ folder: join(folder, 'shared'), owners: 1, flags, env })
  try {
    await server.start(env)
    await server.ready()
    await network.start()
    const [one, three] = [alone(server), together(network)]
    reportFilling(report, collection, { one: await fill(one, collection), three: await fill(three, collection) })
    await searchBoth(report, collection, { one, three })
  } finally {
    await server.signal('SIGKILL')
    await network.stop('SIGKILL')
  }
}

interface Both<T> {
  readonly one: T
  readonly three: T
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

function reportFilling(report: Report, { what, count }: Collection, { one, three }: Both<Filling>): void {
  for (const [who, { ms, processorMs, memoryBytes, diskBytes }] of [
    ['one server', one],
    ['three servers', three],
  ] as const) {
    report.add(`${count} ${what}, ${who}, indexed`, ms / 1000, 's')
    report.add(`${count} ${what}, ${who}, indexed`, count / (ms / 1000), '/s')
    report.add(`${who}, processor time of the busiest`, Math.max(...processorMs) / 1000, 's')
    report.add(`${who}, processor time of all`, sum(processorMs) / 1000, 's')
    report.add(`${who}, memory of all while indexing`, memoryBytes / 1e6, 'MB')
    report.add(`${who}, disk of the fullest`, Math.max(...diskBytes) / 1e6, 'MB')
    report.add(`${who}, disk of all`, sum(diskBytes) / 1e6, 'MB')
  }
  const share = Math.max(...three.processorMs) / sum(one.processorMs)
  report.add('processor time of the busiest of three, as a share of one server', share, 'share')
}

async function searchBoth(report: Report, collection: Collection, { one, three }: Both<Place>): Promise<void> {
  // The first searches are not counted: code and caches are cold.
  await firstTimes(one, three, { index: collection.index, searches: collection.searches(2) })
  const asked = collection.searches(3)
  const times = await firstTimes(one, three, { index: collection.index, searches: asked })
  reportSearches(report, times)
  for (const [who, { servers }] of [
    ['one server', one],
    ['three servers', three],
  ] as const) {
    report.add(`${who}, memory of all after that`, sum(servers.map(({ pid }) => anonymousBytes(pid!))) / 1e6, 'MB')
  }
}

function reportSearches(report: Report, { one, three, processorMsEach, different }: FirstTimes): void {
  report.add('searches, first time, one server, p50', median(one), 'ms')
  report.add('searches, first time, one server, p99', quantile(one, 0.99), 'ms')
  report.add('searches, first time, three servers, p50', median(three), 'ms')
  report.add('searches, first time, three servers, p99', quantile(three, 0.99), 'ms')
  report.add('three servers as a multiple of one, p50', median(three) / median(one), 'x', '1.5 ×')
  report.add('three servers as a multiple of one, p99', quantile(three, 0.99) / quantile(one, 0.99), 'x')
  report.add('processor time of a search, one server', processorMsEach.one, 'ms')
  report.add('processor time of a search, all of three servers', processorMsEach.three, 'ms')
  report.add(`answers that differ, of ${one.length}`, different.length, '')
  if (different.length > 0) report.note(`those that differ: ${[...new Set(different)].join(', ')}`)
}

/** Two servers have each shard. */
async function killOne({ report, sizes }: Bench, folder: string): Promise<void> {
  const collection = films()
  const network = await LocalNetwork.start({ folder: join(folder, 'killed'), owners: 2 })
  try {
    await fill(together(network), collection)
    const { rounds = 1 } = sizes
    for (let round = 0; round < rounds; round++) await killInTraffic(report, network, collection, round)
  } finally {
    await network.stop('SIGKILL')
  }
}

async function killInTraffic(report: Report, network: LocalNetwork, collection: Collection, round: number) {
  const { servers } = network
  const searches = collection.searches(4 + round)
  const traffic = new Traffic({
    servers,
    index: collection.index,
    search: (turn) => searches[turn % searches.length]!.body,
    isComplete: ({ remoteErrors }) => Object.keys(remoteErrors ?? {}).length === 0,
  })
  const victim = servers[(round + 1) % servers.length]!
  await pause(CALM_MS)
  traffic.begin()
  await victim.signal('SIGKILL')
  await pause(CALM_MS)
  const { searchGapMs, failed, incomplete } = traffic.experience()
  report.add('one of three killed, gap in searches with a retry', searchGapMs / 1000, 's', '0.5 s')
  report.add('one of three killed, searches that failed at two servers', failed, '', '0')
  report.add('one of three killed, answers that lack a shard', incomplete, '', '0')
  await victim.start()
  await victim.ready()
  await traffic.stop()
}
