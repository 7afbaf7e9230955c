import type { Bitmap } from '../../bitmap/index.js'
import { fail, ok, type Result } from '../../errors/index.js'
import type { JsonValue } from '../../json/index.js'
import { evaluateFilter } from '../filter/evaluate.js'
import { checkFilterFeatures } from '../filter/features.js'
import { type ForeignIndex, resolveForeign } from '../filter/foreign.js'
import { mergeFilters } from '../filter/merge.js'
import type { Filter } from '../filter/model.js'
import { parseFilter } from '../filter/parse-filter.js'
import type { Reading } from '../filter/scanner.js'
import type { FilterTarget } from '../filter/target.js'
import type { SearchIndex } from '../search-index.js'
import { documentIdReader } from './document-ids.js'
import type { SearchContext } from './search-context.js'

const CODE = 'invalid_search_filter'

/** Filter of the request and of the tenant token, read and with its features checked; undefined for none. */
export function readSearchFilter(
  requested: JsonValue,
  { uid, reading }: { uid: string; reading: Reading },
  context: SearchContext,
): Result<Filter | undefined> {
  const merged = mergeFilters(requested, context.tenantFilter(uid)) ?? null
  if (merged === null) return ok(undefined)
  const parsed = parseFilter(merged, { code: CODE, reading })
  if (!parsed.ok || parsed.value === undefined) return parsed
  const gates = checkFilterFeatures(parsed.value, context.gates)
  return gates.ok ? parsed : gates
}

/** The documents that pass; null when there is no filter. */
export function filteredDocuments(
  index: SearchIndex,
  filter: Filter | undefined,
  context: SearchContext,
): Result<Bitmap | null> {
  if (filter === undefined) return ok(null)
  const resolved = resolveForeign(filter, {
    indexUid: index.uid,
    foreignKeys: index.settings.foreignKeys,
    open: (uid) => openForeign(uid, context),
    found: new Map(),
  })
  return resolved.ok ? evaluateFilter(resolved.value, filterTarget(index), CODE) : resolved
}

function openForeign(uid: string, context: SearchContext): Result<ForeignIndex> {
  const opened = context.open(uid)
  if (!opened.ok) return opened
  return ok({ ...filterTarget(opened.value), documentId: documentIdReader(opened.value) })
}

function filterTarget({ uid, settings, roles, facets }: SearchIndex): FilterTarget {
  return { indexUid: uid, settings, roles, facets }
}

/** Searches of other machines come with the network; until then they are refused (spec 6 §1.1, step 6). */
export function checkNetwork(useNetwork: boolean | null, { gates }: SearchContext): Result<undefined> {
  if (useNetwork === null) return ok(undefined)
  if (!gates.network) return fail('feature_not_enabled', 'Passing `useNetwork`', 'network')
  if (!useNetwork) return ok(undefined)
  return fail('invalid_search_use_network', '`.useNetwork`: searches across a network are not possible yet.')
}
