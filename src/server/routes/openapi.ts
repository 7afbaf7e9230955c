import { INTERFACE_VERSION, packageVersion } from '../../config/index.js'
import type { Vocabulary } from '../../openapi/index.js'
import { ACTIONS, FEATURES } from '../../state/index.js'
import { taskStatuses, taskTypes } from '../../tasks/index.js'
import { jsonText } from '../answers/answer.js'
import { type Route, route } from '../http/route.js'

/** The route that describes all routes. They are asked for when the first request comes, itself among them. */
export function openApiRoute(routes: () => readonly Route[]): Route {
  let bytes: Promise<Uint8Array> | undefined
  return route({
    method: 'GET',
    path: '/openapi.json',
    action: null,
    async handle() {
      bytes ??= describe(routes())
      return jsonText(200, await bytes)
    },
  })
}

export const vocabulary = (): Vocabulary => ({
  interfaceVersion: INTERFACE_VERSION,
  packageVersion: packageVersion(),
  taskTypes,
  taskStatuses,
  actions: ACTIONS,
  features: FEATURES,
})

/** Loaded by the first who asks: most servers are never asked. */
async function describe(routes: readonly Route[]): Promise<Uint8Array> {
  const { describeRoutes } = await import('../../openapi/index.js')
  return Buffer.from(JSON.stringify(describeRoutes(routes, vocabulary())))
}
