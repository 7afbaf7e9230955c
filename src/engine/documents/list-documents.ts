import { Bitmap } from '../../bitmap/index.js'
import { type DocId, idFromValue } from '../../documents/index.js'
import { failureSaying, ok, type Result } from '../../errors/index.js'
import type { IndexFolder } from '../../folder/index.js'
import type { JsonValue } from '../../json/index.js'
import { shown } from '../../json/index.js'
import type { SearchIndex, SortKey } from '../../match/index.js'
import { parseSort } from '../../match/index.js'
import { checkBudget } from '../../threads/index.js'
import type { EngineContext } from '../engine-context.js'
import type { ScoreValue } from '../score-value.js'
import { checkNetwork, documentsPassing } from '../search-filter.js'
import { readListFilter } from './list-filter.js'
import type { ListRequest } from './list-query.js'
import { shownAs } from './shown-document.js'
import { sortDocuments } from './sort-documents.js'
import { documentSortValues } from './sort-values.js'

/** A list that is asked for, with what of it was checked. */
export interface CheckedList {
  readonly request: ListRequest
  readonly ids: readonly string[] | null
  readonly sort: readonly SortKey[]
}

/** What can be refused before the index is looked for. */
export function checkList(request: ListRequest, context: EngineContext): Result<CheckedList> {
  const network = checkNetwork(request.useNetwork, context)
  if (!network.ok) return network
  const ids = request.ids === null ? ok(null) : legalIds(request.ids)
  if (!ids.ok) return ids
  const sort = parseSort(request.sort ?? [], 'invalid_document_sort')
  return sort.ok ? ok({ request, ids: ids.value, sort: sort.value }) : sort
}

function legalIds(ids: readonly JsonValue[]): Result<string[]> {
  const legal: string[] = []
  for (const [i, id] of ids.entries()) {
    const text = idFromValue(id)
    if (text === undefined || !text.ok) {
      const reason = `\`.ids[${i}]\`: ${shown(id)} is not a document id.`
      return { ok: false, failure: failureSaying('invalid_document_ids', reason) }
    }
    legal.push(text.value)
  }
  return ok(legal)
}

/** The part of a list that is shown. Its documents are read from the index when they are asked for, and not later. */
export interface FoundList {
  readonly docIds: ArrayLike<number>
  /** How many documents there are in all. */
  readonly total: number
  /** JSON. */
  print(docId: number): string
  /** By what the documents are sorted. */
  sortValues(): ScoreValue[][]
}

/** Finds the documents of a list in their order. */
export function findList(uid: string, checked: CheckedList, context: EngineContext): Result<FoundList> {
  const { offset, limit } = checked.request
  const opened = context.open(uid)
  if (!opened.ok) return opened
  const index = opened.value
  const selected = selectedBy(checked, index, context)
  if (!selected.ok) return selected
  const { folder } = index
  const ordered = sortDocuments(index, selected.value, { keys: checked.sort, count: offset + limit })
  if (!ordered.ok) return ordered
  const docIds = ordered.value?.slice(offset, offset + limit) ?? selected.value.toArraySlice(offset, limit)
  const show = shownAs(folder, checked.request)
  return ok({
    docIds,
    total: selected.value.size,
    print(docId) {
      checkBudget()
      return show(docId, folder.document(docId as DocId)!)
    },
    sortValues: () => documentSortValues(index, Array.from(docIds), checked.sort),
  })
}

function selectedBy({ request, ids }: CheckedList, index: SearchIndex, context: EngineContext): Result<Bitmap> {
  const filter = readListFilter(request.filter, context.gates)
  if (!filter.ok) return filter
  const filtered =
    filter.value === undefined
      ? ok(index.docIds)
      : documentsPassing(filter.value, { index, context, code: 'invalid_document_filter' })
  if (!filtered.ok || ids === null) return filtered
  return ok(filtered.value.and(docIdsOf(index.folder, ids)))
}

function docIdsOf(folder: IndexFolder, ids: readonly string[]): Bitmap {
  return Bitmap.fromUnsorted(
    ids.flatMap((id) => {
      checkBudget()
      return folder.docIdOf(id) ?? []
    }),
  )
}
