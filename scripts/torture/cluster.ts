import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../../test/random.js'
import { divideDocuments, spread } from '../cluster/divide-documents.js'
import { drawPlan, kinds, type Plan, strike } from './cluster/chaos.js'
import { Checker } from './cluster/check.js'
import { compareDigests } from './cluster/digests.js'
import { type Blow, figuresOf } from './cluster/figures.js'
import { History } from './cluster/history.js'
import { Load, prepareIndexes } from './cluster/load.js'
import { Site } from './cluster/site.js'
import { deadlineOf, failWith, type Part, type PartOptions } from './part.js'

/** Of a short form: each of another kind, so that it shows what differs. */
const SHORT = ['machine', 'stop', 'all', 'restart'] as const
const CHECK_EVERY = 20
/** Servers that have each shard: any one of them may be dead. */
const OWNERS = 2
/** After everybody is ready: what comes late still counts as an effect of what was done. */
const AFTERMATH_MS = 500

/**
 * Three machines are killed, stopped, cut off and filled up while clients write, search and read back. Everything that was
 * acknowledged has to be there once, in the same order, on all of them.
 */
export const tormentedCluster: Part = async (options) => {
  const names = chaosOf(options)
  const folder = mkdtempSync(join(tmpdir(), 'findling-cluster-'))
  const history = new History(join(folder, 'history.jsonl'))
  let isKept = false
  const hasCuts = names.some((name) => name.startsWith('cut'))
  const site = await Site.start({ folder, hasCuts, hasSmallDisk: names.includes('disk') })
  // Processes, namespaces and disks would stay.
  const interrupted = (): void => void site.remove().finally(() => process.exit(130))
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  try {
    return await torment({ site, history, names, options })
  } catch (error) {
    await site.keep()
    isKept = true
    console.log(`the history, logs and data are kept in ${folder}`)
    throw error
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
    await site.remove()
    await history.close()
    if (!isKept) rmSync(folder, { recursive: true, force: true })
  }
}

/** Those that were asked for, or all that can be done here. */
function chaosOf({ chaos, isShort }: PartOptions): string[] {
  const wanted = chaos ?? (isShort ? SHORT : Object.keys(kinds))
  const unknown = wanted.filter((name) => kinds[name] === undefined)
  if (unknown.length > 0)
    throw new Error(`there is no ${unknown.join(', ')}; there are ${Object.keys(kinds).join(', ')}`)
  for (const name of wanted) {
    const { missing } = kinds[name]!
    if (missing !== undefined) console.log(`not tried: ${name}, because ${missing}`)
  }
  return wanted.filter((name) => kinds[name]!.missing === undefined)
}

interface Run {
  readonly site: Site
  readonly history: History
  readonly names: readonly string[]
  readonly options: PartOptions
}

async function torment({ site, history, names: kindsOfBlows, options }: Run): Promise<string> {
  const { shards = 0 } = options
  const prepared = await prepareIndexes(site.servers[0]!)
  const names = site.servers.map(({ name }) => name)
  const firstUid = shards === 0 ? prepared : 1 + (await divideDocuments(site.servers, spread(names, shards, OWNERS)))
  const checker = new Checker(site.servers, history, firstUid, shards === 0 ? undefined : 'id:asc')
  const load = new Load({ servers: site.servers, history, seed: options.seed })
  const blows: Blow[] = []
  let count = 0
  try {
    for (const plan of plansOf(kindsOfBlows, options)) {
      blows.push(...(await deal({ plan, site, history, isMeasured: blows.at(-1)?.isAwaited ?? true })))
      options.progress(`${++count} blows, ${history.acknowledged.size} writes`)
      if (count % CHECK_EVERY !== 0) continue
      await site.ready()
      failWith(await load.whileQuiet(() => checker.check()))
    }
    await site.ready()
    await load.stop()
    const problems = [...(await checker.checkAll()), ...load.observations.missing]
    await site.stop('SIGTERM')
    // Where each has other documents nobody's folder is like another's.
    failWith([...problems, ...(shards === 0 ? await compareDigests(site.servers) : [])])
  } finally {
    await load.stop()
    console.log(figuresOf(blows, history, load.searches).join('\n'))
  }
  return `${count} blows, ${checker.tasks} tasks, ${load.observations.found} documents read back: nothing lost, nothing twice, all the same`
}

/** As many as were asked for, or until the time is over. */
function* plansOf(names: readonly string[], options: PartOptions): Iterable<Plan> {
  const random = seededRandom(options.seed)
  if (options.isShort) {
    for (const name of names) yield { ...drawPlan(random, [name]), isHasty: false }
    return
  }
  const deadline = deadlineOf(options)
  for (let i = 0; options.kills === undefined ? performance.now() < deadline : i < options.kills; i++)
    yield drawPlan(random, names)
}

interface Dealing {
  readonly plan: Plan
  readonly site: Site
  readonly history: History
  /** Nobody suffers from the blow before any longer. */
  readonly isMeasured: boolean
}

/** Answers the calm before it as well, which shows what is owed to the machine alone. */
async function deal({ plan, site, history, isMeasured }: Dealing): Promise<Blow[]> {
  const calmAt = performance.now()
  await sleep(plan.calmMs)
  const roles = await site.roles()
  const at = performance.now()
  const calm = { what: 'calm', at: calmAt, isAwaited: true, ...(isMeasured && { readyMs: 0 }), until: at }
  history.note({ plan, roles })
  const what = await strike(site, plan, roles)
  const struckAt = performance.now()
  await sleep(plan.holdMs)
  const repaired = performance.now()
  await site.repair()
  history.note({ repaired: what })
  const isAwaited = !plan.isHasty
  if (!isAwaited) return [calm, { what, at, isAwaited, until: performance.now() }]
  await site.ready()
  const readyMs = performance.now() - repaired
  history.note({ ready: what, readyMs: Math.round(readyMs) })
  await writesGoOn(history, struckAt)
  await sleep(AFTERMATH_MS)
  return [calm, { what, at, isAwaited, ...(isMeasured && { readyMs }), until: performance.now() }]
}

const WRITES_AGAIN_MS = 60_000
const POLL_MS = 50

/** Until a write is acknowledged that was sent after a time: before, there may be an election that nobody sees otherwise. */
async function writesGoOn({ acknowledgements }: History, after: number): Promise<void> {
  const end = performance.now() + WRITES_AGAIN_MS
  for (let last = acknowledgements.at(-1); last === undefined || last.at - last.answeredMs < after; ) {
    if (performance.now() > end) throw new Error(`no write was acknowledged for ${WRITES_AGAIN_MS / 1000} s`)
    await sleep(POLL_MS)
    last = acknowledgements.at(-1)
  }
}
