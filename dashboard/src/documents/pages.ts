import { useCallback, useRef, useState } from 'preact/hooks'
import { sayFailed } from '../parts/toasts.js'
import { ask, client } from '../server/client.js'
import { type Loading, useLoaded } from '../server/loaded.js'
import { chooseColumns, type Document, preview } from './columns.js'
import type { DocumentQuery } from './query.js'

const PAGE = 60
/** Looked at to choose the columns. */
const SAMPLE = 8
/** After a change as many are loaded again as were there, so that nobody loses their place. */
const MOST_AGAIN = 1_000

/** What the list keeps of a document: beginnings of values, as documents may be large. */
export interface Row {
  readonly id: string
  readonly cells: readonly string[]
}

export interface Listed {
  readonly primaryKey: string | null
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
  readonly total: number
  readonly sortable: readonly string[]
  readonly filterable: readonly string[]
  /** Offset of the page behind the last one; undefined where that is the last. */
  readonly next: number | undefined
}

export interface DocumentPages {
  readonly first: Loading<Listed>
  /** The first page and all behind it that came so far. */
  readonly listed: Listed | undefined
  loadMore(): void
}

/** Documents of an index, page by page as they are needed. */
export function useDocumentPages(index: string, query: DocumentQuery): DocumentPages {
  const asked = `${index} ${query.filter} ${query.sort}`
  const loadedRows = useRef({ asked, count: 0 })
  if (loadedRows.current.asked !== asked) loadedRows.current = { asked, count: 0 }
  const first = useLoaded<Listed>(
    (signal) => readFirst(index, query, Math.min(MOST_AGAIN, Math.max(PAGE, loadedRows.current.count)), signal),
    [asked],
  )
  const [grown, setGrown] = useState<{ from: Listed; listed: Listed } | undefined>()
  const isBusy = useRef(false)
  const begin = first.latest
  // Pages belong to the first one they were added to.
  const listed = grown !== undefined && grown.from === begin ? grown.listed : begin
  loadedRows.current.count = listed?.rows.length ?? 0
  const loadMore = useCallback(() => {
    if (begin === undefined || listed?.next === undefined || isBusy.current) return
    isBusy.current = true
    readPage(index, query, { ...listed, offset: listed.next, limit: PAGE })
      .then(
        (page) => setGrown({ from: begin, listed: { ...listed, ...page, rows: [...listed.rows, ...page.rows] } }),
        sayFailed,
      )
      .finally(() => void (isBusy.current = false))
  }, [begin, listed, index, asked])
  return { first, listed, loadMore }
}

async function readFirst(index: string, query: DocumentQuery, limit: number, signal: AbortSignal): Promise<Listed> {
  const [info, sample, sortable, filterable] = await Promise.all([
    ask<{ primaryKey: string | null }>('get', pathOf(index), { signal }),
    fetchPage(index, { limit: SAMPLE }, signal),
    // A key may list documents and not know the settings.
    client.value.index(index).getSortableAttributes().catch(none),
    client.value.index(index).getFilterableAttributes().catch(none),
  ])
  const { primaryKey } = info
  const columns = chooseColumns(sample.results, primaryKey)
  const page = await readPage(index, query, { primaryKey, columns, offset: 0, limit }, signal)
  const isPlain = (name: unknown): name is string => typeof name === 'string' && !name.includes('*')
  return {
    primaryKey,
    columns,
    sortable: (sortable ?? []).filter(isPlain),
    filterable: (filterable ?? []).filter(isPlain),
    ...page,
  }
}

const none = () => []

interface Wanted {
  readonly primaryKey: string | null
  readonly columns: readonly string[]
  readonly offset: number
  readonly limit: number
}

async function readPage(index: string, { filter, sort }: DocumentQuery, wanted: Wanted, signal?: AbortSignal) {
  const { primaryKey, columns, offset, limit } = wanted
  const body = {
    offset,
    limit,
    fields: columns,
    ...(filter.trim() === '' ? {} : { filter }),
    ...(sort === '' ? {} : { sort: [sort] }),
  }
  const { results, total } = await fetchPage(index, body, signal)
  const rows = results.map((document) => ({
    id: primaryKey === null ? '' : String(document[primaryKey]),
    cells: columns.map((name) => preview(document[name])),
  }))
  return { rows, total, next: offset + limit < total ? offset + limit : undefined }
}

const fetchPage = (index: string, body: object, signal?: AbortSignal) =>
  ask<{ results: Document[]; total: number }>('post', `${pathOf(index)}/documents/fetch`, {
    body,
    ...(signal === undefined ? {} : { signal }),
  })

export const pathOf = (index: string): string => `indexes/${encodeURIComponent(index)}`
