import type { DeletionSelection, Task, TaskContent } from './model/task.js'

/** Tasks for tests, as short as what matters in them. */
type Content<Type extends TaskContent['type']> = Extract<TaskContent, { type: Type }>

export function importOf(
  indexUid: string,
  facts: Partial<Content<'documentAdditionOrUpdate'>> = {},
): Content<'documentAdditionOrUpdate'> {
  return {
    type: 'documentAdditionOrUpdate',
    indexUid,
    method: 'replace',
    primaryKey: null,
    documentsCount: 1,
    allowIndexCreation: true,
    skipCreation: false,
    payload: { place: 'inline', bytes: 10 },
    ...facts,
  }
}

/** One that can be enqueued as it is. */
type Deletion = Content<'documentDeletion'> & { readonly selection: Exclude<DeletionSelection, { by: 'idList' }> }

export const deleteIds = (indexUid: string, ids: readonly string[] = ['1']): Deletion => ({
  type: 'documentDeletion',
  indexUid,
  selection: { by: 'ids', ids },
})

export const deleteByFilter = (indexUid: string, filter = '"a = 1"'): Deletion => ({
  type: 'documentDeletion',
  indexUid,
  selection: { by: 'filter', filter },
})

export const deleteAll = (indexUid: string): Deletion => ({
  type: 'documentDeletion',
  indexUid,
  selection: { by: 'all' },
})

export const settingsOf = (
  indexUid: string,
  settings: object = {},
  allowIndexCreation = true,
): Content<'settingsUpdate'> => ({
  type: 'settingsUpdate',
  indexUid,
  settings: JSON.stringify(settings),
  isDeletion: false,
  allowIndexCreation,
})

export const createIndex = (indexUid: string, primaryKey: string | null = null): Content<'indexCreation'> => ({
  type: 'indexCreation',
  indexUid,
  primaryKey,
})

export const deleteIndex = (indexUid: string): Content<'indexDeletion'> => ({ type: 'indexDeletion', indexUid })

export const compactIndex = (indexUid: string): Content<'indexCompaction'> => ({ type: 'indexCompaction', indexUid })

export const updateIndex = (indexUid: string, newIndexUid: string | null = null): Content<'indexUpdate'> => ({
  type: 'indexUpdate',
  indexUid,
  primaryKey: null,
  newIndexUid,
})

export const editOf = (indexUid: string): Content<'documentEdition'> => ({
  type: 'documentEdition',
  indexUid,
  filter: null,
  context: null,
  function: 'doc.a = 1',
})

export const swapOf = (...swaps: (readonly [a: string, b: string, rename?: boolean])[]): Content<'indexSwap'> => ({
  type: 'indexSwap',
  swaps: swaps.map(([a, b, rename = false]) => ({ indexes: [a, b], rename })),
})

export function taskOf(uid: number, content: TaskContent, facts: Partial<Task> = {}): Task {
  return {
    uid,
    batchUid: null,
    status: 'enqueued',
    content,
    results: null,
    error: null,
    canceledBy: null,
    enqueuedAt: '2026-01-05T10:00:00Z',
    startedAt: null,
    finishedAt: null,
    ...facts,
  }
}
