import type { JsonValue } from '../../json/index.js'

/** What embedders and chat render of a document unless told otherwise (spec 4 §4.9). */
export const DEFAULT_DOCUMENT_TEMPLATE =
  '{% for field in fields %}{% if field.is_searchable and field.value != nil %}{{ field.name }}: {{ field.value }}\n{% endif %}{% endfor %}'
export const DEFAULT_DOCUMENT_TEMPLATE_MAX_BYTES = 400

export const embedderSources = ['openAi', 'huggingFace', 'ollama', 'userProvided', 'rest', 'composite'] as const
export type EmbedderSource = (typeof embedderSources)[number]

export const poolings = ['useModel', 'forceCls', 'forceMean'] as const
export type Pooling = (typeof poolings)[number]

export interface Distribution {
  readonly mean: number
  readonly sigma: number
}

/** Fragment name to a JSON value whose strings are templates. */
export type Fragments = ReadonlyMap<string, JsonValue>

interface Common {
  readonly binaryQuantized?: boolean
  readonly distribution?: Distribution
}

/** Absent on the search side of a composite embedder, and when a `rest` embedder uses fragments. */
interface Templated {
  readonly documentTemplate?: string
  readonly documentTemplateMaxBytes?: number
}

export interface OpenAiEmbedder extends Common, Templated {
  readonly source: 'openAi'
  readonly model: string
  readonly apiKey?: string
  readonly dimensions?: number
  readonly url?: string
}

export interface HuggingFaceEmbedder extends Common, Templated {
  readonly source: 'huggingFace'
  readonly model: string
  readonly revision?: string
  readonly pooling: Pooling
}

export interface OllamaEmbedder extends Common, Templated {
  readonly source: 'ollama'
  readonly model: string
  readonly apiKey?: string
  readonly dimensions?: number
  readonly url?: string
}

export interface UserProvidedEmbedder extends Common {
  readonly source: 'userProvided'
  readonly dimensions: number
}

export interface RestEmbedder extends Common, Templated {
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

/** What a composite embedder is made of. */
export type SubEmbedder = OpenAiEmbedder | HuggingFaceEmbedder | OllamaEmbedder | RestEmbedder

export interface CompositeEmbedder extends Common {
  readonly source: 'composite'
  /** Embeds queries. */
  readonly searchEmbedder: SubEmbedder
  /** Embeds documents, and owns the document template. */
  readonly indexingEmbedder: SubEmbedder
}

export type Embedder = SubEmbedder | UserProvidedEmbedder | CompositeEmbedder
