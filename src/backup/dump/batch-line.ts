import { type JsonValue, toPlain } from '../../json/index.js'
import { type Batch, shownDetails } from '../../tasks/index.js'
import { Facts } from './facts.js'

/** What `batchStrategy` shows for batches of versions that kept no reason (spec 2 §3.1). */
const UNKNOWN_STRATEGY = 'unspecified'

/** A batch as `batches/queue.jsonl` holds it. `earliest` holds the latest time, as dumps have it (spec 2 §6.2). */
export function batchLine(batch: Batch): string {
  const { embedderRequests, ...stats } = batch.stats
  const line = {
    uid: batch.uid,
    details: shownDetails(batch),
    stats,
    embedderStats: embedderRequests,
    startedAt: batch.startedAt,
    finishedAt: batch.finishedAt,
    enqueuedAt:
      batch.enqueuedAt === null ? null : { earliest: batch.enqueuedAt.latest, oldest: batch.enqueuedAt.earliest },
    stopReason: batch.strategy,
  }
  return `${JSON.stringify(line)}\n`
}

/** Reads such a line. */
export function readBatch(line: JsonValue, place: string): Batch {
  const facts = new Facts(line, place)
  const startedAt = facts.time('startedAt')
  const stats = toPlain(facts.facts('stats').object) as Batch['stats']
  const requests = facts.factsOrNull('embedderStats')
  const span = facts.factsOrNull('enqueuedAt')
  return {
    uid: facts.count('uid'),
    details: toPlain(facts.factsOrNull('details')?.object ?? new Map()) as Batch['details'],
    stats: requests === null || isIdle(requests) ? stats : withRequests(stats, requests),
    startedAt,
    finishedAt: facts.timeOrNull('finishedAt') ?? startedAt,
    enqueuedAt: span === null ? null : { earliest: span.time('oldest'), latest: span.time('earliest') },
    strategy: facts.textOrNull('stopReason') ?? UNKNOWN_STRATEGY,
  }
}

const isIdle = (requests: Facts): boolean => !requests.countOrNull('total') && !requests.has('lastError')

const withRequests = (stats: Batch['stats'], requests: Facts): Batch['stats'] =>
  ({ ...stats, embedderRequests: toPlain(requests.object) }) as Batch['stats']
