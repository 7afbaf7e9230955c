import { LimitProblem, ScriptProblem } from '../problem.js'
import type { Value } from '../value.js'
import type { Frame, Machine, Variable } from './model.js'

export function isDefined(frame: Frame, variable: Variable): boolean {
  return read(frame, variable) !== undefined
}

export function loadVariable(frame: Frame, variable: Variable): Value {
  const value = read(frame, variable)
  if (value === undefined) throw new ScriptProblem('ErrorVariableNotFound', `variable not found: ${variable.name}`)
  return value
}

function read(frame: Frame, variable: Variable): Value | undefined {
  return variable.isCaptured ? frame.cells[variable.slot]?.value : frame.slots[variable.slot]
}

export function storeVariable(frame: Frame, variable: Variable, value: Value): void {
  if (variable.isCaptured) frame.cells[variable.slot]!.value = value
  else frame.slots[variable.slot] = value
}

/** Starts the life of a variable, with a cell of its own if closures share it. Undefined: not defined after all. */
export function declareVariable(frame: Frame, variable: Variable, value: Value | undefined): void {
  if (variable.isCaptured) frame.cells[variable.slot] = { value }
  else frame.slots[variable.slot] = value
}

export function loadSelf(frame: Frame): Value {
  if (frame.self === undefined) throw new ScriptProblem('ErrorUnboundThis', '`this` is not bound to anything here')
  return frame.self
}

export function storeSelf(frame: Frame, value: Value): void {
  loadSelf(frame)
  frame.self = value
}

/** `declareVariable` for a script, which may not have too many. */
export function startVariable(machine: Machine, variable: Variable, value: Value): void {
  const { variables } = machine.meter.limits
  if (variable.rank >= variables) throw new LimitProblem(`there are more than ${variables} variables`)
  declareVariable(machine.frame, variable, value)
}
