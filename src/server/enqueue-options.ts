import type { IncomingHttpHeaders } from 'node:http'
import { ok, type Result } from '../errors/index.js'
import { uint32Param } from '../shape/index.js'
import { readProxyHeaders } from '../state/index.js'
import type { EnqueueOptions } from '../tasks/index.js'
import type { ServerContext } from './context.js'

/**
 * What headers ask of a route that enqueues: who sends it, if that is a server of the network (spec 8 §3.5); `TaskId` and
 * `DryRun`, which count only on a server that was started with the replication option (spec 2 §1.7).
 */
export function enqueueOptions(call: {
  readonly headers: IncomingHttpHeaders
  readonly context: Pick<ServerContext, 'config'>
}): Result<EnqueueOptions> {
  const proxy = readProxyHeaders(call.headers)
  if (!proxy.ok) return proxy
  const sender = proxy.value && { proxy: proxy.value }
  if (!call.context.config.indexing.replicationParameters) return ok({ ...sender })
  const { taskid, dryrun } = call.headers
  const dryRun = String(dryrun).toLowerCase() === 'true'
  if (taskid === undefined) return ok({ dryRun, ...sender })
  const taskId = uint32Param.read(String(taskid), 'TaskId', 'bad_request')
  return taskId.ok ? ok({ taskId: taskId.value, dryRun, ...sender }) : taskId
}
