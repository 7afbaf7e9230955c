import { json } from '../answers/answer.js'
import { readCluster } from '../cluster/read-cluster.js'
import { route } from '../http/route.js'

export const routes = [
  route({
    method: 'GET',
    path: '/cluster',
    action: 'cluster.get',
    handle: async ({ context }) => json(200, (await readCluster(context)) ?? { enabled: false }),
  }),
]
