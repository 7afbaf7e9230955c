import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ClusterServer, LocalCluster, MASTER_KEY } from '../../scripts/cluster/local-cluster.js'
import { NatsServerMissing } from '../../src/cluster/index.js'
import { freePorts } from '../../src/cluster/nats-server/free-ports.fixture.js'
import { type Acknowledging, CLIENTS, measureAcknowledging } from '../cluster/acknowledging.js'
import { measureCatchUp } from '../cluster/catch-up.js'
import { type Struck, strikeAll } from '../cluster/gaps.js'
import { countReadBacks } from '../cluster/read-backs.js'
import { median, quantile } from '../figures.js'
import type { Report } from '../report.js'
import type { Bench, Workload } from '../workload.js'

/** Three servers with the same data on this machine: what a write costs, and what clients notice when something dies. */
export const cluster: Workload = {
  name: 'cluster',
  async run(bench) {
    if (!bench.startsServers) return
    const folder = mkdtempSync(join(tmpdir(), 'findling-bench-'))
    try {
      await measure(bench, folder)
    } catch (error) {
      if (!(error instanceof NatsServerMissing)) throw error
      bench.report.note(`not measured: ${error.message}`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function measure({ report, sizes }: Bench, folder: string): Promise<void> {
  const { rounds = 1, readBacks = 500, batches = 200 } = sizes
  const three = await LocalCluster.prepare({ folder: join(folder, 'three') })
  const one = await acknowledgingOfOne(join(folder, 'one'))
  try {
    await three.start()
    const urls = three.servers.map(({ url }) => url)
    reportAcknowledging(report, one, await measureAcknowledging(urls, MASTER_KEY))
    await reportGaps(report, three, rounds)
    const found = await countReadBacks(three, readBacks)
    report.add(`read back elsewhere after "succeeded", of ${readBacks}`, found, '', `${readBacks}`)
    const caughtUpMs = await measureCatchUp(three, batches)
    report.add(`a server that missed ${batches} batches, ready after its start`, caughtUpMs / 1000, 's')
  } finally {
    await three.stop('SIGKILL')
  }
}

async function acknowledgingOfOne(folder: string): Promise<Acknowledging> {
  const [port] = await freePorts(1)
  const server = new ClusterServer('alone', port!, folder, [])
  await server.start()
  try {
    await server.ready()
    return await measureAcknowledging([server.url], MASTER_KEY)
  } finally {
    await server.signal('SIGKILL')
  }
}

function reportAcknowledging(report: Report, one: Acknowledging, three: Acknowledging): void {
  for (const [who, { alone, together, perSecond }] of [
    ['one server', one],
    ['three servers', three],
  ] as const) {
    report.add(`202 of ${who}, p50`, median(alone), 'ms')
    report.add(`202 of ${who}, p99`, quantile(alone, 0.99), 'ms')
    report.add(`202 of ${who}, ${CLIENTS} clients`, perSecond, '/s')
    report.add(`202 of ${who}, ${CLIENTS} clients, p50`, median(together), 'ms')
    report.add(`202 of ${who}, ${CLIENTS} clients, p99`, quantile(together, 0.99), 'ms')
  }
  report.add('202 of three servers as a multiple of one, p50', median(three.alone) / median(one.alone), 'x', '2 ×')
  report.add(
    `${CLIENTS} clients at three servers, as a share of one`,
    three.perSecond / one.perSecond,
    'share',
    '0.4 +',
  )
}

/** The worst of all rounds. */
async function reportGaps(report: Report, three: LocalCluster, rounds: number): Promise<void> {
  const [first] = three.servers
  const films = Array.from({ length: 3_000 }, (_, id) => ({
    id,
    title: `film ${id}`,
    text: 'a stranger comes to town',
  }))
  const { body } = await first!.request('POST', '/indexes/films/documents', films)
  await first!.waitTask(body.taskUid)
  const struck: Struck[] = []
  for await (const each of strikeAll(three, rounds)) {
    const { writeGapMs, searchGapMs } = each.experience
    report.note(`${each.what}: ${seconds(writeGapMs)} without a write, ${seconds(searchGapMs)} without a search`)
    struck.push(each)
  }
  for (const { what, wanted } of struck.slice(0, struck.length / rounds)) {
    const all = struck.flatMap((each) => (each.what === what ? each.experience : []))
    const worst = (gap: 'writeGapMs' | 'searchGapMs') => Math.max(...all.map(({ [gap]: ms }) => ms)) / 1000
    report.add(`${what}, gap in writes`, worst('writeGapMs'), 's', wanted.writes)
    report.add(`${what}, gap in searches with a retry`, worst('searchGapMs'), 's', wanted.searches)
    const failed = all.reduce((sum, each) => sum + each.failed, 0)
    report.add(`${what}, searches that failed at two servers`, failed, '', wanted.searches && '0')
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`
