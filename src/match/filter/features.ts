import { fail, ok, type Result } from '../../errors/index.js'
import { type Condition, conditionsOf, type Filter, SHARD } from './model.js'
import type { FilterCode } from './parse-filter.js'

/** The experimental features that filters depend on, and whether each is on. */
export interface FilterGates {
  readonly containsFilter: boolean
  readonly foreignKeys: boolean
  readonly network: boolean
  readonly multimodal: boolean
}

interface Gate {
  readonly construct: string
  readonly feature: keyof FilterGates
  isFor(condition: Condition): boolean
}

/** In the order in which they are reported (spec 6 §6.8). */
const GATES: readonly Gate[] = [
  { construct: 'Filtering with `CONTAINS`', feature: 'containsFilter', isFor: ({ kind }) => kind === 'contains' },
  { construct: 'Filtering with `_foreign`', feature: 'foreignKeys', isFor: ({ kind }) => kind === 'foreign' },
  {
    construct: 'Filtering by `_shard`',
    feature: 'network',
    isFor: (condition) => 'attribute' in condition && condition.attribute.name === SHARD,
  },
  { construct: 'Filtering by `_vectors`', feature: 'multimodal', isFor: ({ kind }) => kind === 'vectors' },
]

/** Refuses a filter with a construct whose feature is off. Needs no index (spec 6 §1.1, step 5). */
export function checkFilterFeatures(filter: Filter, features: FilterGates): Result<undefined> {
  const conditions = [...withForeign(filter)]
  const closed = GATES.find((gate) => !features[gate.feature] && conditions.some((condition) => gate.isFor(condition)))
  return closed ? fail('feature_not_enabled', closed.construct, closed.feature) : ok(undefined)
}

/** For routes that cannot look into other indexes: delete and edit by filter, export, remotes (spec 4 §6.2). */
export function refuseForeign(filter: Filter, code: FilterCode): Result<undefined> {
  for (const { kind } of conditionsOf(filter)) {
    if (kind === 'foreign')
      return fail(code, '`.filter`: `_foreign` cannot be used here: only searches and listings can.')
  }
  return ok(undefined)
}

function* withForeign(filter: Filter): Generator<Condition> {
  for (const condition of conditionsOf(filter)) {
    yield condition
    if (condition.kind === 'foreign') yield* withForeign(condition.filter)
  }
}
