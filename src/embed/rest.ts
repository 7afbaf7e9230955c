import type { Result } from '../errors/index.js'
import type { HeaderPair } from '../outbound/index.js'
import type { ConfigOf, ModelConfig } from './config.js'
import type { Source } from './embedder.js'
import { refuse } from './failures.js'
import { openRemote } from './remote.js'
import { requestTemplate, responseTemplate } from './rest-template.js'
import type { EmbedServices } from './services.js'

export async function openRest(services: EmbedServices, config: ConfigOf<'rest'>): Promise<Result<Source>> {
  const placeholder = usesFragments(config) ? '{{fragment}}' : '{{text}}'
  const request = requestTemplate(config.request, placeholder)
  const response = responseTemplate(config.response)
  if (request === undefined) return refuse(`\`request\`: the placeholder \`${placeholder}\` is missing`)
  if (response === undefined) return refuse('`response`: the placeholder `{{embedding}}` is missing')
  if (usesFragments(config) && config.dimensions === undefined) {
    return refuse('the number of dimensions cannot be found out with fragments: give `dimensions`')
  }
  return openRemote(services, {
    target: { url: config.url, headers: headersOf(config.apiKey, config.headers), hint },
    takesMany: request.takesMany,
    body: request.fill,
    read: response.read,
    dimensions: config.dimensions,
  })
}

/** Whether inputs are fragments instead of texts. */
export function usesFragments(config: ModelConfig): boolean {
  if (config.source !== 'rest') return false
  return (config.indexingFragments?.size ?? 0) > 0 || (config.searchFragments?.size ?? 0) > 0
}

/** In the order of spec 7 §1.3. An empty key is none. */
export function headersOf(apiKey: string | null | undefined, more: Iterable<HeaderPair> = []): HeaderPair[] {
  const authorization: HeaderPair[] = apiKey ? [['Authorization', `Bearer ${apiKey}`]] : []
  return [...authorization, ['Content-Type', 'application/json'], ...more]
}

function hint(status: number): string | undefined {
  if (status === 401) return 'the key is the field `apiKey` of the embedder, or one of its `headers`'
  return status === 400 ? 'see whether `request` of the embedder is what the provider expects' : undefined
}
