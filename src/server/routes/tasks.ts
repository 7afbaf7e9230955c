import { fail, type Result } from '../../errors/index.js'
import { fromPlain, print } from '../../json/index.js'
import { type Parameters, uint32Param } from '../../shape/index.js'
import type { Access } from '../../state/index.js'
import { taskSummary } from '../../tasks/index.js'
import { json, jsonText, stream } from '../answers/answer.js'
import type { ServerContext } from '../context.js'
import { enqueueOptions } from '../enqueue-options.js'
import { type Call, type Outcome, route } from '../http/route.js'
import { sizeText } from '../size-text.js'
import { documentLines } from '../task-documents.js'
import { filterQuery, indexScope, listQuery, pageRequest, taskFilter } from './task-filters.js'

export const routes = [
  route({
    method: 'GET',
    path: '/tasks',
    action: 'tasks.get',
    query: listQuery,
    handle({ query, auth, context }) {
      const page = context.tasks.tasks(taskFilter(query), pageRequest(query), indexScope(auth))
      return jsonText(200, print(fromPlain(page)))
    },
  }),

  route({
    method: 'GET',
    path: '/tasks/{task_id}',
    action: 'tasks.get',
    async handle({ params, auth, context }) {
      const uid = readUid(params.task_id)
      if (!uid.ok) return uid
      const { tasks, cluster } = context
      // Another server may have answered with this uid a moment ago.
      if (cluster !== undefined && uid.value >= tasks.store.nextTaskUid()) await cluster.caughtUp()
      const view = tasks.task(uid.value, indexScope(auth))
      return view === undefined ? fail('task_not_found', uid.value) : jsonText(200, print(fromPlain(view)))
    },
  }),

  route({
    method: 'GET',
    path: '/tasks/{task_id}/documents',
    action: 'tasks.get',
    feature: { name: 'getTaskDocumentsRoute', doing: 'Reading the documents of a task' },
    handle({ params, auth, context }) {
      const uid = readUid(params.task_id)
      return uid.ok ? documentsAnswer(context, auth, uid.value) : uid
    },
  }),

  route({
    method: 'POST',
    path: '/tasks/cancel',
    action: 'tasks.cancel',
    query: filterQuery,
    handle: (call) => enqueueAboutTasks('taskCancelation', call),
  }),

  route({
    method: 'DELETE',
    path: '/tasks',
    action: 'tasks.delete',
    query: filterQuery,
    handle: (call) => enqueueAboutTasks('taskDeletion', call),
  }),

  route({
    method: 'POST',
    path: '/tasks/compact',
    action: 'tasks.compact',
    feature: { name: 'taskQueueCompactionRoute', doing: 'Compacting the task store' },
    handle: ({ context }) => compact(context),
  }),
]

const readUid = (text: string): Result<number> => uint32Param.read(text, 'task_id', 'invalid_task_uids')

function documentsAnswer({ tasks }: ServerContext, auth: Access, uid: number): Outcome {
  const isVisible = tasks.task(uid, indexScope(auth)) !== undefined
  const task = isVisible ? tasks.store.get(uid) : undefined
  if (task === undefined) return fail('task_not_found', uid)
  const payload = tasks.payloadOf(task)
  const chunks = payload && documentLines(payload)
  return chunks
    ? stream({ status: 200, chunks, contentType: 'application/x-ndjson' })
    : fail('task_file_not_found', uid)
}

type FilterCall = Call<unknown, Parameters<typeof filterQuery>>

/** These two answer 200 although they enqueue (spec 2 §1.4). */
async function enqueueAboutTasks(type: 'taskCancelation' | 'taskDeletion', call: FilterCall): Promise<Outcome> {
  const { query, auth, rawQuery, context } = call
  if (Object.keys(query).length === 0) return fail('missing_task_filters', Object.keys(filterQuery))
  const options = enqueueOptions(call)
  if (!options.ok) return options
  const request = { filter: taskFilter(query), scope: indexScope(auth), query: `?${rawQuery}` }
  const enqueued = await context.tasks.enqueueAboutTasks(type, request, options.value)
  return enqueued.ok ? json(200, taskSummary(enqueued.value)) : enqueued
}

/** A failure is told in a body of its own kind, which is no error object (spec 2 §2.7). */
async function compact({ systemEnvironment, tasks, log }: ServerContext): Promise<Outcome> {
  // A thread that writes a backup has the store open, and would stay with the old file.
  if (tasks.isBackingUp) {
    return json(500, { status: 'failed', errorMessage: 'A backup is being written: try again when it is done.' })
  }
  try {
    const { beforeBytes, afterBytes } = await systemEnvironment.compact()
    return json(200, { preSize: sizeText(beforeBytes), postSize: sizeText(afterBytes), status: 'succeeded' })
  } catch (error) {
    log.child('server').error({ error }, 'the task store could not be compacted')
    return json(500, { status: 'failed', errorMessage: 'The task store could not be compacted; the log says why.' })
  }
}
