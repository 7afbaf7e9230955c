import type { QueryDistances, StoredEmbedder } from '../../index/index.js'
import { equalsInOrder } from '../order/key-heap.js'
import type { Bucket, RankedBucket, Rule } from '../rank/bucket.js'
import { DocBits, seek } from '../rank/doc-lists.js'
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
        yield { bucket: partOf(bucket, members), detail: { rule: 'vector', similarity }, graph }
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
  const near = embedder.near(query, { count: depth, isMember: bucket.size === total ? undefined : memberTest(bucket) })
  // A page that is not full would show documents without vectors before others that were not looked at.
  return near === undefined || near.length < depth ? undefined : Uint32Array.from(near).sort()
}

function memberTest({ docIds, bits }: Bucket): (docId: number) => boolean {
  if (bits !== undefined) return (docId) => bits.has(docId)
  const members = new DocBits(docIds[docIds.length - 1]! + 1)
  members.addAll(docIds)
  return (docId) => docId < members.limit && members.has(docId)
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
  for (let i = 0; i < docIds.length; i++) {
    if (i % CHECK_EVERY === CHECK_EVERY - 1 && performance.now() > deadline) break
    const distance = distances.to(docIds[i]!)
    if (!Number.isNaN(distance)) keys[i] = distance
  }
  return keys
}

/** The members are some of the bucket's docIds, ascending. */
function partOf(bucket: Bucket, members: Uint32Array): Bucket {
  const { docIds, places } = bucket
  const found = new Uint32Array(members.length)
  let at = 0
  for (let i = 0; i < members.length; i++) {
    at = seek(docIds, members[i]!, at)
    found[i] = places[at]!
  }
  return bucket.part(found)
}
