import { requestBodies } from '../../answer/index.js'
import { JSON_TYPES } from '../http/media-type.js'
import { rawBody, route } from '../http/route.js'
import { answerSearchCall } from '../search/answer-call.js'

export const routes = [
  route({
    method: 'POST',
    path: '/multi-search',
    action: 'search',
    body: rawBody(JSON_TYPES, requestBodies.multiSearch),
    async handle(call) {
      const bytes = await call.body.bytes()
      return bytes.ok ? answerSearchCall(call, { kind: 'multiSearch', bytes: bytes.value, uid: null }) : bytes
    },
  }),
]
