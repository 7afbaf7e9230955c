import type { FieldId, FieldRegistry } from './fields/field-registry.js'
import { inSentOrder, type StoredDocument, type StoredField } from './stored-document.js'

/**
 * Says in which order the fields of documents are visited. `{"a": {"b": 1}, "a.b": 2}` has the field `a.b` twice, and its
 * first value is the one that was sent first (spec 3 §3.1). Only documents like that keep the order in which they were
 * sent: in all others no field has values of two attributes.
 */
export class SentOrder {
  /** By number of a field: the names that its own is below. */
  private readonly above: (readonly string[] | undefined)[] = []

  constructor(private readonly registry: FieldRegistry) {}

  /** `sentNames` is absent where nobody sent the document: it keeps the order of the one before. */
  apply(document: StoredDocument, before: StoredDocument | undefined, sentNames?: readonly string[]): StoredDocument {
    if (!this.hasRelatives(document)) return document
    const left = new Map(document.map((field) => [field.fieldId, field]))
    const sent =
      sentNames?.map((name) => this.registry.idOf(name)) ?? before?.asSent?.map(({ fieldId }) => fieldId) ?? []
    const fields: StoredField[] = []
    for (const fieldId of sent) {
      const field = left.get(fieldId as FieldId)
      if (field !== undefined) fields.push(field)
      left.delete(fieldId as FieldId)
    }
    fields.push(...left.values())
    return isAscending(fields) ? document : inSentOrder(fields)
  }

  /** Whether there is a key with a dot beside another one that it is below. */
  private hasRelatives(document: StoredDocument): boolean {
    let names: Set<string> | undefined
    for (const { fieldId } of document) {
      const above = (this.above[fieldId] ??= namesAbove(this.registry.nameOf(fieldId)))
      if (above.length === 0) continue
      names ??= new Set(document.map((field) => this.registry.nameOf(field.fieldId)))
      for (const name of above) if (names.has(name)) return true
    }
    return false
  }
}

/** `a` and `a.b` for `a.b.c`. */
function namesAbove(name: string): readonly string[] {
  const names: string[] = []
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) names.push(name.slice(0, dot))
  return names
}

function isAscending(fields: readonly StoredField[]): boolean {
  return fields.every(({ fieldId }, i) => i === 0 || fields[i - 1]!.fieldId < fieldId)
}
