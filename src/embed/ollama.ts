import type { Result } from '../errors/index.js'
import type { JsonValue } from '../json/index.js'
import { maskUrl } from '../secret/index.js'
import type { ConfigOf } from './config.js'
import type { Source } from './embedder.js'
import { refuse } from './failures.js'
import { type Dialect, openRemote } from './remote.js'
import { headersOf } from './rest.js'
import { responseTemplate } from './rest-template.js'
import type { EmbedServices } from './services.js'

export async function openOllama(services: EmbedServices, config: ConfigOf<'ollama'>): Promise<Result<Source>> {
  const url = config.url ?? services.ollamaUrl
  const endpoint = endpointOf(url, config.model)
  if (endpoint === undefined) {
    return refuse(
      `\`url\`: an address ending in \`/api/embed\` or \`/api/embeddings\` was expected, \`${maskUrl(url)}\` was found`,
    )
  }
  const target = { url, headers: headersOf(config.apiKey), hint: (status: number) => hint(status, config.model) }
  return openRemote(services, { ...endpoint, target, dimensions: config.dimensions })
}

type Endpoint = Pick<Dialect, 'takesMany' | 'body' | 'read'>

/** The old endpoint takes one text, the new one several (spec 7 §1.5). */
function endpointOf(url: string, model: string): Endpoint | undefined {
  if (url.endsWith('/api/embeddings'))
    return { takesMany: false, body: ([text]) => body(model, 'prompt', text!), read: readOne }
  if (url.endsWith('/api/embed'))
    return { takesMany: true, body: (texts) => body(model, 'input', [...texts]), read: readMany }
  return undefined
}

function body(model: string, member: string, input: JsonValue): JsonValue {
  return new Map([
    ['model', model],
    [member, input],
  ])
}

const readOne = responseTemplate(new Map([['embedding', '{{embedding}}']]))!.read
const readMany = responseTemplate(new Map([['embeddings', ['{{embedding}}', '{{..}}']]]))!.read

function hint(status: number, model: string): string | undefined {
  if (status === 401) return 'the key is the field `apiKey` of the embedder'
  return status === 404 ? `the model \`${model}\` was not found; it is not pulled automatically` : undefined
}
