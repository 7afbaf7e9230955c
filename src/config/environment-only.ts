import type { Kind } from './kinds.js'
import { choices, count, ratio, seconds, text } from './kinds.js'
import type { ValuesOf } from './option.js'

interface EnvironmentOnly<Default> {
  readonly help: string
  readonly default: Default
  readonly isSecret?: boolean
  /** The name counts without a prefix as well; a prefixed one wins. */
  readonly alsoBare?: boolean
}

function variable<Value, const Default extends Value | null>(kind: Kind<Value>, facts: EnvironmentOnly<Default>) {
  return { ...facts, kind }
}

/** What can be set by environment alone, names without prefix (spec 1 §6.2). */
export const environmentOnly = {
  EXPERIMENTAL_REMOTE_SEARCH_TIMEOUT_SECONDS: variable(seconds(), {
    help: 'Time for one federated search on a remote',
    default: 25,
  }),
  EXPERIMENTAL_PROXY_CONNECT_TIMEOUT_SECONDS: variable(seconds(), {
    help: 'Time to connect to a remote when writes are passed on',
    default: 3,
  }),
  EXPERIMENTAL_PROXY_BACKOFF_TIMEOUT_SECONDS: variable(seconds(), {
    help: 'Time for all attempts at passing on a write',
    default: 25,
  }),
  EXPERIMENTAL_PROXY_REQUEST_TIMEOUT_SECONDS: variable(seconds(), {
    help: 'Time for one attempt at passing on a write',
    default: 30,
  }),
  EXPERIMENTAL_REST_EMBEDDER_TIMEOUT_SECONDS: variable(seconds(), {
    help: 'Time for one call of an embedder while indexing',
    default: 30,
  }),
  EXPERIMENTAL_REST_EMBEDDER_MAX_RETRY_DURATION_SECONDS: variable(seconds(), {
    help: 'Longest wait before a call of an embedder is repeated',
    default: 60,
  }),
  EXPERIMENTAL_CONFIG_EMBEDDER_FAILURE_MODES: variable(
    choices(['ignore_document_template_failures', 'ignore_embedder_failures']),
    {
      help: 'Failures that leave a document without vector instead of failing the task, separated by commas',
      default: [],
    },
  ),
  EXPERIMENTAL_HNSW_LINEAR_BELOW: variable(count(), {
    help: 'Vector searches compare all candidates when there are fewer than this',
    default: 300_000,
  }),
  EXPERIMENTAL_HNSW_LINEAR_BELOW_RATIO: variable(ratio, {
    help: 'Vector searches compare all candidates when they are a smaller part of the documents than this',
    default: 0.1,
  }),
  OPENAI_API_KEY: variable(text, {
    help: 'Key of OpenAI embedders without one; also read without prefix',
    default: null,
    isSecret: true,
    alsoBare: true,
  }),
  OLLAMA_URL: variable(text, {
    help: 'URL of Ollama embedders without one',
    default: 'http://localhost:11434/api/embeddings',
  }),
} as const

export type EnvironmentOnlyValues = ValuesOf<typeof environmentOnly>

/** Accepted and ignored: they tune the inside of the reference. */
export const IGNORED_VARIABLES = [
  'EXPERIMENTAL_INDEX_MAX_READERS',
  'EXPERIMENTAL_DISABLE_FID_BASED_DATABASES_CLEANUP',
  'EXPERIMENTAL_S3_WEB_IDENTITY_TOKEN_DURATION_SECONDS',
  'SERVER_PROVIDER',
] as const
