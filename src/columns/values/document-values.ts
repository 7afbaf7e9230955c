import type { FieldId, StoredDocument, StoredField } from '../../documents/index.js'
import { isContainer, isEmptyContainer, PlainItems, RESERVED, storedValue, visitValues } from '../../documents/index.js'
import { readGeoPoint } from '../../geo/index.js'
import { type JsonValue, toDouble } from '../../json/index.js'
import type { FieldRole } from '../../settings/index.js'
import { type ColumnValue, type TextValue, textValue } from '../column-value.js'
import type { FactRules } from './fact-rules.js'
import { FieldValues } from './field-values.js'
import { KnownScalars } from './known-scalars.js'
import { normalizeStoredFacet } from './normalize-facet.js'

/** What a document has in each field that is there and that has facet data. */
export type DocumentValues = ReadonlyMap<FieldId, FieldValues>

/** A field of which nothing is read. */
const UNREAD = { hasFacetData: false, hasFacetDataBelow: false } as const

/** Reads what filters, facets, sorts and distinct may ask for (spec 3 §3.3). */
export class ValueReader {
  private readonly plain = new PlainItems()
  private readonly known = new KnownScalars(meaningOf)
  private readonly roles: Pick<FieldRole, 'hasFacetData' | 'hasFacetDataBelow'>[] = []
  private found = new Map<FieldId, FieldValues>()

  constructor(private readonly rules: FactRules) {}

  read(document: StoredDocument): DocumentValues {
    this.found = new Map()
    for (const field of document) {
      const { hasFacetData, hasFacetDataBelow } = (this.roles[field.fieldId] ??= this.roleOf(field.fieldId))
      const isPlain = hasFacetData && !isEmptyString(field.value) && this.plain.find(field.value)
      if (isPlain) this.readPlain(field)
      else if (hasFacetData || (hasFacetDataBelow && isStructure(field.value))) this.readAny(field)
    }
    if (this.rules.isGeoEnabled) this.readPosition(document)
    return this.found
  }

  private roleOf(fieldId: FieldId): Pick<FieldRole, 'hasFacetData' | 'hasFacetDataBelow'> {
    const name = this.rules.registry.nameOf(fieldId)
    return RESERVED.has(name) ? UNREAD : this.rules.roles.of(name)
  }

  private readPlain({ fieldId, value }: StoredField): void {
    const { starts, ends, count } = this.plain
    const values = this.valuesOf(fieldId)
    for (let i = 0; i < count; i++) {
      // Empty strings in arrays are no values.
      if (!isEmptyString(value, starts[i]!, ends[i]!)) values.add(this.known.of(value, starts[i]!, ends[i]!))
    }
  }

  private readAny(field: StoredField): void {
    visitValues([field], this.rules.registry, this.wants, this.visit)
    this.readContainer(field)
  }

  private readonly wants = (name: string, hasMembers: boolean): boolean => {
    const role = this.rules.roles.of(name)
    return role.hasFacetData || (hasMembers && role.hasFacetDataBelow)
  }

  private readonly visit = (name: string, value: JsonValue, isInArray: boolean): void => {
    const role = this.rules.roles.of(name)
    if (role.hasFacetData) this.add(this.valuesOf(this.rules.registry.number(name)), value, isInArray)
  }

  private add(values: FieldValues, value: JsonValue, isInArray: boolean): void {
    const number = toDouble(value)
    if (number !== undefined) values.addNumber(number)
    else if (typeof value === 'boolean') values.addText(textOf(String(value)))
    else if (typeof value === 'string' && value !== '') values.addText(textOf(value))
    if (isInArray) return
    if (value === null) values.isNull = true
    if (value === '' || (isContainer(value) && isEmptyContainer(value))) values.isEmpty = true
  }

  /** A top-level object or array is there under its own name too. An empty one was visited as itself already. */
  private readContainer({ fieldId, value }: StoredField): void {
    if (isStructure(value) && this.roles[fieldId]!.hasFacetData) this.valuesOf(fieldId)
  }

  private readPosition(document: StoredDocument): void {
    const { registry } = this.rules
    const field = registry.idOf('_geo')
    const stored = field === undefined ? undefined : document.find(({ fieldId }) => fieldId === field)
    const point = stored === undefined ? undefined : readGeoPoint(storedValue(stored.value))
    if (!point?.ok || point.value === null) return
    this.valuesOf(field!)
    this.valuesOf(registry.number('_geo.lat')).addNumber(point.value.lat)
    this.valuesOf(registry.number('_geo.lng')).addNumber(point.value.lng)
  }

  private valuesOf(field: FieldId): FieldValues {
    const known = this.found.get(field)
    if (known !== undefined) return known
    const values = new FieldValues()
    this.found.set(field, values)
    return values
  }
}

function textOf(spelling: string): TextValue {
  return textValue(normalizeStoredFacet(spelling), spelling)
}

/** Stored as an object or an array. */
function isStructure(value: Uint8Array): boolean {
  return value[0] === 0x7b || value[0] === 0x5b
}

function isEmptyString(value: Uint8Array, start = 0, end = value.length): boolean {
  return end - start === 2 && value[start] === 0x22
}

/** Of the JSON text of a number or of a string that is not empty. */
function meaningOf(json: Uint8Array): ColumnValue {
  const value = storedValue(json)
  // Adding zero makes one of both zeros.
  return typeof value === 'string' ? textOf(value) : toDouble(value)! + 0
}
