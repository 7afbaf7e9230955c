import { Bitmap } from '../bitmap/index.js'
import { VersionCache } from '../cache/index.js'
import { fail, ok, type Result } from '../errors/index.js'
import { IndexFacets, StoredShards } from '../index/index.js'
import { type JsonValue, print } from '../json/index.js'
import type { Filter, FilterTarget, LateFilter, Reading, SearchIndex } from '../match/index.js'
import {
  checkFilterFeatures,
  evaluateFilter,
  type FilterCode,
  type ForeignIndex,
  mergeFilters,
  parseFilter,
  prepareFilter,
  resolveForeign,
} from '../match/index.js'
import { columnsOf } from '../rank/index.js'
import { documentIdReader } from './document-ids.js'
import type { EngineContext } from './engine-context.js'

const CODE = 'invalid_search_filter'

interface HowToRead {
  readonly uid: string
  readonly reading: Reading
}

/** Filter of the request and of the tenant token, read and with its features checked; undefined for none. */
export function readSearchFilter(
  requested: JsonValue,
  { uid, reading }: HowToRead,
  context: EngineContext,
): Result<Filter | undefined> {
  const merged = mergeFilters(requested, context.tenantFilter(uid)) ?? null
  if (merged === null) return ok(undefined)
  const parsed = parseFilter(merged, { code: CODE, reading })
  if (!parsed.ok || parsed.value === undefined) return parsed
  const gates = checkFilterFeatures(parsed.value, context.gates)
  return gates.ok ? parsed : gates
}

/** Longer filters are written for one search only. */
const LONGEST_KEY = 10_000

/** What tells a filter from others; undefined when other indexes have a say in it, or when it will not come again. */
export function filterKey(
  requested: JsonValue,
  { uid, reading }: HowToRead,
  context: EngineContext,
): string | undefined {
  const merged = mergeFilters(requested, context.tenantFilter(uid)) ?? null
  if (merged === null) return ''
  if (textLength(merged) > LONGEST_KEY) return undefined
  const key = print(merged)
  if (key.length > LONGEST_KEY || key.toLowerCase().includes('_foreign')) return undefined
  return `${reading} ${context.shardVersion ?? ''} ${key}`
}

/** Of all expressions together: to print them all only to see that they are long takes a while. */
function textLength(filter: JsonValue): number {
  if (typeof filter === 'string') return filter.length
  return Array.isArray(filter) ? filter.reduce<number>((sum, item) => sum + textLength(item), 0) : 0
}

const known = new VersionCache<Bitmap>('filtered documents', 8 << 20)

export interface ReadFilter {
  readonly filter: Filter | undefined
  /** What tells it from others (`filterKey`). */
  readonly key: string | undefined
}

/** The same as `filteredDocuments`, kept until the index changes: people who narrow a list down repeat their filters. */
export function knownDocuments(
  index: SearchIndex,
  { filter, key }: ReadFilter,
  context: EngineContext,
): Result<Bitmap | null> {
  if (filter === undefined || key === undefined) return filteredDocuments(index, filter, context)
  const kept = known.get(index, key)
  if (kept !== undefined) return ok(kept)
  const passing = documentsPassing(filter, { index, context, code: CODE })
  if (passing.ok) known.keep(index, key, passing.value, passing.value.sizeBytes())
  return passing
}

const asked = new VersionCache<true>('filters that were asked for', 64 << 10)

/** The same for whoever may want to know it of a few documents only. What is asked for again is evaluated, and kept. */
export function lateDocuments(
  index: SearchIndex,
  read: ReadFilter,
  context: EngineContext,
): Result<Bitmap | LateFilter | null> {
  const { filter, key } = read
  const isNew = filter !== undefined && key !== undefined && asked.get(index, key) === undefined
  if (!isNew || known.get(index, key) !== undefined) return knownDocuments(index, read, context)
  asked.keep(index, key, true, 0)
  const prepared = prepareFilter(filter, filterTarget(index, context), CODE)
  if (!prepared.ok || prepared.value instanceof Bitmap) return prepared
  const { all, among } = prepared.value
  return ok({ all: () => kept(index, key, all()), among })
}

function kept(index: SearchIndex, key: string, passing: Bitmap): Bitmap {
  known.keep(index, key, passing, passing.sizeBytes())
  return passing
}

/** The documents that pass; null when there is no filter. */
export function filteredDocuments(
  index: SearchIndex,
  filter: Filter | undefined,
  context: EngineContext,
): Result<Bitmap | null> {
  return filter === undefined ? ok(null) : documentsPassing(filter, { index, context, code: CODE })
}

/** `code` blames the filter where it is wrong. */
export function documentsPassing(
  filter: Filter,
  { index, context, code }: { index: SearchIndex; context: EngineContext; code: FilterCode },
): Result<Bitmap> {
  const resolved = resolveForeign(filter, {
    indexUid: index.uid,
    foreignKeys: index.settings.foreignKeys,
    open: (uid) => openForeign(uid, context),
    found: new Map(),
  })
  return resolved.ok ? evaluateFilter(resolved.value, filterTarget(index, context), code) : resolved
}

function openForeign(uid: string, context: EngineContext): Result<ForeignIndex> {
  const opened = context.open(uid)
  if (!opened.ok) return opened
  return ok({ ...filterTarget(opened.value, context), documentId: documentIdReader(opened.value) })
}

/**
 * How long it may take to find the documents that pass a filter. The cutoff of searches does not end it sooner, since
 * filters apply as a whole whatever the time (spec 6 §4.12).
 */
const FILTER_MS = 10_000

const FACETS = Symbol('facets for filters')
const SHARDS = Symbol('shards for filters')

function filterTarget(index: SearchIndex, { shardVersion }: EngineContext): FilterTarget {
  const { uid, settings, roles } = index
  const facets = index.derive(FACETS, () => new IndexFacets(index.folder, columnsOf(index)))
  const stored = index.derive(SHARDS, () => new StoredShards(index.folder.databases.shards))
  const maxMs = Math.max(FILTER_MS, settings.searchCutoffMs ?? 0)
  return { indexUid: uid, settings, roles, facets, shards: stored.of(shardVersion), maxMs }
}

/** Whoever asks for the network, or not to use it, must have it (spec 6 §1.1, step 6). */
export function checkNetwork(useNetwork: boolean | null, { gates }: EngineContext): Result<undefined> {
  if (useNetwork === null || gates.network) return ok(undefined)
  return fail('feature_not_enabled', 'Passing `useNetwork`', 'network')
}
