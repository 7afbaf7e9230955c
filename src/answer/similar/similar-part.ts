import { Stages } from '../../engine/index.js'
import { ok, type Result } from '../../errors/index.js'
import { fromPlain, isObject, type JsonValue, print, toDouble } from '../../json/index.js'
import type { SlotVector } from '../../rank/index.js'
import type { AnswerWriter } from '../answer-writer.js'
import type { AnswerFacts } from '../answered.js'
import { printHits } from '../hits.js'
import type { SearchContext } from '../search-context.js'
import {
  asSearch,
  type CheckedSimilar,
  checkSimilar,
  findPage,
  findTarget,
  findUniverse,
  type SimilarJob,
} from './similar-search.js'

/**
 * What servers that have parts of an index ask each other in place of an id: `{"of":"7"}` for the vectors of a document, and
 * `{"not":"7","near":[[0,[0.1,0.2]]]}` for the documents that are like it, vector by vector with their slots.
 */
export type PartOfSimilar = { readonly of: string } | { readonly not: string; readonly near: readonly SlotVector[] }

export function partId(part: PartOfSimilar): JsonValue {
  return 'of' in part ? fromPlain(part) : fromPlain({ not: part.not, near: vectorLists(part.near) })
}

const vectorLists = (vectors: readonly SlotVector[]) => vectors.map(({ slot, vector }) => [slot, [...vector]])

function readPartId(id: JsonValue): PartOfSimilar | undefined {
  const members = isObject(id) ? id : new Map<string, JsonValue>()
  const [of, not] = [members.get('of'), members.get('not')]
  if (typeof of === 'string') return { of }
  const near = readVectors(members.get('near'))
  return typeof not === 'string' && near !== undefined ? { not, near } : undefined
}

/** Undefined for what is no list of vectors. */
export function readVectors(list: JsonValue | undefined): SlotVector[] | undefined {
  if (!Array.isArray(list)) return undefined
  return list.flatMap((entry) => {
    const [slot = null, numbers] = Array.isArray(entry) ? entry : []
    if (!Array.isArray(numbers)) return []
    return { slot: toDouble(slot) ?? 0, vector: Float32Array.from(numbers, (each) => toDouble(each) ?? 0) }
  })
}

/** Answers another server. Undefined where it asks as people do. */
export function writeSimilarPart(
  out: AnswerWriter,
  job: SimilarJob,
  context: SearchContext,
): Result<AnswerFacts> | undefined {
  const part = context.isForShards ? readPartId(job.query.id) : undefined
  if (part === undefined) return undefined
  const checked = checkSimilar(job, context)
  if (!checked.ok) return checked
  const answer = 'of' in part ? printTarget(checked.value, part.of, context) : printPart(checked.value, part, context)
  if (!answer.ok) return answer
  out.utf8(answer.value)
  return ok({ degraded: 0 })
}

function printTarget(checked: CheckedSimilar, id: string, context: SearchContext): Result<string> {
  const target = findTarget(checked, id, context)
  if (!target.ok) return target
  return ok(print(fromPlain({ target: target.value === undefined ? null : vectorLists(target.value) })))
}

function printPart(
  checked: CheckedSimilar,
  part: Extract<PartOfSimilar, { near: unknown }>,
  context: SearchContext,
): Result<string> {
  const found = findSimilarPart(checked, part, context)
  if (!found.ok) return found
  const { hits, total } = found.value
  const similarities = JSON.stringify(hits.map(({ similarity }) => similarity))
  return ok(`{"hits":[${hits.map(({ text }) => text).join(',')}],"similarities":${similarities},"total":${total}}`)
}

/** A document of this part, as it is shown. */
export interface SimilarHit {
  readonly text: string
  readonly similarity: number
}

/** The documents of this part that are the nearest, and how many there are in all. */
export interface SimilarPart {
  readonly hits: readonly SimilarHit[]
  readonly total: number
}

export function findSimilarPart(
  checked: CheckedSimilar,
  { not, near }: Extract<PartOfSimilar, { near: unknown }>,
  context: SearchContext,
): Result<SimilarPart> {
  const stages = new Stages(false)
  const universe = findUniverse(checked, not, { context, stages })
  if (!universe.ok) return universe
  const { documents } = findPage(checked, { target: near, universe: universe.value, stages })
  const { found, query } = asSearch(checked, documents)
  const printed = printHits(found, { query, context, stages })
  if (!printed.ok) return printed
  const hits = printed.value.map(({ text, ranked: { details } }) => {
    const [detail] = details
    return { text, similarity: (detail?.rule === 'vector' ? detail.similarity : null) ?? 0 }
  })
  return ok({ hits, total: universe.value.size })
}
