import { findProperty } from '../builtins/table.js'
import { type ProblemKind, ScriptProblem } from '../problem.js'
import { characterCount, cut, indexPosition, rangePortion, replaceCharacter } from '../text.js'
import { Char, type Int, isInt, isMap, Range, typeName, type Value } from '../value.js'
import type { Machine } from './model.js'

/** `holder.name` */
export function readProperty(machine: Machine, holder: Value, name: string): Value {
  if (isMap(holder)) return holder.get(name) ?? null
  const property = findProperty(name, holder)
  if (property === undefined) throw noProperty(holder, name)
  if (typeof holder === 'string') machine.meter.spendText(holder.length)
  return property.run([holder], machine)
}

/** `holder[key]` */
export function readElement(machine: Machine, holder: Value, key: Value): Value {
  if (isMap(holder) && typeof key === 'string') {
    machine.meter.spendText(key.length)
    return holder.get(key) ?? null
  }
  if (Array.isArray(holder) && isInt(key)) return holder[elementPosition(holder, key)]!
  if (typeof holder !== 'string') throw wrongIndex(holder, key)
  machine.meter.spendText(holder.length)
  return readText(holder, key)
}

function readText(text: string, key: Value): Value {
  if (key instanceof Range) return cut(text, rangePortion(characterCount(text), key))
  if (!isInt(key)) throw wrongIndex(text, key)
  const position = characterPosition(text, key)
  return new Char(cut(text, { from: position, to: position + 1 }))
}

/** The string with one character replaced. */
export function withCharacter(text: string, key: Value, value: Value): string {
  if (!isInt(key)) throw wrongIndex(text, key)
  if (!(value instanceof Char)) {
    throw problem('ErrorMismatchDataType', `a character of a string was given ${typeName(value)} instead of char`)
  }
  return replaceCharacter(text, characterPosition(text, key), value.text)
}

/** The position an index means in an array. Out of range is an error. */
export function elementPosition(holder: readonly Value[], index: Int): number {
  return indexPosition(holder.length, index) ?? outOfBounds(`an array of ${holder.length} elements`, index)
}

function characterPosition(text: string, index: Int): number {
  const count = characterCount(text)
  return indexPosition(count, index) ?? outOfBounds(`a string of ${count} characters`, index)
}

function outOfBounds(holder: string, index: Int): never {
  throw problem('ErrorIndexOutOfBounds', `index ${index} is out of bounds of ${holder}`)
}

export function wrongIndex(holder: Value, key: Value): ScriptProblem {
  return problem('ErrorIndexingType', `${typeName(holder)} cannot be indexed with ${typeName(key)}`)
}

export function noProperty(holder: Value, name: string): ScriptProblem {
  return problem('ErrorPropertyNotFound', `${typeName(holder)} has no property ${JSON.stringify(name)}`)
}

function problem(kind: ProblemKind, message: string): ScriptProblem {
  return new ScriptProblem(kind, message)
}
