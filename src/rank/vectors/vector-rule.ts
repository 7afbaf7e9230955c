import type { Bitmap } from '../../bitmap/index.js'
import { DenseDocSet } from '../../bitmap/index.js'
import { equalsInOrder } from '../../heap/index.js'
import type { QueryDistances, StoredEmbedder } from '../../vectors/index.js'
import type { Bucket, RankedBucket, Rule } from '../bucket.js'
import type { SimilarityOf } from './similarity.js'

export interface VectorOrder {
  readonly embedder: StoredEmbedder
  readonly query: Float32Array
  readonly similarityOf: SimilarityOf
  /** How many documents are wanted, from the first on. */
  readonly depth: number
  /** How many documents there are. */
  readonly total: number
  /** On the clock of `performance.now()`: documents that are not reached before count as having no vector. */
  readonly deadline: number
}

/** Documents between two looks at the clock. */
const CHECK_EVERY = 4096

/** Buckets of fewer documents are compared one by one. */
const ALL_BELOW = 4096

/**
 * Orders documents by their distance from the query, the nearest first; equal distances stay together. Documents without
 * vectors come last (spec 7 §2.3). Of very many documents those that are probably the nearest come first, and whoever
 * wants more than the page gets all others behind them.
 */
export function vectorRule(order: VectorOrder): Rule {
  const distances = order.embedder.distancesFrom(order.query)
  return function* (bucket, graph): Iterator<RankedBucket, undefined> {
    for (const docIds of inParts(order, bucket)) {
      for (const { members, distance } of byDistance(docIds, distances, order.deadline)) {
        const similarity = distance === NO_VECTOR ? null : order.similarityOf(distance)
        yield { bucket: bucket.partOf(members), detail: { rule: 'vector', similarity }, graph }
      }
    }
    return undefined
  }
}

/** Those that are probably the nearest, then the others; or all at once. */
function* inParts(order: VectorOrder, bucket: Bucket): Generator<Uint32Array, void> {
  const near = nearDocs(order, bucket)
  if (near !== undefined) yield near
  yield near === undefined ? bucket.docIds : withoutAll(bucket.docIds, near)
}

/** Ascending; undefined when all are to be compared. */
function nearDocs({ embedder, query, depth, total }: VectorOrder, bucket: Bucket): Uint32Array | undefined {
  if (bucket.size < ALL_BELOW) return undefined
  const near = embedder.near(query, { count: depth, members: bucket.size === total ? undefined : membersOf(bucket) })
  // A page that is not full would show documents without vectors before others that were not looked at.
  return near === undefined || near.length < depth ? undefined : Uint32Array.from(near).sort()
}

function membersOf(bucket: Bucket): Pick<Bitmap, 'has' | 'size'> {
  // Bits are not listed without need.
  const members = bucket.set instanceof DenseDocSet ? bucket.set : bitsOf(bucket.docIds)
  return { size: bucket.size, has: (docId) => docId < members.limit && members.has(docId) }
}

function bitsOf(docIds: Uint32Array): DenseDocSet {
  const bits = new DenseDocSet(docIds[docIds.length - 1]! + 1)
  bits.addAll(docIds)
  return bits
}

/** Both ascending. */
function withoutAll(docIds: Uint32Array, others: Uint32Array): Uint32Array {
  let at = 0
  return docIds.filter((docId) => {
    while (at < others.length && others[at]! < docId) at++
    return others[at] !== docId
  })
}

/** Farther away than anything. */
const NO_VECTOR = Number.POSITIVE_INFINITY

function* byDistance(
  docIds: Uint32Array,
  distances: QueryDistances,
  deadline: number,
): Generator<{ members: Uint32Array; distance: number }, void> {
  const keys = measure(docIds, distances, deadline)
  for (const { key: distance, indexes } of equalsInOrder(keys)) {
    yield { members: Uint32Array.from(indexes, (at) => docIds[at]!).sort(), distance }
  }
}

function measure(docIds: Uint32Array, distances: QueryDistances, deadline: number): Float64Array {
  const keys = new Float64Array(docIds.length).fill(NO_VECTOR)
  for (let from = 0; from < docIds.length; from += CHECK_EVERY) {
    if (from > 0 && performance.now() > deadline) break
    const end = from + CHECK_EVERY
    distances.toEach(docIds.subarray(from, end), keys.subarray(from, end))
  }
  for (let i = 0; i < keys.length; i++) if (Number.isNaN(keys[i]!)) keys[i] = NO_VECTOR
  return keys
}
