import { requestBodies, requestParameters } from '../../answer/index.js'
import { JSON_TYPES } from '../http/media-type.js'
import { type Route, rawBody, route } from '../http/route.js'
import { answerSearchCall } from './answer-call.js'

type IndexPath = `/indexes/{index_uid}/${string}`

/** A route that searches one index, asked by parameters. */
export function searchByParameters(path: IndexPath, kind: keyof typeof requestParameters): Route {
  return route({
    method: 'GET',
    path,
    action: 'search',
    rawQueryShape: requestParameters[kind],
    checksIndexUid: false,
    handle(call) {
      const { params, rawQuery } = call
      return answerSearchCall(call, { kind, bytes: Buffer.from(rawQuery), uid: params.index_uid })
    },
  })
}

/** The same, asked by a body. */
export function searchByBody(path: IndexPath, kind: keyof typeof requestBodies): Route {
  return route({
    method: 'POST',
    path,
    action: 'search',
    body: rawBody(JSON_TYPES, requestBodies[kind]),
    checksIndexUid: false,
    async handle(call) {
      const bytes = await call.body.bytes()
      if (!bytes.ok) return bytes
      return answerSearchCall(call, { kind, bytes: bytes.value, uid: call.params.index_uid })
    },
  })
}
