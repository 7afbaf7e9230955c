import { maskHeader } from './mask-header.js'
import { maskSecret } from './mask-secret.js'
import { maskUrl } from './mask-url.js'

/** How what may hold a secret is written. */
export interface Secrecy {
  key(secret: string): string
  url(url: string): string
  header(name: string, value: string): string
}

/** For people. */
export const MASKED: Secrecy = { key: maskSecret, url: maskUrl, header: maskHeader }

/** Where it must come back from. */
export const IN_CLEAR: Secrecy = { key: (secret) => secret, url: (url) => url, header: (_name, value) => value }

/** What is meant by a value that somebody sent: a client that sends back what it was shown means what is stored. */
export function unmasked(sent: string, stored: string | undefined, mask: (stored: string) => string): string {
  return stored !== undefined && sent === mask(stored) ? stored : sent
}
