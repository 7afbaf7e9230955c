import { CorruptBytes } from '../bytes/index.js'
import { isObject, type JsonObject, parseBytes, print } from '../json/index.js'
import type { Webhook } from './webhook.js'

const VERSION = 1

/** The 16 bytes of a uuid: keys in byte order are uuids in order. */
export function uuidKey(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

/** Layout: version byte, then the JSON text `{"url":string,"headers":{name:string}}`. The uuid is the key. */
export function encodeWebhook({ url, headers }: Webhook): Buffer {
  const stored: JsonObject = new Map<string, string | JsonObject>([
    ['url', url],
    ['headers', new Map(headers)],
  ])
  return Buffer.concat([Buffer.of(VERSION), Buffer.from(print(stored))])
}

export function decodeWebhook(key: Buffer, bytes: Buffer): Webhook {
  const uuid = key.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  if (bytes[0] !== VERSION) throw new CorruptBytes(`the webhook ${uuid} has the unknown version ${bytes[0]}`)
  const parsed = parseBytes(bytes.subarray(1))
  const stored = parsed.ok && isObject(parsed.value) ? parsed.value : undefined
  const url = stored?.get('url')
  const headers = stored?.get('headers')
  if (typeof url !== 'string' || !isObject(headers)) throw new CorruptBytes(`the webhook ${uuid} is unreadable`)
  // Invariant: the writer puts nothing but strings there.
  return { uuid, url, headers: headers as Map<string, string> }
}
