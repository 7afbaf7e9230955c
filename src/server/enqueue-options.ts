import type { IncomingHttpHeaders } from 'node:http'
import { ok, type Result } from '../errors/index.js'
import { uint32Param } from '../shape/index.js'
import type { EnqueueOptions } from '../tasks/index.js'
import type { ServerContext } from './context.js'

/**
 * What the headers `TaskId` and `DryRun` ask of a route that enqueues. They count only on a server that was started
 * with the replication option (spec 2 §1.7).
 */
export function enqueueOptions(call: {
  readonly headers: IncomingHttpHeaders
  readonly context: Pick<ServerContext, 'config'>
}): Result<EnqueueOptions> {
  if (!call.context.config.indexing.replicationParameters) return ok({})
  const { taskid, dryrun } = call.headers
  const dryRun = String(dryrun).toLowerCase() === 'true'
  if (taskid === undefined) return ok({ dryRun })
  const taskId = uint32Param.read(String(taskid), 'TaskId', 'bad_request')
  return taskId.ok ? ok({ taskId: taskId.value, dryRun }) : taskId
}
