import type { ByteWriter } from '../../bytes/index.js'
import { countByDocument, filteredDocuments, readSearchFilter, selectFields } from '../../engine/index.js'
import { ok, type Result } from '../../errors/index.js'
import type { SearchIndex } from '../../match/index.js'
import { columnOf } from '../../rank/index.js'
import type { AnswerFacts } from '../answered.js'
import type { SearchContext } from '../search-context.js'

const MAX_VALUES = 10
/** Nobody writes that many by hand, but a pattern may match any number of attributes. */
const MAX_FIELDS = 1000

const OFFER = Symbol('facets offered to models')

type OfferedField = readonly [attribute: string, values: readonly string[]]

/**
 * Writes what a model is told of an index: `{"description":"...","facets":[["genre",["drama","comedy"]],...]}`. Fields
 * in byte order, values by how many documents have them, those alone that the asking key may see (spec 7 §5.5).
 */
export function writeChatOffer(out: ByteWriter, uid: string, context: SearchContext): Result<AnswerFacts> {
  const filter = readSearchFilter(null, { uid, reading: 'once' }, context)
  if (!filter.ok) return filter
  const index = context.open(uid)
  if (!index.ok) return index
  const visible = filteredDocuments(index.value, filter.value, context)
  if (!visible.ok) return visible
  const facets = visible.value === null ? facetsOfAll(index.value) : countFields(index.value, visible.value.toArray())
  out.utf8(JSON.stringify({ description: index.value.settings.chat.description, facets }))
  return ok({ degraded: 0 })
}

const facetsOfAll = (index: SearchIndex): readonly OfferedField[] =>
  index.derive(OFFER, () => countFields(index, index.docIds.toArray()))

function countFields(index: SearchIndex, docIds: Uint32Array): readonly OfferedField[] {
  const fields = selectFields(index, ['*'])
  if (!fields.ok) throw new Error('all fields together are always facets')
  return fields.value.slice(0, MAX_FIELDS).map(({ attribute }) => {
    // Numbers come first and take the places of texts: there must be room for as many of both.
    const column = columnOf(index, attribute)!
    const documents = { column, docIds, maxValues: 2 * MAX_VALUES, tally: index.scratch.tally }
    return [attribute, mostFrequent(countByDocument({ attribute, order: 'count' }, documents).values)]
  })
}

function mostFrequent(values: readonly { readonly label: string; readonly count: number }[]): string[] {
  const sorted = [...values].sort((a, b) => b.count - a.count)
  return sorted.slice(0, MAX_VALUES).map(({ label }) => label)
}
