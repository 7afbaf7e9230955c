import { bool, type Field, nullable, object, optional } from '../../shape/index.js'
import { FEATURES, type FeatureName } from '../../state/index.js'
import { json } from '../answers/answer.js'
import { jsonBody, route } from '../http/route.js'

type Flags = Record<FeatureName, Field<boolean | null | undefined>>

const flags = Object.fromEntries(FEATURES.map((name) => [name, optional(nullable(bool), 'bad_request')])) as Flags

export const routes = [
  route({
    method: 'GET',
    path: '/experimental-features',
    action: 'experimental.get',
    handle: ({ context }) => json(200, context.features.current),
  }),

  route({
    method: 'PATCH',
    path: '/experimental-features',
    action: 'experimental.update',
    body: jsonBody(object(flags)),
    async handle({ body, context }) {
      const given = Object.entries(body).filter(([, value]) => typeof value === 'boolean')
      return json(200, await context.features.change(Object.fromEntries(given)))
    },
  }),
]
