import { fail, ok, type Result } from '../../errors/index.js'
import type { Selection } from '../request/search-query.js'
import type { SearchIndex } from '../search-index.js'

/** By what documents are found: words alone, or also what they mean. */
export type SearchKind = 'keyword' | 'semantic'

/** Which kind of search the parameters ask for, or what is wrong with them (spec 6 §1.4). */
export function searchKind(index: SearchIndex, { q, hybrid, vector, media }: Selection): Result<SearchKind> {
  if (media !== null && vector !== null) {
    return fail('invalid_search_media_and_vector', '`.media` and `.vector` cannot be given together.')
  }
  if (hybrid === null) {
    if (vector === null && media === null) return ok('keyword')
    const given = vector === null ? '.media' : '.vector'
    return fail('missing_search_hybrid', `\`${given}\`: it needs \`.hybrid\`, which names the embedder it belongs to.`)
  }
  const isPlaceholder = (q === null || q.trim() === '') && vector === null && media === null
  if (hybrid.semanticRatio === 0 || isPlaceholder) return ok('keyword')
  if (!index.settings.embedders.has(hybrid.embedder)) return unknownEmbedder(index, hybrid.embedder)
  return ok('semantic')
}

function unknownEmbedder({ uid, settings }: SearchIndex, name: string): Result<SearchKind> {
  const known = [...settings.embedders.keys()].map((embedder) => `\`${embedder}\``).join(', ') || 'none'
  return fail(
    'invalid_search_embedder',
    `Index \`${uid}\`: there is no embedder ${JSON.stringify(name)}; embedders are: ${known}.`,
  )
}

/** Vectors are not searched yet; better a refusal than hits that only words found. */
export const refuseSemantic = (): Result<never> =>
  fail('vector_embedding_error', 'Searching by meaning is not possible yet: send `hybrid.semanticRatio` 0.')
