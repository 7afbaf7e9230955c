import type { DocId, FieldRegistry, StoredDocument } from '../documents/index.js'
import { storedValue } from '../documents/index.js'
import { FailureError, failure } from '../errors/index.js'
import type { ChangeSink } from '../folder/index.js'
import { documentName } from './document-name.js'
import { readGeoPoint } from './geo-point.js'

/** Refuses documents whose `_geo` is not a position; the whole batch fails then (spec 3 §8.1, class B). */
export class GeoCheck implements ChangeSink {
  constructor(
    private readonly registry: FieldRegistry,
    private readonly indexUid: string,
    private readonly primaryKey: string | null,
  ) {}

  change(_docId: DocId, _before: StoredDocument | undefined, after: StoredDocument | undefined): void {
    const field = this.registry.idOf('_geo')
    const stored = field === undefined ? undefined : after?.find(({ fieldId }) => fieldId === field)
    if (stored === undefined) return
    const point = readGeoPoint(storedValue(stored.value))
    if (point.ok) return
    const name = documentName(after!, this.registry, this.primaryKey)
    throw new FailureError(
      failure(
        'invalid_document_geo_field',
        `Index "${this.indexUid}": the \`_geo\` field of document ${name} is wrong: ${point.reason}.`,
      ),
    )
  }

  finish(): void {}
}
