import { applyBuiltin, callBuiltin, findBuiltin } from '../builtins/table.js'
import { notFound } from '../operators.js'
import { functionKey } from '../syntax/parse.js'
import { FunctionValue, isContainer, isMap, type Value } from '../value.js'
import type { Binding, Machine } from './model.js'
import type { Place } from './place.js'

const UNBOUND: Binding = { self: undefined, isConstant: false, home: undefined }

/** `name(args)` (spec 3 §6.5.3). */
export function callFunction(machine: Machine, name: string, args: Value[]): void {
  const code = machine.script.functions.get(functionKey(name, args.length))
  const [first, ...others] = args
  if (code !== undefined) machine.enterCode(code, args, UNBOUND)
  else if (name === 'call' && first instanceof FunctionValue) machine.enter(first, others, UNBOUND)
  else if (name === 'curry' && first instanceof FunctionValue) machine.push(curried(first, others))
  else machine.push(machine.ownership.share(callBuiltin(machine, name, args)))
}

/** A method call: its name, its arguments, and the value before the dot with where it is. */
export interface MethodCall {
  readonly name: string
  readonly args: readonly Value[]
  readonly receiver: Value
  readonly place: Place
}

/** `receiver.name(args)`. */
export function callMethod(machine: Machine, call: MethodCall): void {
  const { name, args, receiver } = call
  const member = isMap(receiver) ? receiver.get(name) : undefined
  const code = machine.script.functions.get(functionKey(name, args.length))
  if (member instanceof FunctionValue) machine.enter(member, args, bind(call))
  else if (code !== undefined) machine.enterCode(code, args, bind(call))
  else if (name === 'call') callValue(machine, call)
  else if (name === 'curry' && receiver instanceof FunctionValue) machine.push(curried(receiver, args))
  else callBuiltinMethod(machine, call)
}

/** `this` becomes the receiver, and its changes are kept (spec 3 §6.4). */
function bind({ receiver, place }: MethodCall): Binding {
  const { isConstant } = place
  return { self: receiver, isConstant, home: isConstant ? undefined : place }
}

/** `f.call(args)`, or `value.call(f, args)`, which binds `this`. */
function callValue(machine: Machine, call: MethodCall): void {
  const { receiver, args } = call
  const [first, ...others] = args
  if (receiver instanceof FunctionValue) machine.enter(receiver, args, UNBOUND)
  else if (first instanceof FunctionValue) machine.enter(first, others, bind(call))
  else throw notFound('call', [receiver, ...args])
}

function curried(callee: FunctionValue, args: readonly Value[]): FunctionValue {
  return new FunctionValue(callee.name, callee.closure, [...callee.curried, ...args])
}

function callBuiltinMethod(machine: Machine, { name, args, receiver, place }: MethodCall): void {
  const all = [receiver, ...args]
  const builtin = findBuiltin(name, all)
  if (builtin === undefined) throw notFound(name, all)
  if (builtin.isInPlace) {
    place.refuseConstant()
    all[0] = place.own()
  }
  const [target] = all
  const result = applyBuiltin(machine, builtin, all)
  if (all[0] !== target) place.write(all[0]!)
  // Entries of the receiver may now be in the result too.
  if (!builtin.isInPlace && isContainer(result)) machine.ownership.share(receiver)
  machine.push(machine.ownership.share(result))
}
