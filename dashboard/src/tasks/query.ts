import type { Batch, Task, TasksResults } from 'meilisearch'
import { type Params, place } from '../app/place.js'
import { ask } from '../server/client.js'

export const STATUSES = ['enqueued', 'processing', 'succeeded', 'failed', 'canceled'] as const
export type Status = (typeof STATUSES)[number]

/** In the order of the interface. */
export const TYPES = [
  'documentAdditionOrUpdate',
  'documentEdition',
  'documentDeletion',
  'settingsUpdate',
  'indexCreation',
  'indexDeletion',
  'indexUpdate',
  'indexSwap',
  'taskCancelation',
  'taskDeletion',
  'dumpCreation',
  'snapshotCreation',
  'export',
  'upgradeDatabase',
  'indexCompaction',
  'networkTopologyChange',
] as const

const UNFINISHED: readonly string[] = ['enqueued', 'processing']
const FINISHED: readonly string[] = ['succeeded', 'failed', 'canceled']

/** Which tasks are shown, as it stands in the address; empty where all are. */
export interface TaskFilter {
  readonly status: string
  readonly type: string
  readonly index: string
  readonly batch: string
}

export function taskFilter(): TaskFilter {
  const { params } = place.value
  const read = (name: string) => params.get(name) ?? ''
  return { status: read('status'), type: read('type'), index: read('index'), batch: read('batch') }
}

export const isFiltered = (filter: TaskFilter): boolean => Object.values(filter).some((value) => value !== '')

const queryOf = ({ status, type, index, batch }: TaskFilter): Params => ({
  statuses: status,
  types: type,
  indexUids: index,
  batchUids: batch,
})

const TASKS_PER_PAGE = 100

/** What is going on. */
export interface Seen {
  readonly page: TasksResults
  readonly running: Batch | undefined
  /** Tasks that are not finished, whatever is filtered by. */
  readonly unfinished: number
}

export async function look(filter: TaskFilter, from: string, signal: AbortSignal): Promise<Seen> {
  const [page, batches, unfinished] = await Promise.all([
    get<TasksResults>('tasks', { ...queryOf(filter), from, limit: String(TASKS_PER_PAGE) }, signal),
    get<{ results: Batch[] }>('batches', { statuses: 'processing', limit: '1' }, signal),
    get<TasksResults>('tasks', { statuses: UNFINISHED.join(), limit: '0' }, signal),
  ])
  return { page, running: batches.results[0], unfinished: unfinished.total }
}

export const readTask = (uid: number, signal?: AbortSignal) => get<Task>(`tasks/${uid}`, {}, signal)

export const readBatch = (uid: number, signal?: AbortSignal) => get<Batch>(`batches/${uid}`, {}, signal)

export const isUnfinished = ({ status }: { status: string }): boolean => UNFINISHED.includes(status)

export type Change = 'cancel' | 'delete'

/** The tasks that a change is about: those that were chosen, or all that the filter lets through. */
export interface Selection {
  readonly params: Params
  readonly count: number
}

export async function selectByFilter(change: Change, filter: TaskFilter): Promise<Selection> {
  const possible = change === 'cancel' ? UNFINISHED : FINISHED
  const wanted = possible.filter((status) => filter.status === '' || status === filter.status)
  if (wanted.length === 0) return { params: {}, count: 0 }
  const params = { ...queryOf(filter), statuses: wanted.join() }
  const { total } = await get<TasksResults>('tasks', { ...params, limit: '0' })
  return { params, count: total }
}

/** Only those that can be canceled, or deleted: the others stay as they are. */
export function selectByHand(change: Change, tasks: readonly Task[]): Selection {
  const fitting = tasks.filter((task) => isUnfinished(task) === (change === 'cancel'))
  return { params: { uids: fitting.map(({ uid }) => uid).join() }, count: fitting.length }
}

export function request(change: Change, { params }: Selection): Promise<{ taskUid: number }> {
  return change === 'cancel' ? ask('post', `tasks/cancel${printed(params)}`) : ask('delete', `tasks${printed(params)}`)
}

function get<T>(path: string, params: Params, signal?: AbortSignal): Promise<T> {
  return ask<T>('get', `${path}${printed(params)}`, signal === undefined ? {} : { signal })
}

function printed(params: Params): string {
  const given = Object.entries(params).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '')
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}
