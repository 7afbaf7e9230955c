import { maskHeader, maskUrl, unmasked } from '../../secret/index.js'
import type { Change } from '../change.js'
import type { EmbedderFields } from './fields.js'
import type { EmbedderPatch } from './patch.js'

/**
 * The request as it was meant: a client that changes one field of what it read sends the others back as they were shown,
 * with passwords and headers masked. Keys are different: a masked one is taken as it is (spec 4 §4.8).
 */
export function unmaskEmbedder(patch: EmbedderPatch, stored: EmbedderFields | undefined): EmbedderPatch {
  if (stored === undefined) return patch
  const { url, headers, searchEmbedder, indexingEmbedder } = patch
  return {
    ...patch,
    ...(url && { url: mapped(url, (sent) => unmasked(sent, stored.url, maskUrl)) }),
    ...(headers && { headers: mapped(headers, (sent) => unmaskHeaders(sent, stored.headers)) }),
    ...(searchEmbedder && {
      searchEmbedder: mapped(searchEmbedder, (sent) => unmaskEmbedder(sent, stored.searchEmbedder)),
    }),
    ...(indexingEmbedder && {
      indexingEmbedder: mapped(indexingEmbedder, (sent) => unmaskEmbedder(sent, stored.indexingEmbedder)),
    }),
  }
}

type Headers = ReadonlyMap<string, string>

function unmaskHeaders(sent: Headers, stored: Headers | undefined): Headers {
  const meant = Array.from(sent, ([name, value]) => {
    const mask = (secret: string) => maskHeader(name, secret)
    return [name, unmasked(value, stored?.get(name), mask)] as const
  })
  return new Map(meant)
}

const mapped = <T>(change: Change<T>, map: (value: T) => T): Change<T> =>
  change === 'reset' ? change : { set: map(change.set) }
