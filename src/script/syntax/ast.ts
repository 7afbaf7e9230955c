import type { At } from '../problem.js'
import type { Value } from '../value.js'

// Nesting of these nodes is bounded by the depth limit of the parser: runs of operators, chains of links, arms of
// `if` and statements of a block are lists, however long they are.

export type Expression =
  | { readonly kind: 'literal'; readonly value: Value; readonly at: At }
  | { readonly kind: 'template'; readonly pieces: readonly (string | Block)[]; readonly at: At }
  | { readonly kind: 'array'; readonly items: readonly Expression[]; readonly at: At }
  | { readonly kind: 'map'; readonly entries: readonly MapEntry[]; readonly at: At }
  | { readonly kind: 'name'; readonly name: string; readonly at: At }
  | { readonly kind: 'this'; readonly at: At }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Expression; readonly at: At }
  | Operators
  | Chain
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[]; readonly at: At }
  | { readonly kind: 'closure'; readonly parameters: readonly string[]; readonly body: Node; readonly at: At }
  | { readonly kind: 'if'; readonly arms: readonly IfArm[]; readonly otherwise: Block | undefined; readonly at: At }
  | Switch
  | Block
  | { readonly kind: 'loop'; readonly body: Block; readonly at: At }
  | { readonly kind: 'while'; readonly condition: Expression; readonly body: Block; readonly at: At }
  | DoLoop
  | ForLoop

export type Statement =
  | Let
  | Assignment
  | { readonly kind: 'break'; readonly value: Expression | undefined; readonly at: At }
  | { readonly kind: 'continue'; readonly at: At }
  | { readonly kind: 'return'; readonly value: Expression | undefined; readonly at: At }
  | { readonly kind: 'throw'; readonly value: Expression | undefined; readonly at: At }
  | Try

export type Node = Expression | Statement

export interface MapEntry {
  readonly key: string
  readonly value: Expression
}

/** Operators of one precedence, applied from left to right (`**`: one operator only). */
export interface Operators {
  readonly kind: 'operators'
  readonly precedence: number
  readonly first: Expression
  readonly rest: { readonly operator: string; readonly operand: Expression; readonly at: At }[]
  readonly at: At
}

/** `root.a[i].f(x)`. */
export interface Chain {
  readonly kind: 'chain'
  readonly root: Expression
  readonly links: readonly Link[]
  readonly at: At
}

export type Link = PathLink | MethodLink

/** `isOptional` is `?.` or `?[`: the whole chain is `()` when the left side is. */
export type PathLink =
  | { readonly kind: 'property'; readonly name: string; readonly isOptional: boolean; readonly at: At }
  | { readonly kind: 'index'; readonly index: Expression; readonly isOptional: boolean; readonly at: At }

export interface MethodLink {
  readonly kind: 'method'
  readonly name: string
  readonly args: readonly Expression[]
  readonly isOptional: boolean
  readonly at: At
}

export interface IfArm {
  readonly condition: Expression
  readonly body: Block
}

export interface Switch {
  readonly kind: 'switch'
  readonly subject: Expression
  readonly arms: readonly SwitchArm[]
  readonly at: At
}

export interface SwitchArm {
  /** Constants, a `Range` among them for a range. Undefined for `_`. */
  readonly cases: readonly Value[] | undefined
  readonly condition: Expression | undefined
  readonly body: Node
  readonly at: At
}

export interface Block {
  readonly kind: 'block'
  readonly statements: readonly Node[]
  readonly at: At
}

/** `do {} while c` goes on while the condition is true, `until` while it is false. */
export interface DoLoop {
  readonly kind: 'do'
  readonly body: Block
  readonly condition: Expression
  readonly goesOnWhile: boolean
  readonly at: At
}

export interface ForLoop {
  readonly kind: 'for'
  readonly name: string
  readonly counter: string | undefined
  readonly source: Expression
  readonly body: Block
  readonly at: At
}

export interface Let {
  readonly kind: 'let'
  readonly name: string
  readonly value: Expression | undefined
  readonly isConstant: boolean
  readonly at: At
}

export interface Assignment {
  readonly kind: 'assign'
  readonly target: Target
  /** The operator before `=`; empty for plain assignment. */
  readonly operator: string
  readonly value: Expression
  readonly at: At
}

/** Where an assignment can go: a variable or `this`, or a path of properties and indexes from one. */
export interface Target {
  readonly root: Extract<Expression, { kind: 'name' | 'this' }>
  readonly links: readonly PathLink[]
  readonly at: At
}

export interface Try {
  readonly kind: 'try'
  readonly body: Block
  readonly name: string | undefined
  readonly handler: Block
  readonly at: At
}

export interface FunctionDefinition {
  readonly name: string
  readonly parameters: readonly string[]
  readonly body: Block
  readonly at: At
}

export interface Program {
  readonly statements: readonly Node[]
  readonly functions: readonly FunctionDefinition[]
}
