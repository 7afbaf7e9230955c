import { type JsonValue, toDouble } from '../../json/index.js'
import { type TextValue, textValue } from '../columns/column-value.js'
import type { StoredDocument } from '../documents/stored-document.js'
import { isContainer, isEmptyContainer, RESERVED, storedValue, visitValues } from '../documents/visit-values.js'
import type { FieldId } from '../fields/field-registry.js'
import { readGeoPoint } from '../geo/geo-point.js'
import type { FactRules } from './fact-rules.js'
import { FieldValues } from './field-values.js'
import { normalizeStoredFacet } from './normalize-facet.js'

/** What a document has in each field that is there and that has facet data. */
export type DocumentValues = ReadonlyMap<FieldId, FieldValues>

/** Spellings that are remembered with their norm, and how long they may be: most values come again and again. */
const MAX_REMEMBERED = 50_000
const MAX_REMEMBERED_LENGTH = 64

/** Reads what filters, facets, sorts and distinct may ask for (spec 3 §3.3). */
export class ValueReader {
  private readonly remembered = new Map<string, TextValue>()
  private found = new Map<FieldId, FieldValues>()

  constructor(private readonly rules: FactRules) {}

  read(document: StoredDocument): DocumentValues {
    const { registry } = this.rules
    this.found = new Map()
    visitValues(document, registry, this.wants, this.visit)
    this.readContainers(document)
    if (this.rules.isGeoEnabled) this.readPosition(document)
    return this.found
  }

  private readonly wants = (name: string, hasMembers: boolean): boolean => {
    const role = this.rules.roles.of(name)
    return role.hasFacetData || (hasMembers && role.hasPartsBelow)
  }

  private readonly visit = (name: string, value: JsonValue, isInArray: boolean): void => {
    const role = this.rules.roles.of(name)
    if (role.hasFacetData) this.add(this.valuesOf(this.rules.registry.register(name)), value, isInArray)
    // Nested names that are only searched are names of the index too (spec 3 §2.8).
    else if (role.searchableRank !== -1) this.rules.registry.register(name)
  }

  private add(values: FieldValues, value: JsonValue, isInArray: boolean): void {
    const number = toDouble(value)
    if (number !== undefined) values.addNumber(number)
    else if (typeof value === 'boolean') values.addText(this.textOf(String(value)))
    else if (typeof value === 'string' && value !== '') values.addText(this.textOf(value))
    if (isInArray) return
    if (value === null) values.isNull = true
    if (value === '' || (isContainer(value) && isEmptyContainer(value))) values.isEmpty = true
  }

  private textOf(spelling: string): TextValue {
    const known = this.remembered.get(spelling)
    if (known !== undefined) return known
    const text = textValue(normalizeStoredFacet(spelling), spelling)
    if (spelling.length > MAX_REMEMBERED_LENGTH) return text
    if (this.remembered.size >= MAX_REMEMBERED) this.remembered.clear()
    this.remembered.set(spelling, text)
    return text
  }

  /** A top-level object or array is there under its own name too. An empty one was visited as itself already. */
  private readContainers(document: StoredDocument): void {
    const { registry, roles } = this.rules
    for (const { fieldId, value } of document) {
      if (value[0] !== 0x7b && value[0] !== 0x5b) continue
      const name = registry.nameOf(fieldId)
      if (!RESERVED.has(name) && roles.of(name).hasFacetData) this.valuesOf(fieldId)
    }
  }

  private readPosition(document: StoredDocument): void {
    const { registry } = this.rules
    const field = registry.idOf('_geo')
    const stored = field === undefined ? undefined : document.find(({ fieldId }) => fieldId === field)
    const point = stored === undefined ? undefined : readGeoPoint(storedValue(stored.value))
    if (!point?.ok || point.value === null) return
    this.valuesOf(field!)
    this.valuesOf(registry.register('_geo.lat')).addNumber(point.value.lat)
    this.valuesOf(registry.register('_geo.lng')).addNumber(point.value.lng)
  }

  private valuesOf(field: FieldId): FieldValues {
    const known = this.found.get(field)
    if (known !== undefined) return known
    const values = new FieldValues()
    this.found.set(field, values)
    return values
  }
}
