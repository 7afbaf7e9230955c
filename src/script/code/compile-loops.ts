import type { Machine, Variable } from '../machine/model.js'
import { startVariable, storeVariable } from '../machine/variables.js'
import type { At } from '../problem.js'
import type { Block } from '../syntax/ast.js'
import type { Value } from '../value.js'
import { drop, pushUnit } from './compile-control.js'
import { jumpIf, jumpUnless } from './compile-expression.js'
import type { Compilers, Emitter, LoopLabels } from './emitter.js'
import { iterate } from './iteration.js'

export const LOOPS: Compilers<'loop' | 'while' | 'do' | 'for' | 'break' | 'continue'> = {
  loop: (emitter, { body, at }) => {
    emitter.emit(at, (machine) => enterLoop(machine))
    compileLoop(emitter, at, ({ next }) => {
      emitter.mark(next)
      compileBody(emitter, body)
      emitter.jump(at, next)
    })
  },

  while: (emitter, { condition, body, at }) => {
    emitter.emit(at, (machine) => enterLoop(machine))
    compileLoop(emitter, at, ({ next }) => {
      const exit = emitter.label()
      emitter.mark(next)
      emitter.node(condition)
      jumpUnless(emitter, condition.at, exit)
      compileBody(emitter, body)
      emitter.jump(at, next)
      emitter.mark(exit)
    })
  },

  do: (emitter, { body, condition, goesOnWhile, at }) => {
    emitter.emit(at, (machine) => enterLoop(machine))
    compileLoop(emitter, at, ({ next }) => {
      const start = emitter.label()
      emitter.mark(start)
      compileBody(emitter, body)
      emitter.mark(next)
      emitter.node(condition)
      jumpIf(emitter, condition.at, { wanted: goesOnWhile, target: start })
    })
  },

  for: (emitter, { name, counter, source, body, at }) => {
    emitter.node(source)
    emitter.emit(source.at, (machine) => enterLoop(machine, iterate(machine.pop())))
    emitter.scope.openBlock()
    const variables = {
      item: emitter.scope.declare(name),
      counter: counter === undefined ? undefined : emitter.scope.declare(counter),
    }
    compileLoop(emitter, at, ({ next }) => {
      const exit = emitter.label()
      emitter.emit(at, (machine) => startVariables(machine, variables))
      emitter.mark(next)
      emitter.emit(at, (machine) => {
        if (!advance(machine, variables)) machine.jump(exit)
      })
      compileBody(emitter, body)
      emitter.jump(at, next)
      emitter.mark(exit)
    })
    emitter.scope.closeBlock()
  },

  break: (emitter, { value, at }) => {
    const { end } = emitter.loops.at(-1)!
    if (value === undefined) pushUnit(emitter, at)
    else emitter.node(value)
    emitter.emit(at, (machine) => {
      const result = machine.pop()
      unwind(machine)
      machine.frame.loops.pop()
      machine.push(result)
      machine.jump(end)
    })
  },

  continue: (emitter, { at }) => {
    const { next } = emitter.loops.at(-1)!
    emitter.emit(at, (machine) => {
      unwind(machine)
      machine.jump(next)
    })
  },
}

/** The steps of a loop that has been entered, and its value `()` when no `break` gives another. */
function compileLoop(emitter: Emitter, at: At, compileSteps: (labels: LoopLabels) => void): void {
  const labels = { next: emitter.label(), end: emitter.label() }
  emitter.loops.push(labels)
  compileSteps(labels)
  emitter.loops.pop()
  emitter.emit(at, (machine) => {
    machine.frame.loops.pop()
    machine.push(null)
  })
  emitter.mark(labels.end)
}

function compileBody(emitter: Emitter, body: Block): void {
  emitter.node(body)
  drop(emitter, body.at)
}

function enterLoop(machine: Machine, source?: Iterator<Value>): void {
  const { loops, handlers } = machine.frame
  loops.push({ stackHeight: machine.stack.length, handlerCount: handlers.length, source, count: 0 })
}

/** Forgets what the body of the loop has begun: unfinished expressions and `try` blocks. */
function unwind(machine: Machine): void {
  const { loops, handlers } = machine.frame
  const loop = loops.at(-1)!
  machine.stack.length = loop.stackHeight
  handlers.length = loop.handlerCount
}

interface ForVariables {
  readonly item: Variable
  readonly counter: Variable | undefined
}

/** The variables live as long as the loop: closures made in several rounds share them. */
function startVariables(machine: Machine, { item, counter }: ForVariables): void {
  startVariable(machine, item, null)
  if (counter) startVariable(machine, counter, null)
}

function advance(machine: Machine, { item, counter }: ForVariables): boolean {
  const loop = machine.frame.loops.at(-1)!
  const next = loop.source?.next()
  if (next === undefined || next.done) return false
  storeVariable(machine.frame, item, machine.ownership.share(next.value))
  if (counter) storeVariable(machine.frame, counter, loop.count++)
  return true
}
