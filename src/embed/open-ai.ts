import type { Result } from '../errors/index.js'
import type { JsonObject, JsonValue } from '../json/index.js'
import type { ConfigOf } from './config.js'
import type { Source } from './embedder.js'
import { loadOpenAiTokenizer } from './open-ai-tokens.js'
import { openRemote } from './remote.js'
import { headersOf } from './rest.js'
import { responseTemplate } from './rest-template.js'
import type { EmbedServices } from './services.js'

const DEFAULT_URL = 'https://api.openai.com/v1/embeddings'
/** Longer texts are refused by the models (spec 7 §1.4). */
const MAX_TOKENS = 8_191

/** Dimensions of the models when nobody asked for others. */
const DIMENSIONS = new Map([
  ['text-embedding-ada-002', 1536],
  ['text-embedding-3-small', 1536],
  ['text-embedding-3-large', 3072],
])

export function openOpenAi(services: EmbedServices, config: ConfigOf<'openAi'>): Promise<Result<Source>> {
  const url = config.url ?? DEFAULT_URL
  return openRemote(services, {
    target: { url, headers: headersOf(config.apiKey ?? services.openAiApiKey), hint },
    takesMany: true,
    body: (texts) => body(config, [...texts]),
    read,
    bodyAlone: async (text) => body(config, await shortened(services, text)),
    dimensions: config.dimensions ?? DIMENSIONS.get(config.model),
  })
}

/** The oldest model does not know the member `dimensions`. */
function body({ model, dimensions }: ConfigOf<'openAi'>, input: JsonValue): JsonObject {
  const members: JsonObject = new Map<string, JsonValue>([
    ['model', model],
    ['input', input],
  ])
  if (dimensions !== undefined && model.startsWith('text-embedding-3-')) members.set('dimensions', dimensions)
  return members
}

const read = responseTemplate(new Map([['data', [new Map([['embedding', '{{embedding}}']]), '{{..}}']]]))!.read

/**
 * The text in a list, or the tokens of its beginning when it is too long for the model. Without a tokenizer the text
 * is sent as it is, and the provider has the last word.
 */
async function shortened(
  { loadTokenizer = loadOpenAiTokenizer }: EmbedServices,
  text: JsonValue,
): Promise<JsonValue[]> {
  const tokenizer = await loadTokenizer()
  const tokens = tokenizer?.firstTokens(String(text), MAX_TOKENS) ?? []
  return tokens.length < MAX_TOKENS ? [text] : tokens
}

function hint(status: number): string | undefined {
  if (status !== 401) return undefined
  return 'the key is the field `apiKey` of the embedder, or the environment variable MEILI_OPENAI_API_KEY or OPENAI_API_KEY'
}
