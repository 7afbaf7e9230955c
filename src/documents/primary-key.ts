import { compareBytes } from '../byte-order/index.js'
import { fail, ok, type Result } from '../errors/index.js'

/**
 * The primary key guessed from the names of the first document: the one that ends with `id`, whatever its case
 * (spec 3 §2.5). Values are not looked at.
 */
export function inferPrimaryKey(indexUid: string, names: readonly string[]): Result<string> {
  const candidates = names.filter((name) => name.toLowerCase().endsWith('id')).sort(compareBytes)
  if (candidates.length === 1) return ok(candidates[0]!)
  if (candidates.length === 0) return fail('index_primary_key_no_candidate_found', indexUid)
  return fail('index_primary_key_multiple_candidates_found', indexUid, candidates)
}
