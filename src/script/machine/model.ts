import type { Host } from '../builtins/define.js'
import type { At, ScriptProblem, ThrownValue } from '../problem.js'
import type { Cell, FunctionValue, Value } from '../value.js'
import type { Ownership } from './ownership.js'

export type VariableMode = 'variable' | 'constant' | 'given'

/** A variable of a function, found when the script is compiled. */
export interface Variable {
  readonly name: string
  readonly slot: number
  /** Number of variables alive when it is declared. */
  readonly rank: number
  /** `given` is a constant of the caller, `context`. */
  readonly mode: VariableMode
  /** A closure uses it, so it lives in a cell. Known only when the whole function is compiled. */
  isCaptured: boolean
}

/** One instruction: a closure over its operands that works on the stack of the machine. */
export type Step = (machine: Machine) => void

/** A compiled function, closure or script. The last step returns. */
export interface Code {
  readonly name: string
  readonly parameters: readonly Variable[]
  /** Variables of a closure that are cells of the function around it. */
  readonly captures: readonly Variable[]
  readonly steps: readonly Step[]
  /** Where in the source each step comes from. */
  readonly places: readonly At[]
}

export interface CompiledScript {
  readonly main: Code
  /** By `functionKey`. */
  readonly functions: ReadonlyMap<string, Code>
  readonly closures: readonly Code[]
}

/** A place in `steps`, known once the steps before it are emitted. */
export interface Label {
  step: number
}

export interface LoopState {
  /** What to return to when the loop goes on or ends from inside an expression. */
  readonly stackHeight: number
  readonly handlerCount: number
  readonly source: Iterator<Value> | undefined
  count: number
}

export interface Handler {
  readonly target: Label
  readonly stackHeight: number
  readonly loopCount: number
}

/** A call in progress. */
export interface Frame {
  readonly code: Code
  nextStep: number
  readonly slots: (Value | undefined)[]
  readonly cells: (Cell | undefined)[]
  /** `this`; undefined when unbound. */
  self: Value | undefined
  readonly binding: Binding
  readonly stackHeight: number
  readonly loops: LoopState[]
  readonly handlers: Handler[]
  /** What the last `catch` caught, for `throw` without a value. */
  caught: ScriptProblem | ThrownValue | undefined
}

/** How `this` is bound in a call. */
export interface Binding {
  readonly self: Value | undefined
  readonly isConstant: boolean
  /** Where `this` came from, and goes back to when the call has changed it. */
  readonly home: Home | undefined
}

/** Where a chain starts: a variable, `this`, or a value on the stack. */
export type Root =
  | { readonly kind: 'variable'; readonly variable: Variable }
  | { readonly kind: 'this' }
  | { readonly kind: 'temporary' }

/** Where a value came from and can go back to. */
export interface Home {
  write(value: Value): void
}

export interface Machine extends Host {
  readonly script: CompiledScript
  readonly ownership: Ownership
  readonly stack: Value[]
  /** The innermost call. */
  readonly frame: Frame
  push(value: Value): void
  pop(): Value
  popMany(count: number): Value[]
  jump(target: Label): void
  enterCode(code: Code, args: readonly Value[], binding: Binding): void
  /** Calls a function value; a built-in is done at once, everything else in the next steps. */
  enter(callee: FunctionValue, args: readonly Value[], binding: Binding): void
  /** Ends the innermost call. */
  leave(result: Value): void
}
