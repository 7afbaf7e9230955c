import type { ErrorCode } from '../../errors/index.js'
import type { Schema } from '../../shape/index.js'
import { members, ref } from '../answers.js'

/** What the route itself does not say about an operation. */
export interface Operation {
  readonly tag: string
  /** A few words, without a full stop. */
  readonly summary: string
  readonly description?: string
  /** Another operation does the same and more. */
  readonly deprecated?: true
  /** By status. */
  readonly answers: Readonly<Record<number, Answered>>
  /** Refusals besides those of shapes, keys, features and content types. */
  readonly codes?: readonly ErrorCode[]
  /** The status of codes that have another one here than in the catalogue. */
  readonly statuses?: { readonly [Code in ErrorCode]?: number }
  /** Names of entries of `headerParameters`. */
  readonly headers?: readonly (keyof typeof headerParameters)[]
}

export interface Answered {
  readonly description: string
  /** By content type; none for an answer without a body. */
  readonly content?: Readonly<Record<string, Schema | typeof AS_SENT>>
}

export type Untagged = Omit<Operation, 'tag'>
/** By method and path, as in `GET /health`. */
export type Group = Readonly<Record<string, Untagged>>

/** The answer looks like the body of the route that changes what is shown. */
export const AS_SENT = Symbol('as sent')

export const json = (description: string, schema: Schema | typeof AS_SENT): Answered => ({
  description,
  content: { 'application/json': schema },
})

export const other = (description: string, mediaType: string): Answered => ({
  description,
  content: { [mediaType]: { type: 'string' } },
})

export const bare = (description: string): Answered => ({ description })

export const enqueued: Answered = json('The task was accepted; it will be done in its turn.', ref('TaskSummary'))
export const deleted = bare('It is gone.')

export const textMember = { type: 'string' } as const
export const status = (...values: string[]): Schema => members({ status: { type: 'string', enum: values } })

export const headerParameters = {
  'Meili-Include-Metadata': {
    description: '`true` or `1`: the answer says which query, index and primary key it is from.',
    schema: textMember,
  },
} as const

export const METADATA = { headers: ['Meili-Include-Metadata'] } as const

export const NEEDS_INDEX = ['index_not_found'] as const
