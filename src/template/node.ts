import type { Filter } from './filters/filter.js'
import type { Value } from './value.js'

export type Expression =
  | { readonly kind: 'literal'; readonly value: Value }
  /** Only means something in a comparison; nil anywhere else. */
  | { readonly kind: 'empty' | 'blank' }
  | { readonly kind: 'path'; readonly steps: readonly Expression[]; readonly text: string }
  | { readonly kind: 'range'; readonly from: Expression; readonly to: Expression }

export interface FilterCall {
  readonly name: string
  readonly filter: Filter
  readonly values: readonly Expression[]
}

/** A value and what is done to it. */
export interface Chain {
  readonly start: Expression
  readonly filters: readonly FilterCall[]
}

export const comparisons = ['==', '!=', '<>', '<', '>', '<=', '>=', 'contains'] as const
export type Comparison = (typeof comparisons)[number]

/** A bare value (missing ones are false), or a comparison (missing ones are errors). */
export type Test =
  | { readonly kind: 'bare'; readonly value: Expression }
  | { readonly kind: 'compare'; readonly left: Expression; readonly comparison: Comparison; readonly right: Expression }

/** True when all tests of one of the groups hold: `and` binds tighter than `or`. */
export type Condition = readonly (readonly Test[])[]

export interface Branch {
  readonly condition: Condition
  /** False for `unless`. */
  readonly wanted: boolean
  readonly body: readonly Node[]
}

export interface Loop {
  readonly variable: string
  readonly list: Expression
  readonly limit?: Expression
  readonly offset?: Expression
  readonly body: readonly Node[]
}

export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'output'; readonly chain: Chain }
  | { readonly kind: 'if'; readonly branches: readonly Branch[]; readonly otherwise: readonly Node[] }
  | {
      readonly kind: 'case'
      readonly subject: Expression
      readonly whens: readonly { readonly values: readonly Expression[]; readonly body: readonly Node[] }[]
      readonly otherwise: readonly Node[]
    }
  | ({ readonly kind: 'for'; readonly isReversed: boolean; readonly otherwise: readonly Node[] } & Loop)
  | ({ readonly kind: 'tablerow'; readonly columns?: Expression } & Loop)
  | { readonly kind: 'break' }
  | { readonly kind: 'continue' }
  | { readonly kind: 'cycle'; readonly group: string; readonly values: readonly Expression[] }
  | { readonly kind: 'assign'; readonly variable: string; readonly chain: Chain }
  | { readonly kind: 'capture'; readonly variable: string; readonly body: readonly Node[] }
  | { readonly kind: 'increment'; readonly variable: string }
  | { readonly kind: 'decrement'; readonly variable: string }
  | { readonly kind: 'ifchanged'; readonly body: readonly Node[] }
  /** `include` and `render`: there are no other templates to be had. */
  | { readonly kind: 'partial'; readonly tag: string }
