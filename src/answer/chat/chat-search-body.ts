import { nullable, object, optional, text } from '../../shape/index.js'

/** A search that a language model asks for; the settings of the index say the rest. */
export interface ChatSearch {
  readonly q: string | null
  readonly filter: string | null
}

export const chatSearchBody = object({
  q: optional(nullable(text), 'invalid_search_q'),
  filter: optional(nullable(text), 'invalid_search_filter'),
})

/** An empty text stands for none: models have to give all parameters (spec 7 §5.7). */
export function chatSearch({ q = null, filter = null }: { q?: string | null; filter?: string | null }): ChatSearch {
  return { q: q === '' ? null : q, filter: filter === '' ? null : filter }
}
