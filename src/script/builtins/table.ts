import { notFound } from '../operators.js'
import { isContainer, kindOf, type Value } from '../value.js'
import { ARRAYS } from './arrays.js'
import { ARRAYS_IN_PLACE } from './arrays-in-place.js'
import { CONVERSION } from './conversion.js'
import { accepts, type Builtin, type Host } from './define.js'
import { FUNCTIONAL_ARRAYS } from './functional-arrays.js'
import { MAPS } from './maps.js'
import { NUMBERS } from './numbers.js'
import { RUNTIME } from './runtime.js'
import { SORTING } from './sorting.js'
import { STRINGS } from './strings.js'
import { STRINGS_IN_PLACE } from './strings-in-place.js'

// The only functions of ours that a script can reach.
const BUILTINS = byName([
  ...STRINGS,
  ...STRINGS_IN_PLACE,
  ...ARRAYS,
  ...ARRAYS_IN_PLACE,
  ...FUNCTIONAL_ARRAYS,
  ...SORTING,
  ...MAPS,
  ...NUMBERS,
  ...CONVERSION,
  ...RUNTIME,
])

function byName(builtins: readonly Builtin[]): ReadonlyMap<string, readonly Builtin[]> {
  const groups = new Map<string, Builtin[]>()
  for (const builtin of builtins) groups.set(builtin.name, [...(groups.get(builtin.name) ?? []), builtin])
  return groups
}

export function hasBuiltin(name: string): boolean {
  return BUILTINS.has(name)
}

export function findBuiltin(name: string, args: readonly Value[]): Builtin | undefined {
  return BUILTINS.get(name)?.find((builtin) => accepts(builtin, args))
}

/** The built-in that may be written as a property of this value. */
export function findProperty(name: string, value: Value): Builtin | undefined {
  const kind = kindOf(value)
  return BUILTINS.get(name)?.find((builtin) => builtin.isProperty && (builtin.kinds[0]! & kind) !== 0)
}

/** Finds the built-in for these arguments and calls it. It may change `args[0]`. */
export function callBuiltin(host: Host, name: string, args: Value[]): Value {
  const builtin = findBuiltin(name, args)
  if (builtin === undefined) throw notFound(name, args)
  return applyBuiltin(host, builtin, args)
}

/** Calls a built-in, paying for the text it reads and makes. It may change `args[0]`. */
export function applyBuiltin(host: Host, builtin: Builtin, args: Value[]): Value {
  for (const arg of args) if (typeof arg === 'string') host.meter.spendText(arg.length)
  if (builtin.isInPlace) args[0] = host.own(args[0]!)
  const result = builtin.run(args, host)
  if (typeof result === 'string') host.meter.spendText(result.length)
  if (isContainer(result)) host.meter.checkEntries(Array.isArray(result) ? result.length : result.size)
  return result
}
