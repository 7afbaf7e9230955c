import type { DenseDocSet } from '../../bitmap/index.js'
import type { DocIdSource } from '../../postings/index.js'

/** Documents of which there is nothing but a list. */
export class ListedDocIds implements DocIdSource {
  constructor(readonly docIds: Uint32Array) {}

  get count(): number {
    return this.docIds.length
  }

  addTo(docs: DenseDocSet): void {
    docs.addAll(this.docIds)
  }
}
