import { isObject, type JsonObject, type JsonValue } from '../json/index.js'
import type { FieldRegistry } from './fields/field-registry.js'
import { type StoredDocument, storedJson, textOf } from './stored-document.js'

/** Top-level names that have their own meaning and are not walked into (spec 3 §3.1). */
export const RESERVED: ReadonlySet<string> = new Set(['_geo', '_geojson', '_vectors'])

/** Is told of every value of a document. Empty objects and arrays come as themselves. */
export type VisitValue = (field: string, value: JsonValue, isInArray: boolean) => void

/**
 * Whether a top-level value is wanted; sparing it saves reading its text. `hasMembers`: there is an object in it, so there
 * are names below its own.
 */
export type WantsValue = (name: string, hasMembers: boolean) => boolean

/**
 * Flattens a document: objects add `.key` to the path, arrays add nothing (spec 3 §3.1). A member of an object is
 * visited itself, whatever it is, before its parts are.
 */
export function visitValues(
  document: StoredDocument,
  registry: FieldRegistry,
  wants: WantsValue,
  visit: VisitValue,
): void {
  for (const { fieldId, value } of document) {
    const name = registry.nameOf(fieldId)
    if (RESERVED.has(name) || !wants(name, hasMembers(value))) continue
    const parsed = storedValue(value)
    if (isContainer(parsed)) descend(name, parsed, { visit, isInArray: false })
    else visit(name, parsed, false)
  }
}

/** An opening brace in a string is taken for one, which costs a look and nothing else. */
const hasMembers = (value: Uint8Array): boolean => (value[0] === 0x7b || value[0] === 0x5b) && value.includes(0x7b)

export function storedValue(value: Uint8Array): JsonValue {
  return storedJson(textOf(value))
}

interface Walk {
  readonly visit: VisitValue
  readonly isInArray: boolean
}

function descend(name: string, value: JsonValue, walk: Walk): void {
  if (isObject(value)) visitMembers(name, value, walk)
  else if (Array.isArray(value)) visitItems(name, value, walk)
}

function visitMembers(name: string, object: JsonObject, { visit, isInArray }: Walk): void {
  if (object.size === 0) visit(name, object, isInArray)
  for (const [key, member] of object) {
    const path = `${name}.${key}`
    visit(path, member, false)
    if (isContainer(member) && !isEmptyContainer(member)) descend(path, member, { visit, isInArray: false })
  }
}

function visitItems(name: string, items: JsonValue[], { visit, isInArray }: Walk): void {
  if (items.length === 0) visit(name, items, isInArray)
  for (const item of items) {
    if (isContainer(item)) descend(name, item, { visit, isInArray: true })
    else visit(name, item, true)
  }
}

export const isContainer = (value: JsonValue): boolean => isObject(value) || Array.isArray(value)

export const isEmptyContainer = (value: JsonValue): boolean =>
  (isObject(value) && value.size === 0) || (Array.isArray(value) && value.length === 0)
