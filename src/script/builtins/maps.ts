import { print } from '../../json/index.js'
import { toJson } from '../json-values.js'
import { sortedKeys } from '../text.js'
import type { FunctionValue, ScriptMap, Value } from '../value.js'
import { anything, callee, type Host, inPlace, map, pure, string } from './define.js'

/** Functions of maps (spec 3 §6.5). None is a property: a property of a map is one of its keys. */
export const MAPS = [
  pure('len', [map], ([entries]) => entries.size),
  pure('is_empty', [map], ([entries]) => entries.size === 0),
  pure('contains', [map, string], ([entries, key]) => entries.has(key)),
  pure('get', [map, string], ([entries, key]) => entries.get(key) ?? null),
  pure('keys', [map], ([entries], host) => keysOf(entries, host)),
  pure('values', [map], ([entries], host) => keysOf(entries, host).map((key) => entries.get(key)!)),
  pure('to_json', [map], ([entries], host) => print(toJson(entries, host.meter))),

  inPlace('set', [map, string, anything], ([entries, key, value], host) => {
    if (!entries.has(key)) host.meter.checkEntries(entries.size + 1)
    entries.set(key, value)
    return null
  }),
  inPlace('clear', [map], ([entries]) => {
    entries.clear()
    return null
  }),
  inPlace('remove', [map, string], ([entries, key]) => {
    const removed = entries.get(key) ?? null
    entries.delete(key)
    return removed
  }),
  inPlace('mixin', [map, map], ([entries, added], host) => addEntries(entries, added, host)),
  inPlace('fill_with', [map, map], ([entries, added], host) => {
    const missing = [...added].filter(([key]) => !entries.has(key))
    return addEntries(entries, new Map(missing), host)
  }),

  pure('map', [map, callee], ([entries, f], host) => mapValues(entries, f, host)),
  pure('filter', [map, callee], ([entries, f], host) => divide(entries, f, host).matching),
  inPlace('drain', [map, callee], (args, host) => {
    const { matching, others } = divide(args[0], args[1], host)
    args[0] = others
    return matching
  }),
  inPlace('retain', [map, callee], (args, host) => {
    const { matching, others } = divide(args[0], args[1], host)
    args[0] = matching
    return others
  }),
]

function keysOf(entries: ScriptMap, host: Host): string[] {
  host.meter.spend(entries.size)
  return sortedKeys(entries)
}

/** Puts the entries of one map into another. They stay in their own. */
function addEntries(entries: ScriptMap, added: ScriptMap, host: Host): null {
  host.meter.spendCopies(added.size)
  for (const [key, value] of added) {
    host.share(value)
    entries.set(key, value)
  }
  host.meter.checkEntries(entries.size)
  return null
}

/** Entries in the order of their keys, as they are before the first callback. */
function snapshot(entries: ScriptMap, host: Host): [key: string, value: Value][] {
  return keysOf(entries, host).map((key) => [key, entries.get(key)!])
}

function caller(f: FunctionValue, host: Host): (key: string, value: Value) => Value {
  return (key, value) => host.invoke({ callee: f, args: [key, value], usual: 2, self: value }).result
}

function mapValues(entries: ScriptMap, f: FunctionValue, host: Host): ScriptMap {
  const call = caller(f, host)
  return new Map(snapshot(entries, host).map(([key, value]) => [key, call(key, value)]))
}

function divide(entries: ScriptMap, f: FunctionValue, host: Host): { matching: ScriptMap; others: ScriptMap } {
  const call = caller(f, host)
  const matching: ScriptMap = new Map()
  const others: ScriptMap = new Map()
  for (const [key, value] of snapshot(entries, host)) (call(key, value) === true ? matching : others).set(key, value)
  return { matching, others }
}
