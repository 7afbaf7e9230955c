import { maskSecret } from './mask-secret.js'
import { isSecretName } from './secret-name.js'

const BEARER = 'Bearer '

/** The value of an `Authorization` header as it may be shown: the scheme `Bearer` stays readable (spec 2 §5.3). */
export function maskCredentials(value: string): string {
  return value.startsWith(BEARER) ? BEARER + maskSecret(value.slice(BEARER.length)) : maskSecret(value)
}

/** Names whose values are never credentials, whatever they look like. */
const HARMLESS_NAME = /^(?:accept(?:-\w+)?|content-\w+|user-agent|cache-control)$/i

/** A short word, or a number, a date or a version. */
const HARMLESS_VALUE = /^(?:[a-z]{1,20}|[0-9.-]{1,12}|)$/i

/**
 * A header of a request to somebody else as it may be shown. Keys travel in headers of many names, so a value is
 * masked unless it can hardly be one, by its name or by its looks.
 */
export function maskHeader(name: string, value: string): string {
  const isHarmless = HARMLESS_NAME.test(name) || (!isSecretName(name) && HARMLESS_VALUE.test(value))
  return isHarmless ? value : maskCredentials(value)
}
