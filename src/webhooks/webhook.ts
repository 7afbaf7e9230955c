import { sortedByName } from '../byte-order/index.js'
import { fail, ok, type Result } from '../errors/index.js'
import { shown } from '../json/index.js'
import { maskUrl, unmasked } from '../secret/index.js'
import { missingField, wrongValue } from '../shape/index.js'

/** Somebody to tell when tasks finish. */
export interface Webhook {
  /** Lowercase hyphenated UUID. */
  readonly uuid: string
  /** As it was given, not normalized. */
  readonly url: string
  /** In byte order of the names, which are case-sensitive here. Values may be secret. */
  readonly headers: ReadonlyMap<string, string>
}

/** What POST and PATCH ask for. Undefined members were not sent. */
export interface WebhookPatch {
  readonly url?: string | null | undefined
  readonly headers?: ReadonlyMap<string, string | null> | null | undefined
}

/** The uuid of the webhook given on the command line, which nobody can change (spec 2 §5.2). */
export const COMMAND_LINE_UUID = '00000000-0000-0000-0000-000000000000'

const MAX_WEBHOOKS = 20
const MAX_HEADERS = 200

/** The webhook of the command line. Its url is normalized: a bare host gains `/`. */
export function commandLineWebhook(given: { url: string; authorization: string | null }): Result<Webhook> {
  const headers = new Map(given.authorization === null ? [] : [['Authorization', given.authorization]])
  const url = URL.canParse(given.url) ? new URL(given.url).href : given.url
  return checked({ uuid: COMMAND_LINE_UUID, url, headers })
}

/** A new webhook next to `storedCount` others. Checks in the order of spec 2 §5.1, rows 7 to 12. */
export function createWebhook(uuid: string, patch: WebhookPatch, storedCount: number): Result<Webhook> {
  const given = [...(patch.headers ?? [])]
  if (given.length > MAX_HEADERS) return tooManyHeaders(given.length)
  if (storedCount >= MAX_WEBHOOKS) return fail('invalid_webhooks', MAX_WEBHOOKS)
  if (!patch.url) return missingUrl()
  const headers = new Map(given.map(([name, value]) => [name, value ?? '']))
  return checked({ uuid, url: patch.url, headers })
}

/** The webhook after a change. Checks in the order of spec 2 §5.1, rows 9 to 12. */
export function changeWebhook(before: Webhook, patch: WebhookPatch): Result<Webhook> {
  if (patch.url === null || patch.url === '') return missingUrl()
  const headers = mergedHeaders(before.headers, patch.headers)
  const url = unmasked(patch.url ?? before.url, before.url, maskUrl)
  return checked({ uuid: before.uuid, url, headers })
}

function mergedHeaders(before: Webhook['headers'], changes: WebhookPatch['headers']): Map<string, string> {
  if (changes === null) return new Map()
  const merged = new Map(before)
  for (const [name, value] of changes ?? []) {
    if (value === null) merged.delete(name)
    else merged.set(name, value)
  }
  return merged
}

function checked({ uuid, url, headers: unordered }: Webhook): Result<Webhook> {
  if (unordered.size > MAX_HEADERS) return tooManyHeaders(unordered.size)
  const headers = sortedByName(unordered)
  for (const [name, value] of headers) {
    if (!isToken(name)) return badHeader(`${shown(name)} is not a valid HTTP header name`)
    // The value stays out of the message: it may be a secret.
    if (hasControls(value)) return badHeader(`the value of ${shown(name)} holds a control character`)
  }
  return isHttpUrl(url) ? ok({ uuid, url, headers }) : badUrl(url)
}

function isHttpUrl(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}

const badUrl = (url: string) =>
  fail('invalid_webhook_url', wrongValue('url', `${shown(maskUrl(url))} is not an absolute http or https URL`))

const missingUrl = () => fail('invalid_webhook_url', missingField('', 'url'))

const badHeader = (reason: string) => fail('invalid_webhook_headers', wrongValue('headers', reason))

const tooManyHeaders = (count: number) =>
  badHeader(`a webhook has at most ${MAX_HEADERS} headers, this one would have ${count}`)

function isToken(name: string): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)
}

/** Tab is allowed, and so is everything beyond ASCII, which is sent as UTF-8. */
function hasControls(value: string): boolean {
  return /[\x00-\x08\x0a-\x1f\x7f]/.test(value)
}
