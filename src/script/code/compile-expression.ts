import { callFunction } from '../machine/call.js'
import type { Label, Machine, Variable } from '../machine/model.js'
import { isDefined, loadSelf, loadVariable } from '../machine/variables.js'
import { BINARY_OPERATORS, joinTexts, UNARY_OPERATORS } from '../operators.js'
import { type At, ScriptProblem } from '../problem.js'
import type { Expression, Operators } from '../syntax/ast.js'
import { FunctionValue, typeName } from '../value.js'
import { type Compilers, Emitter } from './emitter.js'
import { FunctionScope } from './scope.js'

type Call = Extract<Expression, { kind: 'call' }>

export const EXPRESSIONS: Compilers<
  'literal' | 'template' | 'array' | 'map' | 'name' | 'this' | 'unary' | 'operators' | 'call' | 'closure'
> = {
  literal: (emitter, { value, at }) => emitter.emit(at, (machine) => machine.push(value)),

  template: (emitter, { pieces, at }) => {
    emitter.emit(at, (machine) => machine.push(''))
    for (const piece of pieces) {
      if (typeof piece === 'string') emitter.emit(at, (machine) => machine.push(piece))
      else emitter.node(piece)
      emitter.emit(at, joinTop)
    }
  },

  array: (emitter, { items, at }) => {
    for (const item of items) emitter.node(item)
    emitter.emit(at, (machine) => {
      machine.meter.checkEntries(items.length)
      machine.push(machine.popMany(items.length))
    })
  },

  map: (emitter, { entries, at }) => {
    for (const entry of entries) emitter.node(entry.value)
    emitter.emit(at, (machine) => {
      machine.meter.checkEntries(entries.length)
      const values = machine.popMany(entries.length)
      machine.push(new Map(entries.map((entry, i) => [entry.key, values[i]!])))
    })
  },

  name: (emitter, { name, at }) => {
    const variable = emitter.scope.find(name)
    if (variable !== undefined) emitter.emit(at, (machine) => pushVariable(machine, variable))
    else if (emitter.compilation.functionNames.has(name)) {
      emitter.emit(at, (machine) => machine.push(new FunctionValue(name)))
    } else emitter.emit(at, () => missingVariable(name))
  },

  this: (emitter, { at }) =>
    emitter.emit(at, (machine) => machine.push(machine.ownership.share(loadSelf(machine.frame)))),

  unary: (emitter, { operator, operand, at }) => {
    const operation = UNARY_OPERATORS.get(operator)!
    emitter.node(operand)
    emitter.emit(at, (machine) => machine.push(operation(machine.pop())))
  },

  operators: (emitter, { first, rest }) => {
    emitter.node(first)
    for (const next of rest) compileOperator(emitter, next)
  },

  call: (emitter, node) => {
    if (node.name === 'is_def_var') compileIsDefined(emitter, node)
    else if (node.name === 'is_shared' && node.args[0]?.kind === 'name') compileIsShared(emitter, node.args[0])
    else compileCall(emitter, node)
  },

  closure: (emitter, node) => {
    const scope = new FunctionScope(emitter.scope)
    const parameters = node.parameters.map((name) => scope.declare(name))
    const inner = new Emitter(scope, emitter.compilation)
    inner.node(node.body)
    const { closures } = emitter.compilation
    const id = closures.length
    closures.push(inner.finish(`closure ${id + 1}`, parameters, node.at))
    emitter.emit(node.at, (machine) => {
      const captures = scope.captured.map((variable) => machine.frame.cells[variable.slot]!)
      const closure = { id, parameterCount: parameters.length, captures }
      machine.push(new FunctionValue(`closure ${id + 1}`, closure))
    })
  },
}

function joinTop(machine: Machine): void {
  const tail = machine.pop()
  machine.push(joinTexts(machine.pop(), tail, machine.meter))
}

function pushVariable(machine: Machine, variable: Variable): void {
  machine.push(machine.ownership.share(loadVariable(machine.frame, variable)))
}

function missingVariable(name: string): never {
  throw new ScriptProblem('ErrorVariableNotFound', `variable not found: ${name}`)
}

function compileOperator(emitter: Emitter, { operator, operand, at }: Operators['rest'][number]): void {
  if (operator === '&&' || operator === '||') compileLogical(emitter, { decidedBy: operator === '||', operand, at })
  else if (operator === '??') compileCoalescing(emitter, operand, at)
  else {
    const operation = BINARY_OPERATORS.get(operator)!
    emitter.node(operand)
    emitter.emit(at, (machine) => {
      const right = machine.pop()
      machine.push(operation(machine.pop(), right, machine.meter))
    })
  }
}

/** `&&` is decided by false on its left, `||` by true. */
function compileLogical(emitter: Emitter, node: { decidedBy: boolean; operand: Expression; at: At }): void {
  const end = emitter.label()
  emitter.emit(node.at, (machine) => {
    if (popBool(machine) !== node.decidedBy) return
    machine.push(node.decidedBy)
    machine.jump(end)
  })
  emitter.node(node.operand)
  emitter.emit(node.at, (machine) => machine.push(popBool(machine)))
  emitter.mark(end)
}

function compileCoalescing(emitter: Emitter, operand: Expression, at: At): void {
  const end = emitter.label()
  emitter.emit(at, (machine) => {
    const left = machine.pop()
    if (left === null) return
    machine.push(left)
    machine.jump(end)
  })
  emitter.node(operand)
  emitter.mark(end)
}

/** There is no truthiness (spec 3 §6.3). */
function popBool(machine: Machine): boolean {
  const value = machine.pop()
  if (typeof value === 'boolean') return value
  throw new ScriptProblem('ErrorMismatchDataType', `a bool was expected, not ${typeName(value)}`)
}

/** Takes a bool from the stack and goes to the label when it is false. */
export function jumpUnless(emitter: Emitter, at: At, target: Label): void {
  emitter.emit(at, (machine) => {
    if (!popBool(machine)) machine.jump(target)
  })
}

/** Takes a bool from the stack and goes to the label when it is `wanted`. */
export function jumpIf(emitter: Emitter, at: At, jump: { wanted: boolean; target: Label }): void {
  emitter.emit(at, (machine) => {
    if (popBool(machine) === jump.wanted) machine.jump(jump.target)
  })
}

function compileCall(emitter: Emitter, { name, args, at }: Call): void {
  for (const arg of args) emitter.node(arg)
  emitter.emit(at, (machine) => callFunction(machine, name, machine.popMany(args.length)))
}

/** Which names are visible is known here; only `context` may turn out to be undefined. */
function compileIsDefined(emitter: Emitter, { args, at }: Call): void {
  for (const arg of args) emitter.node(arg)
  const visible = emitter.scope.visible()
  emitter.emit(at, (machine) => {
    const [name, ...others] = machine.popMany(args.length)
    if (typeof name !== 'string' || others.length > 0) {
      throw new ScriptProblem('ErrorMismatchDataType', 'is_def_var takes one string, the name of a variable')
    }
    const variable = visible.get(name)
    machine.push(variable !== undefined && isDefined(machine.frame, variable))
  })
}

export function compileIsShared(emitter: Emitter, { name, at }: Extract<Expression, { kind: 'name' }>): void {
  const variable = emitter.scope.find(name)
  emitter.emit(at, (machine) => machine.push(variable?.isCaptured ?? false))
}
