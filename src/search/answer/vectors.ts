import { type FieldId, fieldOf, type StoredDocument, textOf } from '../../index/index.js'
import type { SearchIndex } from '../search-index.js'

/** Prints `_vectors` of hits (spec 6 §2.2). So far these are the ones that documents came with. */
export class VectorPrinter {
  private constructor(private readonly vectors: FieldId | undefined) {}

  /** Null where `displayedAttributes` hides them. */
  static prepare({ settings, fields }: SearchIndex): VectorPrinter | null {
    const { displayedAttributes } = settings
    const isShown = displayedAttributes === '*' || displayedAttributes.includes('_vectors')
    return isShown ? new VectorPrinter(fields.idOf('_vectors')) : null
  }

  print(document: StoredDocument): string {
    const stored = this.vectors === undefined ? undefined : fieldOf(document, this.vectors)
    return stored === undefined ? '{}' : textOf(stored)
  }
}
