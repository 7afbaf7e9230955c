import type { FacetStats, SearchParams } from 'meilisearch'
import { place, setParams } from '../app/place.js'

/** What a person asks for, all of it in the address. */
export interface Query {
  readonly q: string
  /** Written by hand. */
  readonly filter: string
  /** Values that were clicked, by attribute. */
  readonly chosen: ReadonlyMap<string, readonly string[]>
  /** Bounds that were dragged, by attribute. */
  readonly ranges: ReadonlyMap<string, Range>
  /** `year:desc`, or nothing. */
  readonly sort: string
  readonly page: number
  /** 0 by words only, 1 by meaning only; undefined where nobody asked for meaning. */
  readonly semanticRatio: number | undefined
  readonly embedder: string
}

/** An end that nobody has dragged is open, whatever is found later. */
export interface Range {
  readonly min?: number
  readonly max?: number
}

export const HITS_PER_PAGE = 20

/** Marks of what matched. They are cut out again: nothing of a document is ever taken for HTML. */
export const MARK_BEGIN = '\u{e000}'
export const MARK_END = '\u{e001}'

function readQuery(params: URLSearchParams): Query {
  const ratio = params.get('ratio')
  return {
    q: params.get('q') ?? '',
    filter: params.get('filter') ?? '',
    chosen: readMap(params.get('facets'), isTexts),
    ranges: readMap(params.get('ranges'), isRange),
    sort: params.get('sort') ?? '',
    page: Math.max(1, Number.parseInt(params.get('page') ?? '1', 10) || 1),
    semanticRatio: ratio === null ? undefined : Math.min(1, Math.max(0, Number(ratio) || 0)),
    embedder: params.get('embedder') ?? '',
  }
}

export const query = (): Query => readQuery(place.value.params)

/** Anything but another page goes back to the first one. */
export function changeQuery(changes: Partial<Query>): void {
  const next = { page: 1, ...changes }
  setParams({
    ...('q' in next && { q: next.q }),
    ...('filter' in next && { filter: next.filter }),
    ...(next.chosen && { facets: printMap(next.chosen) }),
    ...(next.ranges && { ranges: printMap(next.ranges) }),
    ...('sort' in next && { sort: next.sort }),
    ...('semanticRatio' in next && { ratio: next.semanticRatio?.toString() }),
    ...('embedder' in next && { embedder: next.embedder }),
    page: next.page === 1 ? undefined : String(next.page),
  })
}

/** The body of the request. */
export function requestOf(query: Query, facets: readonly string[]): SearchParams {
  const filter = filterOf(query)
  const { q, sort, page, semanticRatio, embedder } = query
  return {
    q,
    page,
    hitsPerPage: HITS_PER_PAGE,
    ...(filter.length === 0 ? {} : { filter }),
    ...(sort === '' ? {} : { sort: [sort] }),
    ...(facets.length === 0 ? {} : { facets: [...facets] }),
    ...(semanticRatio === undefined || embedder === '' ? {} : { hybrid: { embedder, semanticRatio } }),
  }
}

/** The same, with what the page needs beside what was asked for. */
export const shownRequest = (query: Query, facets: readonly string[]): SearchParams => ({
  ...requestOf(query, facets),
  attributesToHighlight: ['*'],
  highlightPreTag: MARK_BEGIN,
  highlightPostTag: MARK_END,
  showRankingScore: true,
})

/** All attributes at once, of each any of its values. */
function filterOf({ filter, chosen, ranges }: Query): (string | string[])[] {
  const values = Array.from(chosen, ([attribute, list]) =>
    list.map((value) => `${quoted(attribute)} = ${quoted(value)}`),
  )
  const bounds = Array.from(ranges, ([attribute, { min, max }]) => [
    ...(min === undefined ? [] : [`${quoted(attribute)} >= ${min}`]),
    ...(max === undefined ? [] : [`${quoted(attribute)} <= ${max}`]),
  ])
  return [...(filter.trim() === '' ? [] : [filter]), ...values.filter((list) => list.length > 0), ...bounds.flat()]
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

/** Numbers are dragged, everything else is clicked. */
export const isNumeric = (stats: FacetStats | undefined, attribute: string): boolean => stats?.[attribute] !== undefined

export function toggled(list: readonly string[], value: string): string[] {
  return list.includes(value) ? list.filter((each) => each !== value) : [...list, value]
}

/** An address may have been written by anybody. */
function readMap<T>(text: string | null, isRight: (value: unknown) => value is T): Map<string, T> {
  try {
    const read: unknown = JSON.parse(text ?? '{}')
    return new Map(Object.entries(read as object).filter((entry): entry is [string, T] => isRight(entry[1])))
  } catch {
    return new Map()
  }
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

const isRange = (value: unknown): value is Range =>
  typeof value === 'object' &&
  value !== null &&
  [(value as Range).min, (value as Range).max].every((end) => end === undefined || Number.isFinite(end))

function printMap(map: ReadonlyMap<string, unknown>): string | undefined {
  const kept = [...map].filter(([, value]) => !Array.isArray(value) || value.length > 0)
  return kept.length === 0 ? undefined : JSON.stringify(Object.fromEntries(kept))
}
