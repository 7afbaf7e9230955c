import type { Bitmap } from '../../bitmap/index.js'
import { ok, type Result } from '../../errors/index.js'
import type { SearchIndex } from '../../match/index.js'
import { checkDocumentSort } from '../../match/index.js'
import { type PageOrder, type SortedIndex, sortedPage } from './sorted-page.js'

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
