import type { FieldId, FieldRegistry } from '../../documents/index.js'
import { type StoredDocument, storedJson, textOf } from '../../documents/index.js'
import { isObject } from '../../json/index.js'

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

const COORDINATES = ['lat', 'lng']

/** A name, and those below it that were met so far. */
export interface NameNode {
  readonly path: string
  readonly fieldId: FieldId
  /** The key as it is stored, quotes included. */
  readonly keyBytes: Uint8Array
  readonly children: Map<string, NameNode>
  /** The child met first the last time, and the one after this: documents mostly have their keys in the same order. */
  firstChild: NameNode | undefined
  next: NameNode | undefined
  /** For whoever asked: see `NameSink`. */
  count: number
}

export type VisitName = (name: NameNode) => void

/**
 * Finds the nested names of documents: objects add `.key` to the path, arrays add nothing (spec 3 §3.1). Stored values
 * are canonical JSON, so their bytes are walked as they are; a name that was met before costs a comparison of its key.
 */
export class NestedNames {
  private readonly roots: (NameNode | null | undefined)[] = []
  /** Of the objects and arrays around the current place. */
  private readonly around: NameNode[] = []
  /** Every name that was met. */
  readonly nodes: NameNode[] = []
  private hasPositions = false

  constructor(private readonly registry: FieldRegistry) {}

  /** Tells `visit` each nested name of the document, as often as it is there, and numbers those without a number. */
  of(document: StoredDocument, visit: VisitName): void {
    for (const { fieldId, value } of document) {
      if (!hasMembers(value)) continue
      const root = (this.roots[fieldId] ??= this.rootOf(fieldId))
      if (root === null) continue
      if (root.path === '_geo') this.visitCoordinates(value, root, visit)
      else this.walk(value, root, visit)
    }
  }

  /** Null for values that are not walked into. */
  private rootOf(fieldId: FieldId): NameNode | null {
    const name = this.registry.nameOf(fieldId)
    return name === '_geojson' || name === '_vectors' ? null : newNode(name, fieldId, new Uint8Array(0))
  }

  /** Nothing else in `_geo` has a name. */
  private visitCoordinates(value: Uint8Array, root: NameNode, visit: VisitName): void {
    if (this.isPositionKnown()) return
    const position = storedJson(textOf(value))
    if (!isObject(position)) return
    for (const key of COORDINATES) if (position.has(key)) visit(this.findChild(root, Buffer.from(`"${key}"`)))
  }

  private isPositionKnown(): boolean {
    this.hasPositions ||= COORDINATES.every((key) => this.registry.idOf(`_geo.${key}`) !== undefined)
    return this.hasPositions
  }

  private walk(value: Uint8Array, root: NameNode, visit: VisitName): void {
    const { around } = this
    around.length = 0
    let previous: NameNode | undefined
    // Whose value comes next. Items of an array have the name of the array.
    let owner = root
    for (let at = 0; at < value.length; at++) {
      switch (value[at]) {
        case OPEN_OBJECT:
        case OPEN_ARRAY:
          around.push(owner)
          previous = undefined
          break
        case CLOSE_OBJECT:
        case CLOSE_ARRAY:
          previous = around.pop()
          break
        case COMMA:
          owner = around[around.length - 1]!
          break
        case QUOTE: {
          const end = endOfString(value, at)
          if (value[end] === COLON) {
            const parent = around[around.length - 1]!
            const expected = previous === undefined ? parent.firstChild : previous.next
            owner = isKeyOf(expected, value, at, end)
              ? expected
              : this.follow(parent, previous, value.subarray(at, end))
            previous = owner
            visit(owner)
          }
          at = end - 1
        }
      }
    }
  }

  /** Finds a child and remembers that it came now. */
  private follow(parent: NameNode, previous: NameNode | undefined, keyBytes: Uint8Array): NameNode {
    const child = this.findChild(parent, keyBytes)
    if (previous === undefined) parent.firstChild = child
    else previous.next = child
    return child
  }

  private findChild(parent: NameNode, keyBytes: Uint8Array): NameNode {
    const key = JSON.parse(Buffer.from(keyBytes).toString('utf8')) as string
    const known = parent.children.get(key)
    if (known !== undefined) return known
    const path = `${parent.path}.${key}`
    const made = newNode(path, this.registry.number(path), Uint8Array.from(keyBytes))
    parent.children.set(key, made)
    this.nodes.push(made)
    return made
  }
}

/** An opening brace in a string is taken for one, which costs a look and nothing else. */
const hasMembers = (value: Uint8Array): boolean =>
  value[0] === OPEN_OBJECT || (value[0] === OPEN_ARRAY && value.includes(OPEN_OBJECT))

function newNode(path: string, fieldId: FieldId, keyBytes: Uint8Array): NameNode {
  return { path, fieldId, keyBytes, children: new Map(), firstChild: undefined, next: undefined, count: 0 }
}

/** Behind the closing quote. */
function endOfString(value: Uint8Array, start: number): number {
  for (let at = start + 1; at < value.length; at++) {
    if (value[at] === BACKSLASH) at++
    else if (value[at] === QUOTE) return at + 1
  }
  return value.length
}

function isKeyOf(name: NameNode | undefined, value: Uint8Array, start: number, end: number): name is NameNode {
  if (name === undefined) return false
  const { keyBytes } = name
  if (keyBytes.length !== end - start) return false
  for (let i = 0; i < keyBytes.length; i++) if (keyBytes[i] !== value[start + i]) return false
  return true
}
