import { FailureError, failure } from '../../errors/index.js'

/** The number of an attribute inside one index. */
export type FieldId = number & { readonly __unit: 'fieldId' }

/** Nested and reserved names included (spec 3 §2.8). */
export const MAX_FIELDS = 65_536

/**
 * The attribute names of an index, numbered in order of appearance. Names never leave while the index lives, so
 * documents store numbers, and are shown with their top-level keys in this order.
 */
export class FieldRegistry {
  private readonly ids = new Map<string, FieldId>()
  private readonly names: string[]
  private readonly storedCount: number

  constructor(names: readonly string[] = []) {
    this.names = [...names]
    this.storedCount = names.length
    for (const [id, name] of names.entries()) this.ids.set(name, id as FieldId)
  }

  idOf(name: string): FieldId | undefined {
    return this.ids.get(name)
  }

  nameOf(id: FieldId): string {
    const name = this.names[id]
    if (name === undefined) throw new Error(`field ${id} is not registered`)
    return name
  }

  /** The number of `name`, given now if it has none. Throws when the index is full. */
  register(name: string): FieldId {
    const known = this.ids.get(name)
    if (known !== undefined) return known
    if (this.names.length >= MAX_FIELDS) throw new FailureError(tooManyFields())
    const id = this.names.length as FieldId
    this.names.push(name)
    this.ids.set(name, id)
    return id
  }

  /** Whether names were added since they were read from the store. */
  get hasGrown(): boolean {
    return this.names.length > this.storedCount
  }

  all(): readonly string[] {
    return this.names
  }
}

export const tooManyFields = () =>
  failure('max_fields_limit_exceeded', `An index holds at most ${MAX_FIELDS} attribute names, nested ones included.`)
