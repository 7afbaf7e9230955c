import { computed } from '@preact/signals'
import { Meilisearch } from 'meilisearch'
import { apiKey } from './session.js'

/** The public interface of the server that this page came from, by the official client. */
export const client = computed(() => {
  const key = apiKey.value
  return new Meilisearch({ host: location.origin, ...(key === null ? {} : { apiKey: key }) })
})

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** For what the client has no method. Texts are sent as they are. */
export function ask<T>(
  method: Method,
  path: string,
  options: { body?: unknown; signal?: AbortSignal } = {},
): Promise<T> {
  const { body, signal } = options
  return client.value.httpRequest[method]<T>({
    path: path.replace(/^\//, ''),
    ...(body === undefined ? {} : { body: body as Record<string, unknown> }),
    ...(signal === undefined ? {} : { extraRequestInit: { signal } }),
  })
}

/** A request that is written as it comes, for uploads with progress and answers that are no JSON. */
export function authorization(): Record<string, string> {
  return apiKey.value === null ? {} : { Authorization: `Bearer ${apiKey.value}` }
}
