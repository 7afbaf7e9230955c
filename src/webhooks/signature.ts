import { createHmac } from 'node:crypto'
import type { HeaderPair } from '../outbound/index.js'

export interface SignedMessage {
  readonly id: string
  /** Of this try, in seconds since 1970: receivers refuse old ones. */
  readonly timestampSeconds: number
  /** The bytes that are sent. */
  readonly body: Uint8Array
}

/** The headers of Standard Webhooks 1.0: HMAC-SHA-256 over `id.timestamp.body`. */
export function signatureHeaders(key: Uint8Array, { id, timestampSeconds, body }: SignedMessage): HeaderPair[] {
  const digest = createHmac('sha256', key).update(`${id}.${timestampSeconds}.`).update(body).digest('base64')
  return [
    ['webhook-id', id],
    ['webhook-timestamp', String(timestampSeconds)],
    ['webhook-signature', `v1,${digest}`],
  ]
}
