import { compare } from '../comparison.js'
import { notFound } from '../operators.js'
import { ScriptProblem } from '../problem.js'
import { type FunctionValue, isInt, KIND, kindOf, typeName, type Value } from '../value.js'
import { array, callee, type Host, inPlace, pure } from './define.js'

/** `sort` changes the array, `order` gives a sorted copy; both are stable (spec 3 §6.5). */
export const SORTING = [
  inPlace('sort', [array], (args, host) => put(args, sorted(args[0], host))),
  inPlace('sort_desc', [array], (args, host) => put(args, sortedDown(args[0], host))),
  inPlace('sort', [array, callee], (args, host) => put(args, sortedBy(args[0], args[1], host))),
  inPlace('sort_by', [array, callee], (args, host) => put(args, sortedBy(args[0], args[1], host))),
  pure('order', [array], ([items], host) => sorted(items, host)),
  pure('order_desc', [array], ([items], host) => sortedDown(items, host)),
  pure('order', [array, callee], ([items, f], host) => sortedBy(items, f, host)),
  pure('order_by', [array, callee], ([items, f], host) => sortedBy(items, f, host)),
]

const ORDERED_KINDS = KIND.bool | KIND.int | KIND.float | KIND.string | KIND.char

function put(args: [Value[], ...Value[]], items: Value[]): null {
  args[0] = items
  return null
}

function sorted(items: readonly Value[], host: Host): Value[] {
  checkKinds(items)
  return items.toSorted((a, b) => order(a, b, host))
}

function sortedDown(items: readonly Value[], host: Host): Value[] {
  checkKinds(items)
  return items.toSorted((a, b) => order(b, a, host))
}

/** All elements must be of one comparable type. */
function checkKinds(items: readonly Value[]): void {
  const [first = null] = items
  const kind = kindOf(first)
  const other = items.find((item) => kindOf(item) !== kind)
  if (other !== undefined) {
    const types = `${typeName(first)} and ${typeName(other)}`
    throw new ScriptProblem('ErrorMismatchDataType', `only elements of one type can be sorted, not ${types}`)
  }
  if (items.length > 0 && (kind & ORDERED_KINDS) === 0) throw notFound('<', [first, first])
}

function order(a: Value, b: Value, host: Host): number {
  host.meter.spend(1)
  // NaN has no order: it stays where it is.
  return compare(a, b, host.meter) || 0
}

function sortedBy(items: readonly Value[], f: FunctionValue, host: Host): Value[] {
  return items.toSorted((a, b) => {
    const result = comparison(f, [a, b], host)
    // "Not before" may mean equal, and then the two must not be swapped.
    if (result === false) return comparison(f, [b, a], host) === true ? 1 : 0
    return result === true ? -1 : Number(result)
  })
}

/** An int below, equal to or above zero, or whether the first goes before the second. */
function comparison(f: FunctionValue, args: readonly [Value, Value], host: Host): boolean | number | bigint {
  const { result } = host.invoke({ callee: f, args, usual: 2, self: args[0] })
  if (typeof result === 'boolean' || isInt(result)) return result
  throw new ScriptProblem('ErrorMismatchDataType', `a sort function returned ${typeName(result)}, not i64 or bool`)
}
