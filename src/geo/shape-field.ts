import type { DocId, FieldRegistry, StoredDocument } from '../documents/index.js'
import { storedValue } from '../documents/index.js'
import { FailureError, failure } from '../errors/index.js'
import type { ChangeSink } from '../folder/index.js'
import { documentName } from './document-name.js'
import { readGeoJson } from './geo-json.js'
import type { Shape } from './shape.js'

/** Finds and reads the `_geojson` of documents. */
export class ShapeField {
  constructor(
    private readonly registry: FieldRegistry,
    private readonly indexUid: string,
    private readonly primaryKey: string | null,
  ) {}

  /** Undefined when the document has none. Throws `FailureError` when it is no GeoJSON (spec 3 §8.2). */
  read(document: StoredDocument): Shape | undefined {
    const value = this.valueOf(document)
    if (value === undefined) return undefined
    const shape = readGeoJson(storedValue(value))
    if (shape.ok) return shape.value
    const name = documentName(document, this.registry, this.primaryKey)
    throw new FailureError(
      failure(
        'invalid_document_geo_field',
        `Index "${this.indexUid}": the \`_geojson\` field of document ${name} is wrong: ${shape.reason}.`,
      ),
    )
  }

  /** Whether both have one, with the same text. */
  isSame(before: StoredDocument | undefined, after: StoredDocument | undefined): boolean {
    const [old, now] = [before && this.valueOf(before), after && this.valueOf(after)]
    return old !== undefined && now !== undefined && Buffer.compare(old, now) === 0
  }

  private valueOf(document: StoredDocument): Uint8Array | undefined {
    const field = this.registry.idOf('_geojson')
    return field === undefined ? undefined : document.find(({ fieldId }) => fieldId === field)?.value
  }
}

/** For patterns that match `_geojson`: they keep no shapes, but wrong ones are told when they come in (spec 3 §8.2). */
export class ShapeCheck implements ChangeSink {
  constructor(private readonly field: ShapeField) {}

  change(_docId: DocId, _before: StoredDocument | undefined, after: StoredDocument | undefined): void {
    if (after !== undefined) this.field.read(after)
  }

  finish(): void {}
}
