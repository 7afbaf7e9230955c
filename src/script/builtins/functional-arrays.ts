import { equals } from '../comparison.js'
import { startPosition } from '../text.js'
import type { FunctionValue, Int, Value } from '../value.js'
import { anything, array, callee, type Host, inPlace, int, pure } from './define.js'

/** Functions of arrays that call back with each element (spec 3 §6.5). */
export const FUNCTIONAL_ARRAYS = [
  pure('map', [array, callee], ([items, f], host) => snapshot(items, host).map(caller(f, host))),
  pure('filter', [array, callee], ([items, f], host) => snapshot(items, host).filter(tester(f, host))),
  pure('find', [array, callee], ([items, f], host) => find(items, { f, from: 0 }, host)?.item ?? null),
  pure('find', [array, callee, int], ([items, f, from], host) => find(items, { f, from }, host)?.item ?? null),
  pure('index_of', [array, callee], ([items, f], host) => find(items, { f, from: 0 }, host)?.index ?? -1),
  pure('index_of', [array, callee, int], ([items, f, from], host) => find(items, { f, from }, host)?.index ?? -1),
  pure('find_map', [array, callee], ([items, f], host) => findMap(items, { f, from: 0 }, host)),
  pure('find_map', [array, callee, int], ([items, f, from], host) => findMap(items, { f, from }, host)),
  pure('some', [array, callee], ([items, f], host) => snapshot(items, host).some(tester(f, host))),
  pure('all', [array, callee], ([items, f], host) => snapshot(items, host).every(tester(f, host))),
  pure('reduce', [array, callee], ([items, f], host) => reduce(items, { f, first: null }, host)),
  pure('reduce', [array, callee, anything], ([items, f, first], host) => reduce(items, { f, first }, host)),
  pure('reduce_rev', [array, callee], ([items, f], host) => reduceRight(items, { f, first: null }, host)),
  pure('reduce_rev', [array, callee, anything], ([items, f, first], host) => reduceRight(items, { f, first }, host)),
  pure('zip', [array, array, callee], ([items, others, f], host) => zip(items, { others, f }, host)),

  inPlace('for_each', [array, callee], (args, host) => {
    args[0] = forEach(args[0], args[1], host)
    return null
  }),
  inPlace('drain', [array, callee], (args, host) => {
    const { matching, others } = divide(args[0], args[1], host)
    args[0] = others
    return matching
  }),
  inPlace('retain', [array, callee], (args, host) => {
    const { matching, others } = divide(args[0], args[1], host)
    args[0] = matching
    return others
  }),
  inPlace('dedup', [array], (args, host) => {
    args[0] = withoutRepeats(args[0], (a, b) => equals(a, b, host.meter))
    return null
  }),
  inPlace('dedup', [array, callee], (args, host) => {
    args[0] = withoutRepeats(snapshot(args[0], host), sameness(args[1], host))
    return null
  }),
]

/** The elements before the first callback, which may change the array through a variable it has captured. */
function snapshot(items: readonly Value[], host: Host): Value[] {
  host.meter.spendCopies(items.length)
  return [...items]
}

function caller(f: FunctionValue, host: Host): (item: Value, index: number) => Value {
  return (item, index) => host.invoke({ callee: f, args: [item, index], usual: 1, self: item }).result
}

function tester(f: FunctionValue, host: Host): (item: Value, index: number) => boolean {
  const call = caller(f, host)
  return (item, index) => call(item, index) === true
}

function find(items: readonly Value[], wanted: { f: FunctionValue; from: Int }, host: Host) {
  const start = startPosition(items.length, wanted.from)
  const test = tester(wanted.f, host)
  const all = snapshot(items, host)
  const index = all.findIndex((item, i) => i >= start && test(item, i))
  return index < 0 ? undefined : { index, item: all[index]! }
}

function findMap(items: readonly Value[], wanted: { f: FunctionValue; from: Int }, host: Host): Value {
  const call = caller(wanted.f, host)
  const start = startPosition(items.length, wanted.from)
  for (const [index, item] of snapshot(items, host).entries()) {
    const result = index < start ? null : call(item, index)
    if (result !== null) return result
  }
  return null
}

function folder(f: FunctionValue, host: Host): (total: Value, item: Value, index: number) => Value {
  return (total, item, index) => host.invoke({ callee: f, args: [total, item, index], usual: 2, self: item }).result
}

function reduce(items: readonly Value[], { f, first }: { f: FunctionValue; first: Value }, host: Host): Value {
  return snapshot(items, host).reduce<Value>(folder(f, host), first)
}

function reduceRight(items: readonly Value[], { f, first }: { f: FunctionValue; first: Value }, host: Host): Value {
  return snapshot(items, host).reduceRight<Value>(folder(f, host), first)
}

function zip(items: readonly Value[], { others, f }: { others: readonly Value[]; f: FunctionValue }, host: Host) {
  const seconds = snapshot(others, host)
  const firsts = snapshot(items, host).slice(0, seconds.length)
  return firsts.map((item, i) => host.invoke({ callee: f, args: [item, seconds[i]!, i], usual: 2, self: item }).result)
}

/** `this` is the element and may be changed; a parameter gets the index. */
function forEach(items: readonly Value[], f: FunctionValue, host: Host): Value[] {
  return snapshot(items, host).map((item, i) => host.invoke({ callee: f, args: [i], usual: 0, self: item }).self)
}

function divide(items: readonly Value[], f: FunctionValue, host: Host): { matching: Value[]; others: Value[] } {
  const test = tester(f, host)
  const matching: Value[] = []
  const others: Value[] = []
  for (const [index, item] of snapshot(items, host).entries()) (test(item, index) ? matching : others).push(item)
  return { matching, others }
}

function sameness(f: FunctionValue, host: Host): (a: Value, b: Value) => boolean {
  return (a, b) => host.invoke({ callee: f, args: [a, b], usual: 2, self: a }).result === true
}

function withoutRepeats(items: readonly Value[], isSame: (kept: Value, next: Value) => boolean): Value[] {
  const kept: Value[] = []
  for (const item of items) if (kept.length === 0 || !isSame(kept[kept.length - 1]!, item)) kept.push(item)
  return kept
}
