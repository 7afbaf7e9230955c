import type { Callback, Invocation } from '../builtins/define.js'
import { callBuiltin, hasBuiltin } from '../builtins/table.js'
import type { Limits } from '../limits.js'
import { Meter } from '../meter.js'
import { LimitProblem, ScriptProblem, ThrownValue } from '../problem.js'
import { functionKey } from '../syntax/parse.js'
import type { FunctionValue, Value } from '../value.js'
import type { Binding, Code, CompiledScript, Frame, Label, Machine } from './model.js'
import { Ownership } from './ownership.js'
import { declareVariable } from './variables.js'

// Calls of script functions need no JavaScript stack, but a built-in that calls back does. So many fit easily into
// the smallest stack Node gives a thread, and no document is nested as deeply.
const MAX_NESTED_CALLBACKS = 150

const UNBOUND: Binding = { self: undefined, isConstant: false, home: undefined }

/** Runs the steps of a compiled script: a stack of values, and a stack of calls. */
export class ScriptMachine implements Machine {
  readonly meter: Meter
  readonly ownership: Ownership
  readonly stack: Value[] = []
  private readonly frames: Frame[] = []
  private nestedCallbacks = 0

  constructor(
    readonly script: CompiledScript,
    limits: Limits,
  ) {
    this.meter = new Meter(limits)
    this.ownership = new Ownership(this.meter)
  }

  /** Prepares a run, and gives the frame that holds the variables of the script. */
  begin(doc: Value, context: Value | undefined): Frame {
    const { main } = this.script
    this.enterCode(main, [doc], UNBOUND)
    declareVariable(this.frame, main.parameters[1]!, context)
    return this.frame
  }

  /** Runs to the end of the script. */
  finish(): void {
    this.run(0)
  }

  get frame(): Frame {
    return this.frames[this.frames.length - 1]!
  }

  push(value: Value): void {
    this.stack.push(value)
  }

  pop(): Value {
    // Compiled steps take only what earlier steps have put there.
    return this.stack.pop()!
  }

  popMany(count: number): Value[] {
    return count === 0 ? [] : this.stack.splice(this.stack.length - count, count)
  }

  jump(target: Label): void {
    this.frame.nextStep = target.step
  }

  share(value: Value): void {
    this.ownership.share(value)
  }

  own(value: Value): Value {
    return this.ownership.own(value)
  }

  hasFunction(name: string, parameterCount: number): boolean {
    return this.script.functions.has(functionKey(name, parameterCount))
  }

  enterCode(code: Code, args: readonly Value[], binding: Binding): void {
    if (this.frames.length > this.meter.limits.callDepth) {
      throw new LimitProblem(`calls are nested deeper than ${this.meter.limits.callDepth} levels`)
    }
    if (binding.self !== undefined) this.ownership.share(binding.self)
    const frame = newFrame(code, binding, this.stack.length)
    this.frames.push(frame)
    args.forEach((arg, i) => {
      declareVariable(frame, code.parameters[i]!, this.ownership.share(arg))
    })
  }

  enter(callee: FunctionValue, args: readonly Value[], binding: Binding): void {
    const all = callee.curried.length === 0 ? args : [...callee.curried, ...args]
    const { closure } = callee
    if (closure === undefined) this.enterNamed(callee.name, all, binding)
    else if (closure.parameterCount === all.length) {
      const code = this.script.closures[closure.id]!
      this.enterCode(code, all, binding)
      code.captures.forEach((variable, i) => {
        this.frame.cells[variable.slot] = closure.captures[i]!
      })
    } else throw wrongCount(callee.name, closure.parameterCount, all.length)
  }

  private enterNamed(name: string, args: readonly Value[], binding: Binding): void {
    const code = this.script.functions.get(functionKey(name, args.length))
    if (code !== undefined) this.enterCode(code, args, binding)
    else this.push(this.ownership.share(callBuiltin(this, name, [...args])))
  }

  leave(result: Value): void {
    const frame = this.frames.pop()!
    this.stack.length = frame.stackHeight
    const { self, home } = frame.binding
    if (home !== undefined && frame.self !== undefined && frame.self !== self) home.write(frame.self)
    this.push(result)
  }

  invoke(callback: Callback): Invocation {
    if (this.nestedCallbacks >= MAX_NESTED_CALLBACKS) {
      throw new LimitProblem(`callbacks are nested deeper than ${MAX_NESTED_CALLBACKS} levels`)
    }
    const { callee, args, self } = callback
    const depth = this.frames.length
    this.nestedCallbacks++
    try {
      this.enter(callee, args.slice(0, this.countOf(callback)), { self, isConstant: false, home: undefined })
      const frame = this.frames.length > depth ? this.frame : undefined
      this.run(depth)
      return { result: this.pop(), self: frame?.self === undefined ? self : frame.self }
    } finally {
      this.nestedCallbacks--
    }
  }

  /** How many of the offered arguments the called function takes. */
  private countOf({ callee, args, usual }: Callback): number {
    if (callee.closure !== undefined) return Math.max(0, callee.closure.parameterCount - callee.curried.length)
    const exists = (count: number) => this.hasFunction(callee.name, count + callee.curried.length)
    if (hasBuiltin(callee.name) || exists(usual)) return usual
    const counts = args.map((_, i) => i + 1)
    return counts.find((count) => count > usual && exists(count)) ?? counts.findLast(exists) ?? (exists(0) ? 0 : usual)
  }

  /** Runs until only `depth` calls are left. */
  private run(depth: number): void {
    for (;;) {
      try {
        this.runSteps(depth)
        return
      } catch (problem) {
        this.recover(problem, depth)
      }
    }
  }

  private runSteps(depth: number): void {
    while (this.frames.length > depth) {
      const { frame } = this
      this.meter.spend(1)
      frame.code.steps[frame.nextStep++]!(this)
    }
  }

  /** Goes on at the innermost handler above `depth`, or throws again. */
  private recover(problem: unknown, depth: number): void {
    const isScripted = problem instanceof ScriptProblem || problem instanceof ThrownValue
    if (isScripted || problem instanceof LimitProblem) problem.at ??= placeOf(this.frame)
    while (isScripted && this.frames.length > depth) {
      if (this.handle(problem, this.frame)) return
      this.frames.pop()
    }
    this.frames.length = depth
    throw problem
  }

  private handle(problem: ScriptProblem | ThrownValue, frame: Frame): boolean {
    const handler = frame.handlers.pop()
    if (handler === undefined) return false
    this.stack.length = handler.stackHeight
    frame.loops.length = handler.loopCount
    frame.caught = problem
    this.push(caughtValue(problem))
    this.jump(handler.target)
    return true
  }
}

function newFrame(code: Code, binding: Binding, stackHeight: number): Frame {
  return {
    code,
    binding,
    stackHeight,
    nextStep: 0,
    slots: [],
    cells: [],
    self: binding.self,
    loops: [],
    handlers: [],
    caught: undefined,
  }
}

function placeOf(frame: Frame) {
  return frame.code.places[frame.nextStep - 1]
}

/** What a `catch` variable holds (spec 3 §6.5.9). */
function caughtValue(problem: ScriptProblem | ThrownValue): Value {
  if (problem instanceof ThrownValue) return problem.value
  return new Map<string, Value>([
    ['error', problem.kind],
    ['message', problem.message],
    ['line', problem.at?.line ?? 0],
    ['position', problem.at?.column ?? 0],
  ])
}

function wrongCount(name: string, expected: number, found: number): ScriptProblem {
  return new ScriptProblem('ErrorFunctionNotFound', `${name} takes ${expected} arguments, not ${found}`)
}
