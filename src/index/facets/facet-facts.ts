import { type JsonValue, toDouble } from '../../json/index.js'
import type { StoredDocument } from '../documents/stored-document.js'
import { isContainer, isEmptyContainer, RESERVED, storedValue, visitValues } from '../documents/visit-values.js'
import type { FieldRegistry } from '../fields/field-registry.js'
import { readGeoPoint } from '../geo/geo-point.js'
import { type FieldRoles, isGeoEnabled, type Settings } from '../settings/index.js'
import { type FactKey, markKey, NUMBER_SHIFTS, numberKey, sortableNumber, stringKey } from './facet-key.js'
import { normalizeStoredFacet } from './normalize-facet.js'

/** What is needed to say which facts a document has. */
export interface FactRules {
  readonly registry: FieldRegistry
  readonly roles: FieldRoles
  readonly isGeoEnabled: boolean
}

export function factRules(registry: FieldRegistry, roles: FieldRoles, settings: Settings): FactRules {
  return { registry, roles, isGeoEnabled: isGeoEnabled(settings) }
}

/** Every fact of a document that filters, sorts and distinct may ask for (spec 3 §3.3). */
export function factsOf(document: StoredDocument, rules: FactRules): Set<FactKey> {
  const facts = new Set<FactKey>()
  const { registry, roles } = rules
  const wants = (name: string, hasMembers: boolean): boolean => {
    const role = roles.of(name)
    return role.hasFacetData || (hasMembers && role.hasPartsBelow)
  }
  const visit = (name: string, value: JsonValue, isInArray: boolean): void => {
    const role = roles.of(name)
    if (role.hasFacetData) record({ facts, rules, name }, value, isInArray)
    // Nested names that are only searched are names of the index too (spec 3 §2.8).
    else if (role.searchableRank !== -1) registry.register(name)
  }
  visitValues(document, registry, wants, visit)
  recordContainers(document, rules, facts)
  if (rules.isGeoEnabled) recordPosition(document, rules, facts)
  return facts
}

/** A top-level object or array is there under its own name too. An empty one was visited as itself already. */
function recordContainers(document: StoredDocument, { registry, roles }: FactRules, facts: Set<FactKey>): void {
  for (const { fieldId, value } of document) {
    const isOpened = value[0] === 0x7b || value[0] === 0x5b
    const name = registry.nameOf(fieldId)
    if (isOpened && !RESERVED.has(name) && roles.of(name).hasFacetData) facts.add(markKey(fieldId, 'exists'))
  }
}

interface Record {
  readonly facts: Set<FactKey>
  readonly rules: FactRules
  readonly name: string
}

function record({ facts, rules, name }: Record, value: JsonValue, isInArray: boolean): void {
  const field = rules.registry.register(name)
  facts.add(markKey(field, 'exists'))
  const number = toDouble(value)
  if (number !== undefined) for (const key of numberKeys(rules, name, number)) facts.add(key)
  else if (typeof value === 'boolean') facts.add(stringKey(field, String(value)))
  else if (typeof value === 'string' && value !== '') facts.add(stringKey(field, normalizeStoredFacet(value)))
  if (isInArray) return
  if (value === null) facts.add(markKey(field, 'isNull'))
  if (value === '' || (isContainer(value) && isEmptyContainer(value))) facts.add(markKey(field, 'isEmpty'))
}

function numberKeys({ registry }: FactRules, name: string, number: number): FactKey[] {
  const field = registry.register(name)
  const sortable = sortableNumber(number)
  return NUMBER_SHIFTS.map((shift) => numberKey(field, sortable, shift))
}

function recordPosition(document: StoredDocument, rules: FactRules, facts: Set<FactKey>): void {
  const field = rules.registry.idOf('_geo')
  const stored = field === undefined ? undefined : document.find(({ fieldId }) => fieldId === field)
  const point = stored === undefined ? undefined : readGeoPoint(storedValue(stored.value))
  if (point === undefined || !point.ok || point.value === null) return
  facts.add(markKey(field!, 'exists'))
  for (const [name, degrees] of [
    ['_geo.lat', point.value.lat],
    ['_geo.lng', point.value.lng],
  ] as const) {
    facts.add(markKey(rules.registry.register(name), 'exists'))
    for (const key of numberKeys(rules, name, degrees)) facts.add(key)
  }
}
