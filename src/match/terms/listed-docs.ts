import type { DocBits } from '../../bitmap/index.js'
import type { DocSource } from '../../postings/index.js'

/** Documents of which there is nothing but a list. */
export class ListedDocs implements DocSource {
  constructor(readonly docIds: Uint32Array) {}

  get count(): number {
    return this.docIds.length
  }

  addTo(docs: DocBits): void {
    docs.addAll(this.docIds)
  }
}
