import { Float, type JsonObject, type JsonValue } from '../json/index.js'
import { MAX_I64 } from './integer.js'
import { CHARACTERS_PER_OPERATION, type Meter } from './meter.js'
import { LimitProblem, ScriptProblem } from './problem.js'
import { sortedKeys } from './text.js'
import { Char, type ScriptMap, typeName, type Value } from './value.js'

/**
 * JSON as a script sees it: the same value, because `Value` holds all of JSON, but with unsigned integers beyond 63
 * bits as floats (spec 3 §6.1). Nothing is copied unless it holds such a number.
 */
export function fromJson(json: JsonValue): Value {
  if (typeof json === 'bigint') return json > MAX_I64 ? new Float(Number(json)) : json
  if (Array.isArray(json)) return changedArray(json) ?? json
  return json instanceof Map ? (changedMap(json) ?? json) : json
}

function changedArray(json: readonly JsonValue[]): Value[] | undefined {
  let changed: Value[] | undefined
  for (const [i, item] of json.entries()) {
    const value = fromJson(item)
    if (value !== item) (changed ??= [...json])[i] = value
  }
  return changed
}

function changedMap(json: JsonObject): ScriptMap | undefined {
  let changed: ScriptMap | undefined
  for (const [key, item] of json) {
    const value = fromJson(item)
    if (value !== item) (changed ??= new Map<string, Value>(json)).set(key, value)
  }
  return changed
}

/** Arrays and maps inside each other that a document can hold, itself included (spec 3 §2.9). */
const MAX_JSON_DEPTH = 128

// An array or map takes several times the memory of an entry.
const CONTAINER_COST = 4

/** A script's value as JSON (spec 3 §6.1), maps sorted by the bytes of their keys. */
export function toJson(value: Value, meter: Meter, depth = 0): JsonValue {
  meter.spend(1)
  if (typeof value === 'string') return chargedText(value, meter)
  if (value === null || typeof value !== 'object') return value
  if (value instanceof Float) return Number.isFinite(value.value) ? value : null
  if (value instanceof Char) return value.text
  meter.spend(CONTAINER_COST)
  if (depth >= MAX_JSON_DEPTH) throw new LimitProblem(`a value is nested deeper than ${MAX_JSON_DEPTH} levels`)
  if (Array.isArray(value)) return value.map((item) => toJson(item, meter, depth + 1))
  if (value instanceof Map) return mapToJson(value, meter, depth)
  throw new ScriptProblem('ErrorRuntime', `JSON cannot hold a value of type ${typeName(value)}`)
}

function chargedText(text: string, meter: Meter): string {
  meter.spendText(text.length)
  return text
}

function mapToJson(value: ScriptMap, meter: Meter, depth: number): JsonObject {
  const object: JsonObject = new Map()
  for (const key of sortedKeys(value)) object.set(chargedText(key, meter), toJson(value.get(key)!, meter, depth + 1))
  return object
}

/** What `toJson` spends on a value that is JSON already. */
export function costOf(json: JsonValue): number {
  if (typeof json === 'string') return 1 + textCost(json)
  let cost = typeof json === 'object' && json !== null && !(json instanceof Float) ? 1 + CONTAINER_COST : 1
  if (Array.isArray(json)) for (const item of json) cost += costOf(item)
  if (json instanceof Map) for (const [key, item] of json) cost += textCost(key) + costOf(item)
  return cost
}

function textCost(text: string): number {
  return Math.trunc(text.length / CHARACTERS_PER_OPERATION)
}

/** Whether a script's value is the stored one: the same types, so `1` is not `1.0`, but keys in any order. */
export function equalsJson(value: Value, json: JsonValue): boolean {
  if (value === json) return true
  if (value instanceof Float) return json instanceof Float && value.value === json.value
  if (Array.isArray(value)) return Array.isArray(json) && equalArrays(value, json)
  return value instanceof Map && json instanceof Map && equalMaps(value, json)
}

function equalArrays(value: readonly Value[], json: readonly JsonValue[]): boolean {
  return value.length === json.length && value.every((item, i) => equalsJson(item, json[i]!))
}

function equalMaps(value: ScriptMap, json: JsonObject): boolean {
  if (value.size !== json.size) return false
  for (const [key, item] of value) {
    const other = json.get(key)
    if (other === undefined || !equalsJson(item, other)) return false
  }
  return true
}
