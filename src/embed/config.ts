import { isObject, type JsonObject, type JsonValue, parse, print } from '../json/index.js'

/** Fragment name to a JSON value whose strings are templates. */
type Fragments = ReadonlyMap<string, JsonValue>

interface OpenAiConfig {
  readonly source: 'openAi'
  readonly model: string
  readonly apiKey?: string
  readonly dimensions?: number
  readonly url?: string
}

interface OllamaConfig {
  readonly source: 'ollama'
  readonly model: string
  readonly apiKey?: string
  readonly dimensions?: number
  readonly url?: string
}

interface RestConfig {
  readonly source: 'rest'
  readonly url: string
  readonly apiKey?: string
  readonly dimensions?: number
  readonly indexingFragments?: Fragments
  readonly searchFragments?: Fragments
  readonly request: JsonValue
  readonly response: JsonValue
  readonly headers: ReadonlyMap<string, string>
}

interface HuggingFaceConfig {
  readonly source: 'huggingFace'
  readonly model: string
  readonly revision?: string
  readonly pooling: 'useModel' | 'forceCls' | 'forceMean'
}

interface UserProvidedConfig {
  readonly source: 'userProvided'
  readonly dimensions: number
}

interface CompositeConfig {
  readonly source: 'composite'
  readonly searchEmbedder: ModelConfig
  readonly indexingEmbedder: ModelConfig
}

/** Sources that compute vectors by themselves. */
export type ModelConfig = OpenAiConfig | OllamaConfig | RestConfig | HuggingFaceConfig

/**
 * The part of the stored settings of one embedder that matters for computing vectors. The settings of an index fit;
 * what they hold beyond this (templates of documents, distribution, quantization) is passed over.
 */
export type EmbedderConfig = ModelConfig | UserProvidedConfig | CompositeConfig

export type ConfigOf<S extends EmbedderConfig['source']> = Extract<EmbedderConfig, { readonly source: S }>

const texts = new WeakMap<EmbedderConfig, string>()

/** The configuration as JSON text. Configurations that compute the same vectors have the same text. */
export function printConfig(config: EmbedderConfig): string {
  const known = texts.get(config)
  if (known !== undefined) return known
  const text = print(toJson(config))
  texts.set(config, text)
  return text
}

const MEMBERS = {
  openAi: ['model', 'apiKey', 'dimensions', 'url'],
  ollama: ['model', 'apiKey', 'dimensions', 'url'],
  rest: ['url', 'apiKey', 'dimensions', 'indexingFragments', 'searchFragments', 'request', 'response', 'headers'],
  huggingFace: ['model', 'revision', 'pooling'],
  userProvided: ['dimensions'],
  composite: ['searchEmbedder', 'indexingEmbedder'],
} as const satisfies Record<EmbedderConfig['source'], readonly string[]>

function toJson(config: EmbedderConfig): JsonObject {
  const members = config as unknown as Readonly<Record<string, JsonValue | ModelConfig | undefined>>
  const json: JsonObject = new Map([['source', config.source]])
  for (const name of MEMBERS[config.source]) {
    const value = members[name]
    if (value !== undefined) json.set(name, isConfig(value) ? toJson(value) : value)
  }
  return json
}

function isConfig(value: JsonValue | ModelConfig): value is ModelConfig {
  return typeof value === 'object' && value !== null && 'source' in value
}

/** The way back. The text comes from `printConfig`. */
export function parseConfig(text: string): EmbedderConfig {
  const parsed = parse(text)
  if (!parsed.ok || !isObject(parsed.value)) throw new Error('this is not the configuration of an embedder')
  return fromJson(parsed.value)
}

function fromJson(json: JsonObject): EmbedderConfig {
  const members = Object.fromEntries(json) as Record<string, unknown>
  if (json.get('source') === 'composite') {
    for (const name of MEMBERS.composite) members[name] = fromJson(json.get(name) as JsonObject)
  }
  return members as unknown as EmbedderConfig
}
