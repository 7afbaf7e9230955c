import { Stages } from '../../engine/index.js'
import { fail, ok, type Result } from '../../errors/index.js'
import type { AnswerWriter } from '../answer-writer.js'
import type { AnswerFacts } from '../answered.js'
import { writeHits } from '../hits.js'
import type { SimilarQuery } from '../request/similar-request.js'
import type { SearchContext } from '../search-context.js'
import {
  asSearch,
  checkSimilar,
  findPage,
  findTarget,
  findUniverse,
  readTargetId,
  type SimilarJob,
} from './similar-search.js'

/** Finds similar documents and writes the answer (spec 7 §4). */
export function writeSimilar(out: AnswerWriter, job: SimilarJob, context: SearchContext): Result<AnswerFacts> {
  const { query } = job
  const start = performance.now()
  const stages = Stages.ofRequest(query.showPerformanceDetails, context)
  const checked = checkSimilar(job, context)
  if (!checked.ok) return checked
  const id = readTargetId(query.id)
  if (!id.ok) return id
  const target = findTarget(checked.value, id.value, context)
  if (!target.ok) return target
  if (target.value === undefined) return fail('not_found_similar_id', id.value)
  const universe = findUniverse(checked.value, id.value, { context, stages })
  if (!universe.ok) return universe
  const page = findPage(checked.value, { target: target.value, universe: universe.value, stages })
  const shown = asSearch(checked.value, page.documents)
  out.utf8('{')
  const hits = stages.measureRest('search > format', () =>
    writeHits(out, shown.found, { query: shown.query, context, stages }),
  )
  if (!hits.ok) return hits
  const elapsedMs = performance.now() - start
  stages.add('search', elapsedMs)
  const { maxTotalHits } = checked.value.index.settings.pagination
  const total = page.isCut ? query.offset + page.documents.length : Math.min(universe.value.size, maxTotalHits)
  out.utf8(`${printSimilarEnding(query, { id: id.value, total, elapsedMs })}${stages.print()}}`)
  return ok({ degraded: 0 })
}

interface SimilarEnding {
  readonly id: string
  readonly total: number
  readonly elapsedMs: number
}

/** What follows the hits, with a comma before it. */
export function printSimilarEnding({ limit, offset }: SimilarQuery, { id, total, elapsedMs }: SimilarEnding): string {
  const paging = `"limit":${BigInt(limit)},"offset":${BigInt(offset)},"estimatedTotalHits":${total}`
  return `,"id":${JSON.stringify(id)},"processingTimeMs":${Math.floor(elapsedMs)},${paging}`
}
