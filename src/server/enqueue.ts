import type { NewTask, Task } from '../tasks/index.js'
import { taskSummary } from '../tasks/index.js'
import { json } from './answers/answer.js'
import type { ServerContext } from './context.js'
import { enqueueOptions } from './enqueue-options.js'
import type { Call, Outcome } from './http/route.js'

/** So long a client waits for other servers to have a task as well. They get it in any case. */
const HELD_UP_MS = 5000

/** Where this server leads a network: most often the task tells from the beginning what became of it elsewhere. */
export async function sentOn({ forwarder }: Pick<ServerContext, 'forwarder'>, { uid, network }: Task): Promise<void> {
  if (network?.kind === 'leader' && network.remotes.length > 0) await forwarder.sent(uid, network.remotes, HELD_UP_MS)
}

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
  if (!task.ok) return task
  await sentOn(call.context, task.value)
  return json(status, taskSummary(task.value))
}
