import type { DocId, FieldRegistry, StoredDocument } from '../../documents/index.js'
import type { ChangeSink } from '../../folder/index.js'
import { type NameNode, NestedNames } from './nested-names.js'

/**
 * Makes the nested names of documents known, whatever the settings make of them (spec 3 §2.8). Names that nobody knew
 * when the batch began are counted, and become known when some document still has them at its end.
 */
export class NameSink implements ChangeSink {
  private readonly names: NestedNames

  constructor(private readonly registry: FieldRegistry) {
    this.names = new NestedNames(registry)
  }

  change(_docId: DocId, before: StoredDocument | undefined, after: StoredDocument | undefined): void {
    if (after !== undefined) this.names.of(after, gain)
    // All names of documents from before this batch are known: what is counted for them is of no use, and does no harm.
    if (before !== undefined && this.registry.hasUnknown) this.names.of(before, lose)
  }

  finish(): void {
    for (const { fieldId, count } of this.names.nodes) if (count > 0) this.registry.know(fieldId)
  }
}

function gain(name: NameNode): void {
  name.count++
}

function lose(name: NameNode): void {
  name.count--
}
