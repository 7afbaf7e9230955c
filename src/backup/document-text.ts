import { type DocId, documentJson } from '../documents/index.js'
import type { IndexFolder } from '../folder/index.js'
import { VectorsPrinter } from '../vectors/index.js'

/** Prints documents of an index as they leave the server: all attributes, and all that is known of their vectors. */
export class DocumentText {
  private readonly registry
  private readonly vectors
  private readonly printer

  constructor(private readonly folder: IndexFolder) {
    this.registry = folder.readFields()
    this.vectors = this.registry.idOf('_vectors')
    this.printer = new VectorsPrinter(folder, this.registry)
  }

  /** JSON text. */
  of(docId: DocId): string {
    const document = this.folder.document(docId)!
    const vectors = this.printer.printKept(docId, document)
    const text = documentJson(
      this.vectors === undefined ? document : document.filter(({ fieldId }) => fieldId !== this.vectors),
      this.registry,
    )
    return vectors === undefined ? text : `${text.slice(0, -1)}${text === '{}' ? '' : ','}"_vectors":${vectors}}`
  }
}
