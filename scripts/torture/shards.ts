import { setTimeout as delay } from 'node:timers/promises'
import { shardOf } from '../../src/sharding/index.js'
import { seededRandom } from '../../test/random.js'
import type { Task } from '../../test/server.js'
import { deadlineOf, failWith, type Part, type PartOptions } from './part.js'
import { type Document, Documents, INDEX } from './shards/documents.js'
import { NAMES, type Name, type ShardOwners, ShardServers } from './shards/servers.js'
import { TotalsWatch } from './shards/totals-watch.js'

const KEPT = 20_000
const KEPT_SHORT = 1500
/** Between two kills, so that each step of a change is met now and then. */
const CALM_MS = 400

const TWO: ShardOwners = { s1: ['a'], s2: ['b'] }
const THREE: ShardOwners = { ...TWO, s3: ['c'] }
/** Of the documents that a third shard takes from two. */
const THIRD = 1 / 3
const TOLERANCE = 0.02

/**
 * A third server and shard are added and taken away again while documents are written: all servers have to find all
 * documents at every moment, each document has to lie where it belongs, and nothing may be lost. The first change is left in
 * peace; in those that follow servers are killed, as often as was asked for.
 */
export const growingShards: Part = async (options) => {
  const random = seededRandom(options.seed)
  const servers = await ShardServers.start()
  try {
    return await new Growth(servers, random, options).run()
  } finally {
    await servers.close()
  }
}

class Growth {
  private readonly documents: Documents
  private readonly deadline: number
  private killsLeft: number
  private changes = 0
  private moved = 0

  constructor(
    private readonly servers: ShardServers,
    private readonly random: () => number,
    private readonly options: PartOptions,
  ) {
    this.documents = new Documents(servers, random, options.isShort ? KEPT_SHORT : KEPT)
    this.deadline = deadlineOf(options)
    this.killsLeft = options.kills ?? 0
  }

  async run(): Promise<string> {
    const { servers, documents } = this
    await servers.ended(await servers.change(['a', 'b'], TWO))
    await documents.fill()
    const watch = new TotalsWatch(servers, documents.keptCount, this.random)
    try {
      await this.change(THREE, watch, 0)
      const share = await this.shareOf('c')
      if (Math.abs(share - THIRD) > TOLERANCE) throw new Error(`${share} of the documents moved to the third shard`)
      while (this.killsLeft > 0 || performance.now() < this.deadline) await this.backAndForth(watch)
    } finally {
      await watch.stop()
    }
    failWith(watch.problems)
    const { kills = 0 } = this.options
    return `${this.changes} changes, ${kills} kills, ${this.moved} documents moved: ${watch.complete} answers were complete, ${watch.incomplete} were not while servers were killed`
  }

  private async backAndForth(watch: TotalsWatch): Promise<void> {
    const kills = this.killsLeft
    await this.change({ ...TWO, s3: [] }, watch, Math.ceil(kills / 2))
    await this.change(THREE, watch, Math.floor(kills / 2))
  }

  /** A change under load, at most so many kills in between; then all is looked at. */
  private async change(shards: ShardOwners, watch: TotalsWatch, kills: number): Promise<void> {
    const { servers, documents } = this
    documents.start()
    const uid = await servers.change(NAMES, shards)
    const ended = servers.ended(uid)
    await this.killDuring(ended, watch, kills)
    const tasks = await ended
    const failed = tasks.filter(({ status }) => status !== 'succeeded')
    if (failed.length > 0) throw new Error(`a change did not succeed: ${JSON.stringify(failed)}`)
    await documents.rest()
    await watch.untilComplete(NAMES)
    watch.isCalm = true
    this.moved += tasks.reduce((sum, task) => sum + movedBy(task), 0)
    failWith([...watch.problems, ...(await this.misplaced(shards))])
    this.options.progress(`${++this.changes} changes, ${this.killsLeft} kills left, ${watch.complete} complete answers`)
  }

  private async killDuring(change: Promise<unknown>, watch: TotalsWatch, kills: number): Promise<void> {
    let isOver = false
    const end = () => {
      isOver = true
    }
    change.then(end, end)
    for (let i = 0; i < kills && !isOver; i++) {
      await delay(this.random() * CALM_MS)
      watch.isCalm = false
      await this.servers.kill(NAMES[Math.floor(this.random() * NAMES.length)]!)
      this.killsLeft--
    }
  }

  /** Every document is on the servers that own its shard, as it was written last, and nowhere else. */
  private async misplaced(shards: ShardOwners): Promise<string[]> {
    const names = Object.keys(shards).filter((name) => shards[name]!.length > 0)
    const problems: string[] = []
    for (const server of NAMES) {
      const found = await this.documentsOf(server)
      const all = [...this.documents.expected.values()]
      const own = all.filter(({ id }) => shards[shardOf(names, id)]!.includes(server))
      const wrong = own.filter(({ id, n }) => found.get(id)?.n !== n)
      if (wrong.length > 0) problems.push(`${server} lacks ${wrong.length} documents, as ${wrong[0]!.id}`)
      if (found.size > own.length) problems.push(`${server} has ${found.size} documents instead of ${own.length}`)
    }
    return problems
  }

  private async documentsOf(server: Name): Promise<Map<string, Document>> {
    const path = `/indexes/${INDEX}/documents?limit=1000000&useNetwork=false`
    const { results } = await this.servers.insist<{ results: Document[] }>(server, 'GET', path)
    return new Map(results.map((document) => [document.id, document]))
  }

  private async shareOf(server: Name): Promise<number> {
    const kept = [...(await this.documentsOf(server)).values()].filter(({ kind }) => kind === 'kept')
    return kept.length / this.documents.keptCount
  }
}

const movedBy = ({ details }: Task): number => (details as { movedDocuments: number }).movedDocuments
