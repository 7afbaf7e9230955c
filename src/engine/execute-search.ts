import { Bitmap } from '../bitmap/index.js'
import { fail, ok, type Result } from '../errors/index.js'
import type { SearchIndex, SortKey } from '../match/index.js'
import { checkSearchSort, parseSort } from '../match/index.js'
import type { Ranking, RankRequest } from '../rank/index.js'
import { findPins, type Pin, wantedPins, withoutPins, withPins } from '../rank/index.js'
import { distinctAttribute } from './distinct.js'
import type { EngineContext } from './engine-context.js'
import { type PageWindow, pageWindow } from './page-window.js'
import { rankAs } from './rank-as.js'
import {
  checkNetwork,
  filterKey,
  knownDocuments,
  lateDocuments,
  type ReadFilter,
  readSearchFilter,
} from './search-filter.js'
import { type SearchKind, searchKind } from './search-kind.js'
import type { SearchQuery } from './search-query.js'
import type { SearchTask } from './search-task.js'
import { checkSearchedAttributes } from './searched-attributes.js'
import { LOCAL_STAGE, MERGE_STAGE } from './stages.js'
import { withoutTaken } from './taken-values.js'

/** What a search found, and what its printing needs. */
export interface SearchOutcome {
  readonly index: SearchIndex
  readonly ranking: Ranking
  readonly sort: readonly SortKey[]
  readonly window: PageWindow
  readonly kind: SearchKind
  /** By which documents were searched; null when none were. */
  readonly queryVector: Float32Array | null
  /** When ranking had to stop, on the clock of `performance.now()`. */
  readonly deadline: number
}

/** Steps 4 to 15 of a search, in the order of their checks (spec 6 §1.1). */
export function executeSearch(finding: SearchTask): Result<SearchOutcome> {
  const prepared = prepareSearch(finding)
  if (!prepared.ok) return prepared
  const { index, sort, window, kind, request, pins } = prepared.value
  const ranked = rankAs(kind, { index, request, finding })
  if (!ranked.ok) return ranked
  const { ranking: organic, queryVector } = ranked.value
  const ranking =
    pins.length === 0 ? organic : finding.stages.measure(MERGE_STAGE, () => withPins(index, organic, pins, request))
  return ok({ index, sort, window, kind, queryVector, ranking, deadline: request.deadline })
}

/** A search that is ready to be ranked. */
export interface PreparedSearch {
  readonly index: SearchIndex
  readonly sort: readonly SortKey[]
  readonly window: PageWindow
  readonly kind: SearchKind
  /** By words. Without the documents that are pinned. */
  readonly request: RankRequest
  readonly pins: readonly Pin[]
}

export function prepareSearch(finding: SearchTask): Result<PreparedSearch> {
  const { query, context, stages } = finding
  const opened = openIndex(finding)
  if (!opened.ok) return opened
  const { index, filter } = opened.value
  const deadline = finding.deadline ?? deadlineOf(index)
  const checked = checkAgainstIndex(index, query, context)
  if (!checked.ok) return checked
  const { sort, distinct, kind } = checked.value
  const taken = distinct === null ? undefined : finding.part?.distinct
  const isLate = kind === 'keyword' && context.rules.length === 0 && taken === undefined
  const documentsOf = isLate ? lateDocuments : knownDocuments
  const filtered = stages.measure(`${LOCAL_STAGE} > evaluate filter`, () => documentsOf(index, filter, context))
  if (!filtered.ok) return filtered
  const { settings, roles } = index
  const sortable = checkSearchSort(sort, { indexUid: index.uid, settings, roles })
  if (!sortable.ok) return sortable
  const window = pageWindow(query, settings.pagination.maxTotalHits)
  const isFound = filtered.value === null || filtered.value instanceof Bitmap
  const [passing, lateFilter] = isFound ? [filtered.value, undefined] : [null, filtered.value]
  const left = taken === undefined ? passing : withoutTaken(index, passing, { distinct: distinct!, taken: taken.taken })
  const pins = pinsOf(index, finding, passing)
  const request: RankRequest = {
    q: query.q,
    locales: query.locales,
    matchingStrategy: query.matchingStrategy,
    attributesToSearchOn: query.attributesToSearchOn,
    threshold: query.rankingScoreThreshold,
    sort,
    distinct,
    isEmptyDistinct: query.distinct !== null,
    filter: pins.length === 0 ? left : withoutPins(index, left, pins),
    lateFilter,
    filterKey: pins.length === 0 && taken === undefined ? filter.key : undefined,
    depth: window.depth,
    isExhaustive: window.isPaged,
    isCountEnough: kind === 'keyword' && query.facets === null && pins.length === 0 && finding.isPartOfMore !== true,
    isOrderEnough: kind === 'keyword' && !showsScores(query) && finding.isPartOfMore !== true,
    deadline,
    part: finding.part,
  }
  return ok({ index, sort, window, kind, request, pins })
}

const showsScores = ({ showRankingScore, showRankingScoreDetails }: SearchQuery): boolean =>
  showRankingScore || showRankingScoreDetails

/** Documents that rules put at fixed places. */
function pinsOf(index: SearchIndex, { uid, query, context }: SearchTask, filter: Bitmap | null): Pin[] {
  if (context.rules.length === 0) return []
  return findPins(index, wantedPins(context.rules, { indexUid: uid, q: query.q, now: context.clock() }), filter)
}

interface OpenedIndex {
  readonly index: SearchIndex
  readonly filter: ReadFilter
}

/** Steps 4 to 7. With foreign keys the index is looked for before the filter is read. */
function openIndex({ uid, query, context, reading: ownReading }: SearchTask): Result<OpenedIndex> {
  const early = context.gates.foreignKeys ? context.open(uid) : undefined
  if (early?.ok === false) return early
  const reading = ownReading ?? (context.gates.legacySearch ? 'once' : 'twice')
  const filter = readSearchFilter(query.filter, { uid, reading }, context)
  if (!filter.ok) return filter
  const network = checkNetwork(query.useNetwork, context)
  if (!network.ok) return network
  const index = early ?? context.open(uid)
  if (!index.ok) return index
  const key = filterKey(query.filter, { uid, reading }, context)
  return ok({ index: index.value, filter: { filter: filter.value, key } })
}

/** How long ranking may take unless the settings say otherwise. */
export const DEFAULT_CUTOFF_MS = 1500

/** When ranking must stop, on the clock of `performance.now()`. */
export function deadlineOf({ settings }: SearchIndex): number {
  return performance.now() + (settings.searchCutoffMs ?? DEFAULT_CUTOFF_MS)
}

interface Checked {
  readonly kind: SearchKind
  readonly sort: readonly SortKey[]
  readonly distinct: string | null
}

/** Steps 8 to 12. */
function checkAgainstIndex(index: SearchIndex, query: SearchQuery, { gates }: EngineContext): Result<Checked> {
  const kind = searchKind(index, query)
  if (!kind.ok) return kind
  const sort = parseSort(query.sort ?? [], 'invalid_search_sort')
  if (!sort.ok) return sort
  if (query.media !== null && !gates.multimodal) return fail('feature_not_enabled', 'Passing `media`', 'multimodal')
  const searched = checkSearchedAttributes(index, query.attributesToSearchOn)
  if (!searched.ok) return searched
  const distinct = distinctAttribute(index, query.distinct)
  return distinct.ok ? ok({ kind: kind.value, sort: sort.value, distinct: distinct.value }) : distinct
}
