import type { StoredDocument } from '../documents/index.js'
import type { SearchIndex } from '../match/index.js'
import { VectorsPrinter } from '../vectors/index.js'

/** Prints `_vectors` of hits (spec 6 §2.2). */
export class VectorPrinter {
  private constructor(private readonly printer: VectorsPrinter) {}

  /** Null where `displayedAttributes` hides them. */
  static prepare({ settings, fields, folder }: SearchIndex): VectorPrinter | null {
    const { displayedAttributes } = settings
    const isShown = displayedAttributes === '*' || displayedAttributes.includes('_vectors')
    return isShown ? new VectorPrinter(new VectorsPrinter(folder, fields)) : null
  }

  print(docId: number, document: StoredDocument): string {
    return this.printer.print(docId, document)
  }
}
