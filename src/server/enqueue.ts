import type { NewTask } from '../tasks/index.js'
import { taskSummary } from '../tasks/index.js'
import { json } from './answers/answer.js'
import { enqueueOptions } from './enqueue-options.js'
import type { Call, Outcome } from './http/route.js'

/** Registers a task and answers with its summary: 202, or 200 on the few routes that say so. */
export async function enqueueTask(
  call: Pick<Call, 'context' | 'headers'>,
  content: NewTask,
  extra: { customMetadata?: string; status?: number } = {},
): Promise<Outcome> {
  const options = enqueueOptions(call)
  if (!options.ok) return options
  const { customMetadata, status = 202 } = extra
  const task = await call.context.tasks.enqueue(content, {
    ...options.value,
    ...(customMetadata === undefined ? {} : { customMetadata }),
  })
  return task.ok ? json(status, taskSummary(task.value)) : task
}
