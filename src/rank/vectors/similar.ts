import { Bitmap } from '../../bitmap/index.js'
import { equalsInOrder } from '../../heap/index.js'
import type { QueryDistances, StoredEmbedder } from '../../vectors/index.js'
import type { RankedDocument } from '../model.js'
import type { SimilarityOf } from './similarity.js'

export interface SimilarSearch {
  readonly embedder: StoredEmbedder
  /** What documents are compared with. */
  readonly target: readonly SlotVector[]
  /** Without the target. */
  readonly universe: Bitmap
  readonly similarityOf: SimilarityOf
  readonly offset: number
  readonly limit: number
  readonly threshold: number | null
}

/** One vector of a document, with its place among them. */
export interface SlotVector {
  readonly slot: number
  readonly vector: Float32Array
}

/** The vectors of a document. */
export function slotVectors(embedder: StoredEmbedder, docId: number): SlotVector[] {
  const vectors = embedder.vectors(docId)
  return embedder.slots(docId).map((slot, i) => ({ slot, vector: vectors[i]! }))
}

export interface SimilarPage {
  readonly documents: readonly RankedDocument[]
  /** A document of the page was not similar enough: neither are all that follow. */
  readonly isCut: boolean
}

/** The documents nearest to another one, vectors compared slot by slot (spec 7 §4). */
export function findSimilar(search: SimilarSearch): SimilarPage {
  const { offset, limit, similarityOf, threshold } = search
  const documents: RankedDocument[] = []
  let position = 0
  for (const { docId, distance } of byDistance(search)) {
    if (documents.length >= limit) break
    if (position++ < offset) continue
    const similarity = similarityOf(distance)
    if (threshold !== null && similarity < threshold) return { documents, isCut: true }
    documents.push({ docId, details: [{ rule: 'vector', similarity }] })
  }
  return { documents, isCut: false }
}

/** Fewer documents are compared one by one. */
const ALL_BELOW = 4096

/** Of very many documents those that are probably the nearest come first, and all others behind them. */
function* byDistance(search: SimilarSearch): Generator<Similar, void> {
  const { embedder, target } = search
  const slots = target.map((each) => ({ ...each, from: embedder.distancesFrom(each.vector) }))
  const all = search.universe.and(embedder.embedded)
  const near = all.size < ALL_BELOW ? undefined : nearDocs(search, slots, all)
  if (near !== undefined) yield* inOrder(near, slots)
  yield* inOrder(near === undefined ? all : all.andNot(near), slots)
}

interface Similar {
  readonly docId: number
  readonly distance: number
}

/** Undefined when all are to be compared. */
function nearDocs({ embedder, offset, limit }: SimilarSearch, slots: readonly Slot[], all: Bitmap): Bitmap | undefined {
  const count = offset + limit
  const found = slots.map(({ slot, vector }) => embedder.near(vector, { count, slot, members: all }))
  const isFound = found.every((docIds) => docIds !== undefined && docIds.length >= count)
  return isFound ? Bitmap.fromUnsorted(found.flatMap((docIds) => docIds!)) : undefined
}

/** Documents that share no slot with the target do not come. Among equals the lower docId is first. */
function* inOrder(documents: Bitmap, slots: readonly Slot[]): Generator<Similar, void> {
  const { docIds, distances } = measure(documents.toArray(), slots)
  for (const { key: distance, indexes } of equalsInOrder(distances)) {
    const equals = indexes.map((at) => docIds[at]!)
    for (const docId of equals.sort((a, b) => a - b)) yield { docId, distance }
  }
}

/** Takes the list over. */
function measure(docIds: Uint32Array, slots: readonly Slot[]): { docIds: Uint32Array; distances: Float64Array } {
  const distances = new Float64Array(docIds.length)
  let count = 0
  for (const docId of docIds) {
    const distance = leastDistance(slots, docId)
    if (Number.isNaN(distance)) continue
    docIds[count] = docId
    distances[count++] = distance
  }
  return { docIds: docIds.subarray(0, count), distances: distances.subarray(0, count) }
}

interface Slot extends SlotVector {
  readonly from: QueryDistances
}

function leastDistance(slots: readonly Slot[], docId: number): number {
  let least = Number.NaN
  for (const { slot, from } of slots) {
    const distance = from.toSlot(docId, slot)
    if (!(distance >= least) && !Number.isNaN(distance)) least = distance
  }
  return least
}
