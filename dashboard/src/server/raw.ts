import { MeilisearchApiError, type MeilisearchErrorResponse } from 'meilisearch'
import { authorization } from './client.js'

/** An answer that is no JSON, or that has no end. Refusals are thrown like those of the client. */
export async function askRaw(
  method: string,
  path: string,
  { body, signal }: { body?: unknown; signal?: AbortSignal } = {},
): Promise<Response> {
  const response = await fetch(`/${path}`, {
    method,
    headers: { ...authorization(), ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  })
  if (response.ok) return response
  const reason = (await response.json().catch(() => undefined)) as MeilisearchErrorResponse | undefined
  throw new MeilisearchApiError(response, reason)
}
