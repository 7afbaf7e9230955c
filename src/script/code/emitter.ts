import type { Code, Label, Step, Variable } from '../machine/model.js'
import type { At } from '../problem.js'
import type { Node } from '../syntax/ast.js'
import type { FunctionScope } from './scope.js'

/** What all functions of a script share while they are compiled. */
export interface Compilation {
  readonly functionNames: ReadonlySet<string>
  readonly closures: Code[]
  /** Emits the steps of a node, which leave exactly one value on the stack. */
  readonly compile: (emitter: Emitter, node: Node) => void
}

/** Where `break` and `continue` of a loop go. */
export interface LoopLabels {
  readonly next: Label
  readonly end: Label
}

/** Collects the steps of one function. */
export class Emitter {
  readonly loops: LoopLabels[] = []
  private readonly steps: Step[] = []
  private readonly places: At[] = []

  constructor(
    readonly scope: FunctionScope,
    readonly compilation: Compilation,
  ) {}

  emit(at: At, step: Step): void {
    this.steps.push(step)
    this.places.push(at)
  }

  node(node: Node): void {
    this.compilation.compile(this, node)
  }

  /** A label for a place that comes later, to be set by `mark`. */
  label(): Label {
    return { step: -1 }
  }

  mark(label: Label): void {
    label.step = this.steps.length
  }

  jump(at: At, target: Label): void {
    this.emit(at, (machine) => machine.jump(target))
  }

  /** The finished function: what was emitted so far, and the return of its value. */
  finish(name: string, parameters: readonly Variable[], at: At): Code {
    this.emit(at, (machine) => machine.leave(machine.pop()))
    return { name, parameters, captures: this.scope.captures, steps: this.steps, places: this.places }
  }
}

/** The kinds of nodes a file compiles. */
export type Compilers<Kind extends Node['kind']> = {
  readonly [K in Kind]: (emitter: Emitter, node: Extract<Node, { kind: K }>) => void
}
