import { JSON_TYPES } from '../http/media-type.js'
import { rawBody, route } from '../http/route.js'
import { answerSearchCall } from '../search/answer-call.js'

export const routes = [
  route({
    method: 'POST',
    path: '/indexes/{index_uid}/facet-search',
    action: 'search',
    body: rawBody(JSON_TYPES),
    checksIndexUid: false,
    async handle(call) {
      const bytes = await call.body.bytes()
      if (!bytes.ok) return bytes
      return answerSearchCall(call, { kind: 'facetSearch', bytes: bytes.value, uid: call.params.index_uid })
    },
  }),
]
