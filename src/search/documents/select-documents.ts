import type { Bitmap } from '../../bitmap/index.js'
import { ok, type Result } from '../../errors/index.js'
import { compileFieldRoles, IndexFacets, type IndexFolder, readSettings } from '../../index/index.js'
import { evaluateFilter } from '../filter/evaluate.js'
import type { Filter } from '../filter/model.js'
import type { SearchIndex } from '../search-index.js'
import { checkDocumentSort } from '../sort/check-sortable.js'
import { type PageOrder, type SortedIndex, sortedPage } from './sorted-page.js'

/** An index whose documents are listed, deleted or edited by filter. */
export interface DocumentSource {
  readonly indexUid: string
  readonly folder: IndexFolder
}

/** The documents that a filter selects, with the codes of document routes. */
export function selectDocuments({ indexUid, folder }: DocumentSource, filter: Filter): Result<Bitmap> {
  const settings = readSettings(folder)
  const target = { indexUid, settings, roles: compileFieldRoles(settings), facets: new IndexFacets(folder) }
  return evaluateFilter(filter, target, 'invalid_document_filter')
}

/**
 * The first `count` of `selected` in the order of `keys`; null without keys, which is the order of docIds. Documents
 * with neither number nor string, but something, at a key are left out, as the interface does (spec 3 §4.4).
 */
export function sortDocuments(
  index: SortedIndex & Pick<SearchIndex, 'uid' | 'settings' | 'roles'>,
  selected: Bitmap,
  order: PageOrder,
): Result<readonly number[] | null> {
  const { uid: indexUid, settings, roles, facets } = index
  const { keys } = order
  if (keys.length === 0) return ok(null)
  const checked = checkDocumentSort(keys, { indexUid, settings, roles }, facets.knowsPositions())
  return checked.ok ? ok(sortedPage(index, selected, order)) : checked
}
