import type { FieldId } from '../documents/index.js'
import { type StoredDocument, storedJson, textOf } from '../documents/index.js'
import { FailureError, failure } from '../errors/index.js'
import { isObject, type JsonObject, print } from '../json/index.js'
import { MAX_VECTORS } from './vector-bytes.js'

/** What a document says about one embedder (spec 7 §1.13). */
export type VectorDirective =
  | { readonly kind: 'vectors'; readonly vectors: readonly Float32Array[]; readonly regenerate: boolean }
  | { readonly kind: 'flag'; readonly regenerate: boolean }

export interface Arrival {
  readonly indexUid: string
  readonly documentId: string
  /** Of the embedder, undefined for a name that is none: its numbers are not looked at. */
  dimensionsOf(embedder: string): number | undefined
}

export interface Divided {
  /** By name of the embedder. */
  readonly given: ReadonlyMap<string, VectorDirective>
  /** The value that stays in the document, undefined when nothing does. */
  readonly kept: Uint8Array | undefined
}

/** Divides `_vectors` of a document into what embedders get and what stays. Throws `FailureError` on wrong shapes. */
export function divideVectors(value: Uint8Array, arrival: Arrival): Divided {
  const text = textOf(value)
  // It was checked when it came in. Numbers lose nothing here that 32-bit floats could hold.
  const parsed: unknown = JSON.parse(text)
  const reader = new EntryReader(arrival)
  if (!isPlainObject(parsed)) throw reader.wrong('', 'an object of embedders', parsed)
  const given = new Map<string, VectorDirective>()
  const others: string[] = []
  for (const [name, entry] of Object.entries(parsed)) {
    const read = reader.read(name, entry)
    if (arrival.dimensionsOf(name) === undefined) others.push(name)
    else given.set(name, read)
  }
  const isUnchanged = given.size === 0 && others.every((name) => parsed[name] !== null)
  if (isUnchanged) return { given, kept: value }
  return { given, kept: others.length === 0 ? undefined : keptOf(text, given) }
}

/** Names that belong to no embedder stay as they were sent; null stands for an empty list. */
function keptOf(text: string, given: ReadonlyMap<string, VectorDirective>): Uint8Array {
  const kept: JsonObject = new Map()
  for (const [name, entry] of storedJson(text) as JsonObject) if (!given.has(name)) kept.set(name, entry ?? [])
  return Buffer.from(print(kept))
}

class EntryReader {
  constructor(private readonly arrival: Arrival) {}

  read(name: string, entry: unknown): VectorDirective {
    const path = `.${name}`
    if (entry === null) return { kind: 'vectors', vectors: [], regenerate: false }
    if (Array.isArray(entry)) return { kind: 'vectors', vectors: this.vectors(name, path, entry), regenerate: false }
    if (!isPlainObject(entry)) throw this.wrong(path, 'an array, an object or null', entry)
    const { regenerate, embeddings = null, ...unknown } = entry
    const [strange] = Object.keys(unknown)
    if (strange !== undefined) throw this.wrong(`${path}.${strange}`, 'only `regenerate` and `embeddings`', strange)
    if (regenerate === undefined) throw this.wrong(`${path}.regenerate`, 'a boolean', 'nothing')
    if (typeof regenerate !== 'boolean') throw this.wrong(`${path}.regenerate`, 'a boolean', regenerate)
    if (embeddings === null) return { kind: 'flag', regenerate }
    if (!Array.isArray(embeddings)) throw this.wrong(`${path}.embeddings`, 'an array or null', embeddings)
    return { kind: 'vectors', vectors: this.vectors(name, `${path}.embeddings`, embeddings), regenerate }
  }

  /** The first item decides whether this is one vector or a list of them. */
  private vectors(name: string, path: string, items: readonly unknown[]): Float32Array[] {
    const dimensions = this.arrival.dimensionsOf(name)
    if (dimensions === undefined || items.length === 0) return []
    const isList = Array.isArray(items[0])
    const lists: readonly unknown[] = isList ? items : [items]
    const placeOf = (i: number): string => (isList ? `${path}[${i}]` : path)
    const vectors = lists.slice(0, MAX_VECTORS).map((list, i) => {
      if (!Array.isArray(list)) throw this.wrong(placeOf(i), 'an array of numbers', list)
      return this.vector(placeOf(i), list)
    })
    for (const [i, { length: found }] of vectors.entries()) {
      if (found !== dimensions) throw this.wrongSize(name, { where: placeOf(i), found, dimensions })
    }
    return vectors
  }

  private vector(path: string, items: readonly unknown[]): Float32Array {
    const vector = new Float32Array(items.length)
    for (let i = 0; i < items.length; i++) {
      const item = items[i]
      if (typeof item !== 'number') throw this.wrong(`${path}[${i}]`, 'a number', item)
      vector[i] = item
      if (!Number.isFinite(vector[i])) throw this.wrong(`${path}[${i}]`, 'a number that 32 bits can hold', item)
    }
    return vector
  }

  wrong(path: string, expected: string, found: unknown): FailureError {
    return new FailureError(
      failure('invalid_vectors_type', `${this.place(path)}: ${expected} was expected, ${shown(found)} was found.`),
    )
  }

  private wrongSize(name: string, size: { where: string; found: number; dimensions: number }): FailureError {
    const { where, found, dimensions } = size
    const expected = `the embedder \`${name}\` has vectors of ${dimensions} numbers`
    return new FailureError(
      failure('invalid_vector_dimensions', `${this.place(where)}: ${expected}, this one has ${found}.`),
    )
  }

  private place(path: string): string {
    const { indexUid, documentId } = this.arrival
    return `Index \`${indexUid}\`, document ${JSON.stringify(documentId)}, \`._vectors${path}\``
  }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const SHOWN = 60

function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`
}

/**
 * For merges: entries of `_vectors` replace those of the same embedder, the others stay (spec 3 §8.3). Answers `later`
 * itself where there is nothing to merge.
 */
export function mergeVectors(earlier: StoredDocument, later: StoredDocument, vectors: FieldId): StoredDocument {
  const old = earlier.find(({ fieldId }) => fieldId === vectors)
  const now = later.find(({ fieldId }) => fieldId === vectors)
  if (old === undefined || now === undefined) return later
  const [before, after] = [storedJson(textOf(old.value)), storedJson(textOf(now.value))]
  if (!isObject(before) || !isObject(after)) return later
  const value = Buffer.from(print(new Map([...before, ...after])))
  return later.map((field) => (field.fieldId === vectors ? { fieldId: vectors, value } : field))
}
