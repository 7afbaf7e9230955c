import type { FieldId, FieldRegistry, StoredDocument } from '../documents/index.js'
import type { TextSelection } from './document-words.js'
import { isStale, type WordRules } from './word-rules.js'

const EVERYTHING: TextSelection = { hasRoot: () => true, hasField: () => true, hasFields: true }

/**
 * Which texts of a document have to be looked at: top-level fields whose stored bytes differ, and fields for which the
 * rules differ. All others have the words they had, at the same positions.
 */
export class ChangedText {
  private readonly hasStaleFields: boolean
  private readonly stale: (boolean | undefined)[] = []
  private readonly dotted: (boolean | undefined)[] = []
  private readonly registry: FieldRegistry

  constructor(
    private readonly before: WordRules,
    private readonly after: WordRules,
  ) {
    this.hasStaleFields = before !== after
    this.registry = after.registry
  }

  of(before: StoredDocument | undefined, after: StoredDocument | undefined): TextSelection {
    if (before === undefined || after === undefined) return EVERYTHING
    // Rare, and the values of a field may change positions.
    if (before.asSent !== after.asSent) return EVERYTHING
    const roots = before === after ? new Set<FieldId>() : this.changedRoots(before, after)
    return {
      hasRoot: (fieldId) => roots.has(fieldId),
      hasField: (fieldId) => this.isStale(fieldId),
      hasFields: this.hasStaleFields,
    }
  }

  private isStale(fieldId: FieldId): boolean {
    return (this.stale[fieldId] ??= isStale(this.before, this.after, fieldId))
  }

  private changedRoots(before: StoredDocument, after: StoredDocument): Set<FieldId> {
    const changed = new Set<FieldId>()
    let hasDots = false
    let i = 0
    let j = 0
    while (i < before.length || j < after.length) {
      const old = before[i]
      const now = after[j]
      const left = old?.fieldId ?? Number.POSITIVE_INFINITY
      const right = now?.fieldId ?? Number.POSITIVE_INFINITY
      const fieldId = Math.min(left, right) as FieldId
      if (left !== right || Buffer.compare(old!.value, now!.value) !== 0) changed.add(fieldId)
      hasDots ||= this.isDotted(fieldId)
      if (left <= right) i++
      if (right <= left) j++
    }
    if (hasDots && changed.size > 0) this.addRelatives(changed, [...before, ...after])
    return changed
  }

  /** `{"a": {"b": 1}, "a.b": 2}` has the field `a.b` twice: when one of its values changes, both are read again. */
  private addRelatives(changed: Set<FieldId>, fields: StoredDocument): void {
    const rootOf = (fieldId: FieldId) => this.registry.nameOf(fieldId).split('.', 1)[0]
    const roots = new Set(Array.from(changed, rootOf))
    for (const { fieldId } of fields) if (roots.has(rootOf(fieldId))) changed.add(fieldId)
  }

  private isDotted(fieldId: FieldId): boolean {
    return (this.dotted[fieldId] ??= this.registry.nameOf(fieldId).includes('.'))
  }
}
