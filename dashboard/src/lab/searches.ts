import type { SearchParams } from 'meilisearch'
import { client } from '../server/client.js'
import { access } from '../server/overview.js'
import { requestOf, type Side } from './sides.js'

export type Document = Readonly<Record<string, unknown>>

export interface Found {
  readonly id: string
  readonly hit: Document
}

/** How many hits are laid side by side. */
export const COMPARED = 20
/** How far wanted documents are looked for. */
export const DEEPEST = 100

export interface Asked {
  /** The index of the screen; a side may search in another one. */
  readonly index: string
  readonly side: Side
  readonly q: string
  readonly limit: number
  readonly signal?: AbortSignal | undefined
}

export async function searchOn({ index, side, q, limit, signal }: Asked): Promise<Found[]> {
  const uid = side.index === '' ? index : side.index
  const request: SearchParams = { ...requestOf(side), limit, showRankingScore: true }
  const { hits } = await client.value.index<Record<string, unknown>>(uid).search(q, request, { signal: signal ?? null })
  const primaryKey = primaryKeyOf(uid)
  return hits.map((hit) => ({ id: idOf(hit, primaryKey), hit }))
}

function primaryKeyOf(index: string): string | null {
  const current = access.value
  if (current.state !== 'open') return null
  return current.overview.indexes?.find(({ uid }) => uid === index)?.primaryKey ?? null
}

/** Where ids cannot be known, or are not displayed, documents are told apart by all of them. */
function idOf(hit: Document, primaryKey: string | null): string {
  const id = (primaryKey === null ? undefined : hit[primaryKey]) ?? hit.id
  if (id !== undefined) return String(id)
  const { _rankingScore, ...document } = hit
  return JSON.stringify(document)
}
