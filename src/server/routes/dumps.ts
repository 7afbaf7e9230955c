import { print } from '../../json/index.js'
import { dumpedKey } from '../backup/dumped-keys.js'
import type { ServerContext } from '../context.js'
import { enqueueTask } from '../enqueue.js'
import { route } from '../http/route.js'

export const routes = [
  route({
    method: 'POST',
    path: '/dumps',
    action: 'dumps.create',
    handle: (call) => enqueueTask(call, { type: 'dumpCreation', ...capturedNow(call.context) }),
  }),
]

/** The keys are those of the moment of the request, not of the dump (spec 2 §6.1). */
function capturedNow({ keys, instanceUid }: ServerContext): { keys: string; instanceUid: string | null } {
  return { keys: print(keys.list().map(({ key }) => dumpedKey(key))), instanceUid }
}
