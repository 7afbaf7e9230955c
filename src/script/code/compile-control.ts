import { equals } from '../comparison.js'
import type { Label, Machine } from '../machine/model.js'
import { isInRange } from '../operators.js'
import type { At } from '../problem.js'
import type { SwitchArm } from '../syntax/ast.js'
import { Range, type Value } from '../value.js'
import { jumpUnless } from './compile-expression.js'
import type { Compilers, Emitter } from './emitter.js'

export const CONTROL: Compilers<'block' | 'if' | 'switch'> = {
  block: (emitter, { statements, at }) => {
    emitter.scope.openBlock()
    statements.forEach((statement, i) => {
      if (i > 0) drop(emitter, statement.at)
      emitter.node(statement)
    })
    if (statements.length === 0) pushUnit(emitter, at)
    emitter.scope.closeBlock()
  },

  if: (emitter, { arms, otherwise, at }) => {
    const end = emitter.label()
    for (const arm of arms) {
      const next = emitter.label()
      emitter.node(arm.condition)
      jumpUnless(emitter, arm.condition.at, next)
      emitter.node(arm.body)
      emitter.jump(at, end)
      emitter.mark(next)
    }
    if (otherwise === undefined) pushUnit(emitter, at)
    else emitter.node(otherwise)
    emitter.mark(end)
  },

  switch: (emitter, { subject, arms, at }) => {
    const end = emitter.label()
    emitter.node(subject)
    for (const arm of arms) {
      const next = emitter.label()
      compileTest(emitter, arm, next)
      drop(emitter, arm.at)
      compileArmBody(emitter, arm)
      emitter.jump(arm.at, end)
      emitter.mark(next)
    }
    drop(emitter, at)
    pushUnit(emitter, at)
    emitter.mark(end)
  },
}

export function pushUnit(emitter: Emitter, at: At): void {
  emitter.emit(at, (machine) => machine.push(null))
}

export function drop(emitter: Emitter, at: At): void {
  emitter.emit(at, (machine) => {
    machine.pop()
  })
}

/** Goes to `next` unless the arm takes the subject, which stays on the stack. */
function compileTest(emitter: Emitter, { cases, condition, at }: SwitchArm, next: Label): void {
  if (cases === undefined) return
  emitter.emit(at, (machine) => {
    const subject = machine.stack.at(-1)!
    if (!cases.some((each) => matches(machine, subject, each))) machine.jump(next)
  })
  if (condition === undefined) return
  emitter.node(condition)
  jumpUnless(emitter, condition.at, next)
}

function matches(machine: Machine, subject: Value, expected: Value): boolean {
  return expected instanceof Range ? isInRange(expected, subject) : equals(subject, expected, machine.meter)
}

function compileArmBody(emitter: Emitter, arm: SwitchArm): void {
  emitter.scope.openBlock()
  emitter.node(arm.body)
  emitter.scope.closeBlock()
}
