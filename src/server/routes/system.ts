import { BUILT_FROM, INTERFACE_VERSION } from '../../config/index.js'
import { json } from '../answers/answer.js'
import { route } from '../http/route.js'

export const routes = [
  route({
    method: 'GET',
    path: '/health',
    action: null,
    handle({ context: { health, cluster } }) {
      if (health.mustRestart) return json(500, { status: 'mustRestart' })
      if (cluster?.isReady === false) return json(503, { status: 'notReady' })
      return json(200, { status: 'available' })
    },
  }),

  route({
    method: 'GET',
    path: '/version',
    action: 'version',
    handle: () => json(200, { ...BUILT_FROM, pkgVersion: INTERFACE_VERSION }),
  }),
]
