import { compareBytes } from '../../byte-order/index.js'
import { FailureError, failure } from '../../errors/index.js'

/** The number of an attribute inside one index. */
export type FieldId = number & { readonly __unit: 'fieldId' }

/** Nested and reserved names included (spec 3 §2.8). */
export const MAX_FIELDS = 65_536

/**
 * The attribute names of an index, numbered in order of appearance. Names never leave while the index lives, so
 * documents store numbers, and are shown with their top-level keys in this order.
 *
 * A nested name is numbered when it is first met, but known only when a document of a finished batch has it: a document
 * that is replaced or deleted within the same batch leaves no name (spec 3 §2.8). Numbers of unknown names stay theirs.
 */
export class FieldRegistry {
  private readonly ids = new Map<string, FieldId>()
  private readonly names: string[]
  private readonly unknown: Set<FieldId>
  private isChanged = false
  private sorted: readonly string[] | undefined

  /** `unknown` are the numbers of those names that are not known. */
  constructor(names: readonly string[] = [], unknown: readonly number[] = []) {
    this.names = [...names]
    this.unknown = new Set(unknown as readonly FieldId[])
    for (const [id, name] of names.entries()) this.ids.set(name, id as FieldId)
  }

  /** Of a known name. */
  idOf(name: string): FieldId | undefined {
    const id = this.ids.get(name)
    return id === undefined || this.isKnown(id) ? id : undefined
  }

  nameOf(id: FieldId): string {
    const name = this.names[id]
    if (name === undefined) throw new Error(`field ${id} is not registered`)
    return name
  }

  /** The number of `name`, which is known from now on. Throws when the index is full. */
  register(name: string): FieldId {
    const id = this.number(name)
    this.know(id)
    return id
  }

  /** The number of `name`, given now if it has none: it is not known by that. Throws when the index is full. */
  number(name: string): FieldId {
    const numbered = this.ids.get(name)
    if (numbered !== undefined) return numbered
    if (this.names.length >= MAX_FIELDS) throw new FailureError(tooManyFields())
    const id = this.names.length as FieldId
    this.names.push(name)
    this.ids.set(name, id)
    this.unknown.add(id)
    this.isChanged = true
    this.sorted = undefined
    return id
  }

  know(id: FieldId): void {
    if (!this.unknown.delete(id)) return
    this.isChanged = true
    this.sorted = undefined
  }

  isKnown(id: FieldId): boolean {
    return this.unknown.size === 0 || !this.unknown.has(id)
  }

  /** Whether names were added, or became known, since they were read from the store. */
  get hasGrown(): boolean {
    return this.isChanged
  }

  /** All names by their numbers, known or not. */
  all(): readonly string[] {
    return this.names
  }

  known(): readonly string[] {
    return this.unknown.size === 0 ? this.names : this.names.filter((_, id) => !this.unknown.has(id as FieldId))
  }

  /** The known names in byte order. */
  inByteOrder(): readonly string[] {
    this.sorted ??= [...this.known()].sort(compareBytes)
    return this.sorted
  }

  get hasUnknown(): boolean {
    return this.unknown.size > 0
  }

  unknownIds(): readonly FieldId[] {
    return [...this.unknown]
  }
}

export const tooManyFields = () =>
  failure('max_fields_limit_exceeded', `An index holds at most ${MAX_FIELDS} attribute names, nested ones included.`)
