import { ok, type Result } from '../../errors/index.js'
import {
  bool,
  object,
  oneOf,
  optional,
  parseUuid,
  refined,
  required,
  type Shape,
  text,
  uint32,
} from '../../shape/index.js'
import type { RemoteStatus } from './availability.js'

/** What servers of a network tell each other (spec 8 §3.6). */
export type ControlMessage =
  /** Whoever says it has sent all that it had to send. */
  | { readonly type: 'exportNoIndexForRemote'; readonly remote: string }
  | { readonly type: 'importFinishedForRemote'; readonly remote: string; readonly successful: boolean }
  /** Findling's own: whoever says it goes by the new shards from now on. */
  | { readonly type: 'changedOver'; readonly remote: string }
  | { readonly type: 'statusChangeForRemote'; readonly remote: string; readonly status: RemoteStatus }

const uuid: Shape<string> = refined(
  text,
  (found) => {
    const parsed = parseUuid(found)
    return parsed === undefined ? 'a UUID was expected' : ok(parsed)
  },
  { format: 'uuid' },
)

const origin = object({
  remoteName: required(text, 'bad_request', 'bad_request'),
  taskUid: required(uint32, 'bad_request', 'bad_request'),
  networkVersion: optional(uuid, 'bad_request'),
})

const TYPES = ['exportNoIndexForRemote', 'importFinishedForRemote', 'changedOver', 'statusChangeForRemote'] as const

const message: Shape<ControlMessage> = refined(
  object({
    type: required(oneOf(TYPES), 'bad_request', 'bad_request'),
    remote: required(text, 'bad_request', 'bad_request'),
    successful: optional(bool, 'bad_request'),
    status: optional(oneOf(['available', 'unavailable']), 'bad_request'),
  }),
  ({ type, remote, successful, status }): Result<ControlMessage> | string => {
    if (type === 'exportNoIndexForRemote' || type === 'changedOver') return ok({ type, remote })
    if (type === 'importFinishedForRemote') {
      return successful === undefined ? '`successful` is missing' : ok({ type, remote, successful })
    }
    return status === undefined ? '`status` is missing' : ok({ type, remote, status })
  },
)

export const controlBody = object({
  origin: required(origin, 'bad_request', 'bad_request'),
  message: required(message, 'bad_request', 'bad_request'),
})
