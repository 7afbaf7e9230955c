import type { MatchingStrategies, SearchParams } from 'meilisearch'
import { place, setParams } from '../app/place.js'

export const SIDES = ['left', 'right'] as const

export type SideName = (typeof SIDES)[number]

const FIELDS = ['index', 'q', 'strategy', 'searchOn', 'sort', 'filter', 'threshold', 'ratio', 'embedder'] as const

/** How one side searches, as it stands in the address. Empty: as the index does by default. */
export type Side = Readonly<Record<(typeof FIELDS)[number], string>>

export const sharedQuery = (): string => place.value.params.get('q') ?? ''

export function readSide(name: SideName): Side {
  const { params } = place.value
  return Object.fromEntries(FIELDS.map((field) => [field, params.get(`${name}.${field}`) ?? ''])) as Side
}

export function changeSide(name: SideName, changes: Partial<Side>): void {
  setParams(Object.fromEntries(Object.entries(changes).map(([field, value]) => [`${name}.${field}`, value])))
}

/** Its query, if it has one of its own. */
export const queryOf = (side: Side, shared: string): string => (side.q === '' ? shared : side.q)

/** The parameters of a search, without how much of it is shown. */
export function requestOf(side: Side): SearchParams {
  const { strategy, searchOn, sort, filter, threshold, ratio, embedder } = side
  return {
    ...(strategy === '' ? {} : { matchingStrategy: strategy as MatchingStrategies }),
    ...(searchOn.trim() === '' ? {} : { attributesToSearchOn: listOf(searchOn) }),
    ...(sort.trim() === '' ? {} : { sort: listOf(sort) }),
    ...(filter.trim() === '' ? {} : { filter }),
    ...(threshold === '' ? {} : { rankingScoreThreshold: Number(threshold) }),
    ...(ratio === '' || embedder === '' ? {} : { hybrid: { embedder, semanticRatio: Number(ratio) } }),
  }
}

/** By commas, but not by those of `_geoPoint(1, 2)`. */
const listOf = (text: string): string[] =>
  text
    .split(/,(?![^(]*\))/)
    .map((each) => each.trim())
    .filter((each) => each !== '')
