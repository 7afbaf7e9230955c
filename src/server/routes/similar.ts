import { JSON_TYPES } from '../http/media-type.js'
import { rawBody, route } from '../http/route.js'
import { answerSearchCall } from '../search/answer-call.js'

export const routes = [
  route({
    method: 'GET',
    path: '/indexes/{index_uid}/similar',
    action: 'search',
    checksIndexUid: false,
    handle(call) {
      const { params, rawQuery } = call
      return answerSearchCall(call, {
        kind: 'similarParameters',
        bytes: Buffer.from(rawQuery),
        uid: params.index_uid,
      })
    },
  }),

  route({
    method: 'POST',
    path: '/indexes/{index_uid}/similar',
    action: 'search',
    body: rawBody(JSON_TYPES),
    checksIndexUid: false,
    async handle(call) {
      const bytes = await call.body.bytes()
      if (!bytes.ok) return bytes
      return answerSearchCall(call, { kind: 'similarBody', bytes: bytes.value, uid: call.params.index_uid })
    },
  }),
]
