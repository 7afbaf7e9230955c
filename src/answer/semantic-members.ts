import type { SearchOutcome, SearchQuery } from '../engine/index.js'
import type { RankedDocument } from '../rank/index.js'

/** With a comma before it, or nothing: only for those who ask for vectors (spec 7 §1.16). */
export function queryVectorMember({ queryVector }: SearchOutcome, { retrieveVectors }: SearchQuery): string {
  return queryVector === null || !retrieveVectors ? '' : `,"queryVector":${queryVectorJson(queryVector)}`
}

export function queryVectorJson(vector: Float32Array): string {
  return `[${Array.from(vector, shortestText).join(',')}]`
}

/** Nine digits are always enough for a 32-bit float. */
const MAX_DIGITS = 9

/** The fewest digits that read back as the same 32-bit float: `0.1`, not `0.10000000149011612`. */
function shortestText(value: number): string {
  for (let digits = 1; digits < MAX_DIGITS; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return String(short)
  }
  return String(Number(value.toPrecision(MAX_DIGITS)))
}

/** With a comma before it, or nothing where only words were searched (spec 7 §3.4). */
export function semanticHitCount({ kind }: SearchOutcome, page: readonly RankedDocument[]): string {
  if (kind === 'keyword') return ''
  return `,"semanticHitCount":${page.filter(isSemanticHit).length}`
}

/** Meaning found it: it went through the rule that compares vectors, which some ranking rules leave no place for. */
const isSemanticHit = ({ details }: RankedDocument): boolean => details.some(({ rule }) => rule === 'vector')
