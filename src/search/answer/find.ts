import { fail, ok, type Result } from '../../errors/index.js'
import type { Filter } from '../filter/model.js'
import type { Ranking } from '../rank/model.js'
import { rank } from '../rank/rank.js'
import type { SearchQuery, Selection } from '../request/search-query.js'
import type { SearchIndex } from '../search-index.js'
import { checkSearchSort } from '../sort/check-sortable.js'
import type { SortKey } from '../sort/model.js'
import { parseSort } from '../sort/parse-sort.js'
import { distinctAttribute } from './distinct.js'
import { type PageWindow, pageWindow } from './page-window.js'
import type { SearchContext } from './search-context.js'
import { checkNetwork, filteredDocuments, readSearchFilter } from './search-filter.js'
import { refuseSemantic, searchKind } from './search-kind.js'
import { checkSearchedAttributes } from './searched-attributes.js'
import type { Stages } from './stages.js'

/** Under this name the parts of a search are timed (spec 6 §12.3). */
export const LOCAL_STAGE = 'search > execute local search'

/** What a search found, and what its printing needs. */
export interface Found {
  readonly index: SearchIndex
  readonly ranking: Ranking
  readonly sort: readonly SortKey[]
  readonly window: PageWindow
}

export interface Finding {
  readonly uid: string
  readonly query: SearchQuery
  readonly context: SearchContext
  readonly stages: Stages
}

/** Steps 4 to 15 of a search, in the order of their checks (spec 6 §1.1). */
export function findDocuments(finding: Finding): Result<Found> {
  const { query, context, stages } = finding
  const opened = openIndex(finding)
  if (!opened.ok) return opened
  const { index, filter } = opened.value
  const deadline = deadlineOf(index)
  const checked = checkAgainstIndex(index, query, context)
  if (!checked.ok) return checked
  const { sort, distinct } = checked.value
  const filtered = stages.measure(`${LOCAL_STAGE} > evaluate filter`, () => filteredDocuments(index, filter, context))
  if (!filtered.ok) return filtered
  const { settings, roles } = index
  const sortable = checkSearchSort(sort, { indexUid: index.uid, settings, roles })
  if (!sortable.ok) return sortable
  const window = pageWindow(query, settings.pagination.maxTotalHits)
  const stage = isPlaceholder(query) ? 'placeholder ranking' : 'keyword ranking'
  const ranking = stages.measure(`${LOCAL_STAGE} > ${stage}`, () =>
    rank(index, {
      q: query.q,
      locales: query.locales,
      matchingStrategy: query.matchingStrategy,
      attributesToSearchOn: query.attributesToSearchOn,
      threshold: query.rankingScoreThreshold,
      sort,
      distinct,
      filter: filtered.value,
      depth: window.depth,
      isExhaustive: window.isPaged,
      deadline,
    }),
  )
  return ok({ index, ranking, sort, window })
}

const isPlaceholder = ({ q }: Selection): boolean => q === null || q.trim() === ''

interface Opened {
  readonly index: SearchIndex
  readonly filter: Filter | undefined
}

/** Steps 4 to 7. With foreign keys the index is looked for before the filter is read. */
function openIndex({ uid, query, context }: Finding): Result<Opened> {
  const early = context.gates.foreignKeys ? context.open(uid) : undefined
  if (early?.ok === false) return early
  const reading = context.gates.legacySearch ? 'once' : 'twice'
  const filter = readSearchFilter(query.filter, { uid, reading }, context)
  if (!filter.ok) return filter
  const network = checkNetwork(query.useNetwork, context)
  if (!network.ok) return network
  const index = early ?? context.open(uid)
  return index.ok ? ok({ index: index.value, filter: filter.value }) : index
}

/** How long ranking may take unless the settings say otherwise. */
const DEFAULT_CUTOFF_MS = 1500

/** When ranking must stop, on the clock of `performance.now()`. */
export function deadlineOf({ settings }: SearchIndex): number {
  return performance.now() + (settings.searchCutoffMs ?? DEFAULT_CUTOFF_MS)
}

interface Checked {
  readonly sort: readonly SortKey[]
  readonly distinct: string | null
}

/** Steps 8 to 12. */
function checkAgainstIndex(index: SearchIndex, query: SearchQuery, { gates }: SearchContext): Result<Checked> {
  const kind = searchKind(index, query)
  if (!kind.ok) return kind
  const sort = parseSort(query.sort ?? [], 'invalid_search_sort')
  if (!sort.ok) return sort
  if (query.media !== null && !gates.multimodal) return fail('feature_not_enabled', 'Passing `media`', 'multimodal')
  if (kind.value === 'semantic') return refuseSemantic()
  const searched = checkSearchedAttributes(index, query.attributesToSearchOn)
  if (!searched.ok) return searched
  const distinct = distinctAttribute(index, query.distinct)
  return distinct.ok ? ok({ sort: sort.value, distinct: distinct.value }) : distinct
}
