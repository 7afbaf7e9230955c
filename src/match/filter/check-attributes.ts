import { fail, ok, type Result } from '../../errors/index.js'
import { shown } from '../../json/index.js'
import { filterablePatterns } from './filterable-rules.js'
import { type Attribute, conditionsOf, type Filter, SHARD } from './model.js'
import type { FilterCode } from './parse-filter.js'
import type { FilterTarget } from './target.js'

/**
 * Refuses a filter with an attribute that is not filterable. The whole expression is looked at before anything is
 * evaluated, and the last such attribute is named (spec 6 §6.4).
 */
export function checkAttributes(filter: Filter, target: FilterTarget, code: FilterCode): Result<undefined> {
  let offender: Attribute | undefined
  for (const condition of conditionsOf(filter)) {
    if ('attribute' in condition && isRefused(condition.attribute, target)) offender = condition.attribute
  }
  return offender ? fail(code, notFilterable(offender, target)) : ok(undefined)
}

function isRefused({ name }: Attribute, { roles }: FilterTarget): boolean {
  return name !== SHARD && !roles.of(name).isFilterable
}

function notFilterable({ name, columns }: Attribute, { indexUid, settings }: FilterTarget): string {
  const patterns = filterablePatterns(settings.filterableAttributes)
  const available =
    patterns.length === 0
      ? 'the index has no filterable attributes'
      : `filterable are ${patterns.map((pattern) => `\`${pattern}\``).join(', ')}`
  return `Index \`${indexUid}\`: the attribute ${shown(name)} (columns ${columns.start}:${columns.end} of the filter) is not filterable; ${available}.`
}
