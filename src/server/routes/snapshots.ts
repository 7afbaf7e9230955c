import { enqueueTask } from '../enqueue.js'
import { route } from '../http/route.js'

export const routes = [
  route({
    method: 'POST',
    path: '/snapshots',
    action: 'snapshots.create',
    handle: (call) => enqueueTask(call, { type: 'snapshotCreation' }),
  }),
]
