import type { Result } from '../errors/index.js'
import { type JsonValue, parse, print } from '../json/index.js'
import type { AllowedNetworks } from '../outbound/index.js'
import type { EmbedInput } from './embedder.js'
import type { EmbeddingOptions } from './services.js'

/** What the embedding thread is started with. */
export interface ThreadOptions {
  readonly embedding: EmbeddingOptions
  readonly networks: AllowedNetworks
  readonly userAgent: string
}

/** To the embedding thread. `config` is a text of `printConfig`: numbers would lose their kind on the way. */
export type Request =
  | { readonly kind: 'open'; readonly id: number; readonly name: string; readonly config: string }
  | {
      readonly kind: 'embed'
      readonly id: number
      readonly name: string
      readonly config: string
      readonly inputs: readonly SentInput[]
    }
  | { readonly kind: 'cancel'; readonly id: number }

/** From the embedding thread. `open` is answered with the dimensions, `embed` with the vectors. */
export type Reply =
  | { readonly kind: 'done'; readonly id: number; readonly result: Result<number | Float32Array[]> }
  | { readonly kind: 'surprise'; readonly id: number; readonly message: string; readonly stack: string | undefined }
  /** One request to a provider, and why it failed if it did. */
  | { readonly kind: 'request'; readonly problem: string | undefined }

/** JSON values as text. */
export interface SentInput {
  readonly text: string | undefined
  readonly fragment: string | undefined
}

export function toSent({ text, fragment }: EmbedInput): SentInput {
  return { text, fragment: fragment === undefined ? undefined : print(fragment) }
}

export function fromSent({ text, fragment }: SentInput): EmbedInput {
  return { text, fragment: fragment === undefined ? undefined : parsed(fragment) }
}

function parsed(text: string): JsonValue {
  const value = parse(text)
  if (!value.ok) throw new Error(`a fragment is not JSON: ${value.reason}`)
  return value.value
}

/** So often the thread gives a sign of life. */
export const PULSE_EVERY_MS = 1_000
