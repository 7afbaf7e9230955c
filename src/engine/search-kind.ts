import { fail, ok, quoted, type Result } from '../errors/index.js'
import type { SearchIndex } from '../match/index.js'
import type { Selection } from './search-query.js'

/** By what documents are found: by words, by what they mean, or by both. */
export type SearchKind = 'keyword' | 'semantic' | 'hybrid'

/** Which kind of search the parameters ask for, or what is wrong with them (spec 7 §2.2). */
export function searchKind(index: SearchIndex, selection: Selection): Result<SearchKind> {
  const { q, hybrid, vector, media } = selection
  if (media !== null && vector !== null) {
    return fail('invalid_search_media_and_vector', '`.media` and `.vector` cannot be given together.')
  }
  if (hybrid === null) {
    if (vector === null && media === null) return ok('keyword')
    const given = vector === null ? '.media' : '.vector'
    return fail('missing_search_hybrid', `\`${given}\`: it needs \`.hybrid\`, which names the embedder it belongs to.`)
  }
  const isBlank = q === null || q.trim() === ''
  if (hybrid.semanticRatio === 0 || (isBlank && vector === null && media === null)) return ok('keyword')
  const checked = checkEmbedder(index, hybrid.embedder, vector)
  if (!checked.ok) return checked
  return ok(hybrid.semanticRatio === 1 || isBlank ? 'semantic' : 'hybrid')
}

function checkEmbedder(index: SearchIndex, name: string, vector: readonly number[] | null): Result<undefined> {
  const embedder = index.vectors.embedder(name)
  if (embedder === undefined || !index.settings.embedders.has(name)) return unknownEmbedder(index, name)
  if (vector === null || vector.length === embedder.dimensions) return ok(undefined)
  const expected = `the embedder \`${name}\` has vectors of ${embedder.dimensions} numbers`
  return fail('invalid_vector_dimensions', `\`.vector\`: ${expected}, this one has ${vector.length}.`)
}

function unknownEmbedder({ uid, settings }: SearchIndex, name: string): Result<never> {
  const known = [...settings.embedders.keys()].map((embedder) => `\`${embedder}\``).join(', ') || 'none'
  return fail(
    'invalid_search_embedder',
    `Index \`${uid}\`: there is no embedder ${quoted(name)}; embedders are: ${known}.`,
  )
}
