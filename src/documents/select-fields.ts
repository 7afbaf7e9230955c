import { isObject, type JsonObject, type JsonValue, print } from '../json/index.js'
import type { FieldRegistry } from './fields/field-registry.js'
import { type StoredDocument, storedJson, textOf } from './stored-document.js'

/** Which attributes of a document are shown; `all`, or names and dotted paths (spec 3 §4.1). */
export type FieldSelection = 'all' | readonly string[]

/** The selected members of a document as JSON text. */
export function selectedJson(document: StoredDocument, registry: FieldRegistry, selection: FieldSelection): string {
  const members: string[] = []
  for (const { fieldId, value } of document) {
    const name = registry.nameOf(fieldId)
    const shown = selection === 'all' ? textOf(value) : selectedText(name, textOf(value), selection)
    if (shown !== undefined) members.push(`${JSON.stringify(name)}:${shown}`)
  }
  return `{${members.join(',')}}`
}

function selectedText(name: string, text: string, selection: readonly string[]): string | undefined {
  const isNamed = selection.includes(name)
  if (isNamed && !name.includes('.')) return text
  const inner = below(name, selection)
  if (inner.length === 0) return isNamed ? text : undefined
  const reduced = reduceValue(storedJson(text), inner)
  return reduced === undefined ? undefined : print(reduced)
}

const below = (name: string, selection: readonly string[]): string[] =>
  selection.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1))

/** What is left of a value that is only partly selected; undefined when it holds nothing that can be. */
function reduceValue(value: JsonValue, selection: readonly string[]): JsonValue | undefined {
  if (isObject(value)) return reduceObject(value, selection)
  return Array.isArray(value) ? reduceArray(value, selection) : undefined
}

function reduceObject(object: JsonObject, selection: readonly string[]): JsonObject {
  const kept: JsonObject = new Map()
  for (const [name, value] of object) {
    const isNamed = selection.includes(name)
    const inner = isNamed && !name.includes('.') ? [] : below(name, selection)
    const reduced = inner.length === 0 ? (isNamed ? value : undefined) : reduceValue(value, inner)
    if (reduced !== undefined) kept.set(name, reduced)
  }
  return kept
}

/** Objects of which nothing is left and scalars are dropped; inner arrays stay, even when empty. */
function reduceArray(items: readonly JsonValue[], selection: readonly string[]): JsonValue[] {
  const kept: JsonValue[] = []
  for (const item of items) {
    const reduced = reduceValue(item, selection)
    if (reduced !== undefined && !(isObject(reduced) && reduced.size === 0)) kept.push(reduced)
  }
  return kept
}
