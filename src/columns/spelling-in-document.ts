import type { FieldId, FieldRegistry, StoredDocument } from '../documents/index.js'
import { visitValues } from '../documents/index.js'
import { normalizeStoredFacet } from './values/normalize-facet.js'

interface WantedSpelling {
  readonly registry: FieldRegistry
  readonly field: FieldId
  readonly norm: string
}

/** The last spelling in a document of a normalized string; undefined when it has none. */
export function spellingIn(document: StoredDocument, { registry, field, norm }: WantedSpelling): string | undefined {
  const wanted = registry.nameOf(field)
  let found: string | undefined
  const wants = (name: string): boolean => wanted === name || wanted.startsWith(`${name}.`)
  visitValues(document, registry, wants, (name, value) => {
    if (name === wanted && typeof value === 'string' && normalizeStoredFacet(value) === norm) found = value
  })
  return found
}
