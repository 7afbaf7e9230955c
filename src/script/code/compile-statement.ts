import { callBuiltin } from '../builtins/table.js'
import type { Machine } from '../machine/model.js'
import { Place } from '../machine/place.js'
import { startVariable } from '../machine/variables.js'
import { BINARY_OPERATORS, type Binary } from '../operators.js'
import { SyntaxProblem, ThrownValue } from '../problem.js'
import type { Try } from '../syntax/ast.js'
import type { Value } from '../value.js'
import { compileIndexes, compileRoot } from './compile-chain.js'
import { drop, pushUnit } from './compile-control.js'
import type { Compilers, Emitter } from './emitter.js'

export const STATEMENTS: Compilers<'let' | 'assign' | 'return' | 'throw' | 'try'> = {
  let: (emitter, { name, value, isConstant, at }) => {
    if (value === undefined) pushUnit(emitter, at)
    else emitter.node(value)
    const variable = emitter.scope.declare(name, isConstant ? 'constant' : 'variable')
    emitter.emit(at, (machine) => {
      startVariable(machine, variable, machine.pop())
      machine.push(null)
    })
  },

  assign: (emitter, node) => {
    emitter.node(node.value)
    const root = compileRoot(emitter, node.target.root)
    const isConstant = root.kind === 'variable' && root.variable.mode === 'constant'
    if (isConstant) throw new SyntaxProblem(`${root.variable.name} is constant and cannot be changed`, node.at)
    compileIndexes(emitter, node.target.links)
    const path = { root, links: node.target.links }
    const operation = BINARY_OPERATORS.get(node.operator)
    emitter.emit(node.at, (machine) => {
      const place = new Place(machine, path)
      assign(machine, place, { value: machine.pop(), operation, isAddition: node.operator === '+' })
      machine.push(null)
    })
  },

  return: (emitter, { value, at }) => {
    if (value === undefined) pushUnit(emitter, at)
    else emitter.node(value)
    emitter.emit(at, (machine) => machine.leave(machine.pop()))
  },

  throw: (emitter, { value, at }) => {
    if (value === undefined) {
      emitter.emit(at, (machine) => {
        throw machine.frame.caught ?? new ThrownValue(null)
      })
    } else {
      emitter.node(value)
      emitter.emit(at, (machine) => {
        throw new ThrownValue(machine.pop())
      })
    }
  },

  try: (emitter, node) => compileTry(emitter, node),
}

interface Change {
  readonly value: Value
  /** Undefined for plain assignment. */
  readonly operation: Binary | undefined
  readonly isAddition: boolean
}

function assign(machine: Machine, place: Place, { value, operation, isAddition }: Change): void {
  place.refuseConstant()
  if (place.isSkipped) return
  const current = operation === undefined ? undefined : place.read()!
  if (operation === undefined || current === undefined) place.write(value)
  else if (isAddition && Array.isArray(current)) addToArray(machine, place, value)
  else place.write(operation(current, value, machine.meter))
}

/** `array += x` pushes, or appends an array (spec 3 §6.3). */
function addToArray(machine: Machine, place: Place, value: Value): void {
  callBuiltin(machine, Array.isArray(value) ? 'append' : 'push', [place.own(), value])
}

function compileTry(emitter: Emitter, { body, name, handler, at }: Try): void {
  const target = emitter.label()
  const end = emitter.label()
  emitter.emit(at, (machine) => {
    const { handlers, loops } = machine.frame
    handlers.push({ target, stackHeight: machine.stack.length, loopCount: loops.length })
  })
  emitter.node(body)
  emitter.emit(at, (machine) => {
    machine.frame.handlers.pop()
    machine.jump(end)
  })
  emitter.mark(target)
  compileHandler(emitter, { name, handler, at })
  emitter.mark(end)
}

/** The caught value lies on the stack. */
function compileHandler(emitter: Emitter, { name, handler, at }: Pick<Try, 'name' | 'handler' | 'at'>): void {
  emitter.scope.openBlock()
  if (name === undefined) drop(emitter, at)
  else {
    const variable = emitter.scope.declare(name)
    emitter.emit(at, (machine) => startVariable(machine, variable, machine.pop()))
  }
  emitter.node(handler)
  emitter.scope.closeBlock()
}
