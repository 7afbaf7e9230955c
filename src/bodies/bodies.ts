import type { Result } from '../errors/index.js'
import { type PayloadFormat, type PayloadSink, receivePayload } from '../payload/index.js'
import { type DigestRequest, type Digests, digestBody } from './digest.js'

/** Reads bodies that would keep the server thread for too long. */
export interface Bodies {
  /** The bytes must not be used afterwards. */
  digest<R extends DigestRequest>(request: R, bytes: Uint8Array): Promise<Result<Digests[R['kind']]>>
  /** As `receivePayload`. */
  receive(format: PayloadFormat, body: AsyncIterable<Uint8Array>, sink: PayloadSink): Promise<Result<number>>
  close(): Promise<void>
}

/** On the thread that asks. */
export const inlineBodies: Bodies = {
  digest: async (request, bytes) => digestBody(request, bytes),
  receive: receivePayload,
  close: async () => {},
}
