import type { Result } from '../errors/index.js'
import type { PayloadFormat } from '../payload/index.js'
import type { DigestKind, DigestRequest, Digests } from './digest.js'

/** What the body thread is asked. An upload is read by several questions, which name it by its number. */
export type BodyQuestion =
  | { readonly ask: 'digest'; readonly request: DigestRequest; readonly bytes: Uint8Array }
  | { readonly ask: 'open'; readonly upload: number; readonly format: PayloadFormat }
  | { readonly ask: 'push'; readonly upload: number; readonly bytes: Uint8Array }
  | { readonly ask: 'end'; readonly upload: number }
  | { readonly ask: 'drop'; readonly upload: number }

/** Records of an upload that are ready, and the number of its documents at its end. */
export interface Progress {
  readonly records: Uint8Array
  readonly count: number | undefined
}

export type BodyOutcome = Result<Digests[DigestKind]> | Result<Progress> | undefined
