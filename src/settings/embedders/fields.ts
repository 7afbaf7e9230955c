import type { JsonValue } from '../../json/index.js'
import {
  DEFAULT_DOCUMENT_TEMPLATE,
  DEFAULT_DOCUMENT_TEMPLATE_MAX_BYTES,
  type Distribution,
  type Embedder,
  type EmbedderSource,
  type Fragments,
  type Pooling,
  type SubEmbedder,
} from './model.js'
import { DEFAULT_OPEN_AI_MODEL } from './open-ai-models.js'
import type { EmbedderPatch } from './patch.js'
import type { Position } from './source-fields.js'

/** An embedder in the making: any field may be there, and nothing says that they fit together. */
export interface EmbedderFields {
  source?: EmbedderSource
  model?: string
  revision?: string
  pooling?: Pooling
  apiKey?: string
  dimensions?: number
  binaryQuantized?: boolean
  documentTemplate?: string
  documentTemplateMaxBytes?: number
  url?: string
  indexingFragments?: Fragments
  searchFragments?: Fragments
  request?: JsonValue
  response?: JsonValue
  headers?: ReadonlyMap<string, string>
  searchEmbedder?: EmbedderFields
  indexingEmbedder?: EmbedderFields
  distribution?: Distribution
}

export function fieldsOf(embedder: Embedder | EmbedderFields): EmbedderFields {
  return { ...embedder }
}

/** The same fields in the form of a request that sets all of them. */
export function asPatch(fields: EmbedderFields): EmbedderPatch {
  const { indexingFragments, searchFragments, searchEmbedder, indexingEmbedder, ...plain } = fields
  const set = Object.fromEntries(Object.entries(plain).map(([field, value]) => [field, { set: value }]))
  return {
    ...(set as EmbedderPatch),
    ...(indexingFragments && { indexingFragments: { set: asFragmentChanges(indexingFragments) } }),
    ...(searchFragments && { searchFragments: { set: asFragmentChanges(searchFragments) } }),
    ...(searchEmbedder && { searchEmbedder: { set: asPatch(searchEmbedder) } }),
    ...(indexingEmbedder && { indexingEmbedder: { set: asPatch(indexingEmbedder) } }),
  }
}

function asFragmentChanges(fragments: Fragments): ReadonlyMap<string, { readonly set: JsonValue }> {
  return new Map([...fragments].map(([name, value]) => [name, { set: value }]))
}

const DEFAULT_HUGGING_FACE_MODEL = 'BAAI/bge-base-en-v1.5'
const DEFAULT_HUGGING_FACE_REVISION = '617ca489d9e86b49b8167676d8220688b99db36e'

/** Fills in the defaults of the source (spec 4 §4.3). The fields have passed `checkEmbedder`. */
export function resolveEmbedder(fields: EmbedderFields): Embedder {
  if (fields.source === 'userProvided') return { ...fields, source: 'userProvided', dimensions: fields.dimensions! }
  if (fields.source !== 'composite') return resolveSource(fields, 'top')
  const { searchEmbedder, indexingEmbedder, ...common } = fields
  return {
    ...common,
    source: 'composite',
    searchEmbedder: resolveSource(searchEmbedder!, 'search'),
    indexingEmbedder: resolveSource(indexingEmbedder!, 'indexing'),
  }
}

function resolveSource(given: EmbedderFields, position: Position): SubEmbedder {
  const fields = withTemplate(given, position)
  switch (fields.source) {
    case 'huggingFace':
      return {
        ...fields,
        ...huggingFaceModel(fields),
        source: 'huggingFace',
        pooling: fields.pooling ?? 'useModel',
      }
    case 'ollama':
      return { ...fields, source: 'ollama', model: fields.model! }
    case 'rest':
      return {
        ...fields,
        source: 'rest',
        url: fields.url!,
        request: fields.request!,
        response: fields.response!,
        headers: fields.headers ?? new Map(),
      }
    default:
      return { ...fields, source: 'openAi', model: fields.model ?? DEFAULT_OPEN_AI_MODEL }
  }
}

/** A size without a template is passed over; fragments and queries have no template at all. */
function withTemplate(fields: EmbedderFields, position: Position): EmbedderFields {
  const { documentTemplate, documentTemplateMaxBytes, ...others } = fields
  if (position === 'search' || fields.indexingFragments) return others
  if (documentTemplate === undefined) {
    return {
      ...others,
      documentTemplate: DEFAULT_DOCUMENT_TEMPLATE,
      documentTemplateMaxBytes: DEFAULT_DOCUMENT_TEMPLATE_MAX_BYTES,
    }
  }
  const size = documentTemplateMaxBytes ?? DEFAULT_DOCUMENT_TEMPLATE_MAX_BYTES
  return { ...others, documentTemplate, documentTemplateMaxBytes: size }
}

/** Naming a model, even the default one, without a revision means "no revision". */
function huggingFaceModel({ model, revision }: EmbedderFields): { model: string; revision?: string } {
  if (model === undefined) {
    return { model: DEFAULT_HUGGING_FACE_MODEL, revision: revision ?? DEFAULT_HUGGING_FACE_REVISION }
  }
  return revision === undefined ? { model } : { model, revision }
}
