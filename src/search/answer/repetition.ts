import { newUid, UID_LENGTH } from './request-uid.js'

/** Where an answer says what another one to the same request would say otherwise, in bytes of its body. */
export interface Repetition {
  /** Of the index: another one may be answered otherwise altogether. */
  readonly version: number
  /** The time that the search took, first digit and behind the last one. */
  readonly timeAt: number
  readonly timeEnd: number
  /** The uid of the request. */
  readonly uidAt: number
}

const ZERO = 0x30

/** The same answer to another request, which took no time to find. */
export function repeatAnswer(body: Uint8Array, { timeAt, timeEnd, uidAt }: Repetition): Uint8Array {
  const shift = timeEnd - timeAt - 1
  const repeated = Buffer.allocUnsafeSlow(body.length - shift)
  repeated.set(body.subarray(0, timeAt), 0)
  repeated[timeAt] = ZERO
  repeated.set(body.subarray(timeEnd), timeAt + 1)
  repeated.write(newUid(), uidAt - shift, UID_LENGTH, 'latin1')
  return repeated
}
