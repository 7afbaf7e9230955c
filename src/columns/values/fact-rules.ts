import type { FieldRegistry } from '../../documents/index.js'
import { type FieldRoles, isGeoEnabled, type Settings } from '../../settings/index.js'

/** What is needed to say which facts a document has. */
export interface FactRules {
  readonly registry: FieldRegistry
  readonly roles: FieldRoles
  readonly isGeoEnabled: boolean
}

export function factRules(registry: FieldRegistry, roles: FieldRoles, settings: Settings): FactRules {
  return { registry, roles, isGeoEnabled: isGeoEnabled(settings) }
}
