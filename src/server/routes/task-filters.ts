import { ok, type Result } from '../../errors/index.js'
import { shown } from '../../json/index.js'
import {
  boolParam,
  INDEX_UID_PATTERN,
  isIndexUid,
  looseEnumParam,
  type Param,
  type Parameters,
  queryParam,
  refinedParam,
  starOrList,
  textParam,
  uint32Param,
} from '../../shape/index.js'
import type { Access } from '../../state/index.js'
import {
  type DateBounds,
  type IndexScope,
  type PageRequest,
  type TaskFilter,
  taskStatuses,
  taskTypes,
} from '../../tasks/index.js'
import { DAY_NS, parseDay, parseTimestamp, type Timestamp } from '../../time/index.js'

const indexUidParam = refinedParam(
  textParam,
  (uid) =>
    isIndexUid(uid)
      ? ok(uid)
      : `an index uid (1 to 400 characters out of a-z, A-Z, 0-9, - and _) was expected, ${shown(uid)} was found`,
  { pattern: INDEX_UID_PATTERN },
)

const DATE = { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'string', format: 'date' }, { const: '*' }] }

/** A day stands for its first instant as an upper bound, and for its end as a lower one (spec 2 §2.1). */
function dateParam(ofDay: (midnight: Timestamp) => Timestamp): Param<Timestamp | null> {
  return refinedParam(
    textParam,
    (text): Result<Timestamp | null> | string => {
      if (text === '*') return ok(null)
      const day = parseDay(text)
      const time = day === undefined ? parseTimestamp(text) : ofDay(day)
      if (time !== undefined) return ok(time)
      return `a day such as \`2050-11-13\`, a time such as \`2050-11-13T08:00:00Z\` or \`*\` was expected, ${shown(text)} was found`
    },
    DATE,
  )
}

const before = dateParam((midnight) => midnight)
const after = dateParam((midnight) => (midnight + DAY_NS) as Timestamp)

/** What chooses tasks: the parameters of POST /tasks/cancel and DELETE /tasks. */
export const filterQuery = {
  uids: queryParam(starOrList(uint32Param), 'invalid_task_uids'),
  batchUids: queryParam(starOrList(uint32Param), 'invalid_batch_uids'),
  canceledBy: queryParam(starOrList(uint32Param), 'invalid_task_canceled_by'),
  types: queryParam(starOrList(looseEnumParam(taskTypes)), 'invalid_task_types'),
  statuses: queryParam(starOrList(looseEnumParam(taskStatuses)), 'invalid_task_statuses'),
  indexUids: queryParam(starOrList(indexUidParam), 'invalid_index_uid'),
  afterEnqueuedAt: queryParam(after, 'invalid_task_after_enqueued_at'),
  beforeEnqueuedAt: queryParam(before, 'invalid_task_before_enqueued_at'),
  afterStartedAt: queryParam(after, 'invalid_task_after_started_at'),
  beforeStartedAt: queryParam(before, 'invalid_task_before_started_at'),
  afterFinishedAt: queryParam(after, 'invalid_task_after_finished_at'),
  beforeFinishedAt: queryParam(before, 'invalid_task_before_finished_at'),
}

/** The parameters of the lists of tasks and batches. */
export const listQuery = {
  limit: queryParam(uint32Param, 'invalid_task_limit'),
  from: queryParam(uint32Param, 'invalid_task_from'),
  reverse: queryParam(boolParam, 'invalid_task_reverse'),
  ...filterQuery,
}

export function taskFilter(query: Parameters<typeof filterQuery>): TaskFilter {
  const { uids, batchUids, canceledBy, types, statuses, indexUids } = query
  return {
    uids,
    batchUids,
    canceledBy,
    types,
    statuses,
    indexUids,
    enqueuedAt: bounds(query.afterEnqueuedAt, query.beforeEnqueuedAt),
    startedAt: bounds(query.afterStartedAt, query.beforeStartedAt),
    finishedAt: bounds(query.afterFinishedAt, query.beforeFinishedAt),
  }
}

type Bound = Timestamp | null | undefined

/** Undefined when neither side is bounded: tasks without that date match then, too. */
function bounds(lower: Bound, upper: Bound): DateBounds | undefined {
  if (lower == null && upper == null) return undefined
  return { after: lower ?? undefined, before: upper ?? undefined }
}

const DEFAULT_LIMIT = 20

export function pageRequest(query: Parameters<typeof listQuery>): PageRequest {
  const { limit = DEFAULT_LIMIT, from = null, reverse = false } = query
  return { limit, from, reverse }
}

/** Which indexes the sender may see tasks of. */
export function indexScope(auth: Access): IndexScope {
  return auth.isUnrestricted ? null : (uid) => auth.isIndexAllowed(uid)
}
