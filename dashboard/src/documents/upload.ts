import { type EnqueuedTask, MeilisearchApiError, MeilisearchRequestError } from 'meilisearch'
import { authorization } from '../server/client.js'
import { pathOf } from './pages.js'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  jsonl: 'application/x-ndjson',
  csv: 'text/csv',
}

export const ACCEPTED = '.json,.ndjson,.jsonl,.csv,.gz'

/** What a file holds, by its name: undefined where it is nothing that the server takes. */
export function contentTypeOf(name: string): string | undefined {
  const [extension] = /[^.]*$/.exec(withoutGz(name))!
  return CONTENT_TYPES[extension.toLowerCase()]
}

const withoutGz = (name: string): string => name.replace(/\.gz$/i, '')

/** A name for the index that a file makes. */
export const indexNameOf = (fileName: string): string =>
  withoutGz(fileName)
    .replace(/\.[^.]*$/, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')

export interface Destination {
  readonly index: string
  /** Empty where the server shall find it. */
  readonly primaryKey: string
  /** Documents that are there already: the new one in their place, or their fields with the new ones. */
  readonly way: 'replace' | 'merge'
}

/** Sends a file as it is. `onSent` hears how much of it is on its way, from 0 to 1. */
export function sendFile(
  file: File,
  { index, primaryKey, way }: Destination,
  onSent: (share: number) => void,
  signal: AbortSignal,
): Promise<EnqueuedTask> {
  const query = primaryKey === '' ? '' : `?${new URLSearchParams({ primaryKey })}`
  // `fetch` tells nothing about how much was sent.
  const request = new XMLHttpRequest()
  request.open(way === 'replace' ? 'POST' : 'PUT', `/${pathOf(index)}/documents${query}`)
  const headers = {
    ...authorization(),
    'Content-Type': contentTypeOf(file.name) ?? '',
    ...(/\.gz$/i.test(file.name) ? { 'Content-Encoding': 'gzip' } : {}),
  }
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
  return new Promise((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onSent(total === 0 ? 1 : loaded / total)
    request.onload = () => {
      if (request.status === 202) resolve(JSON.parse(request.responseText))
      else reject(new MeilisearchApiError(new Response(null, { status: request.status }), parsed(request.responseText)))
    }
    request.onerror = () => reject(new MeilisearchRequestError(request.responseURL, undefined))
    request.onabort = () => reject(new DOMException('', 'AbortError'))
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}

function parsed(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
