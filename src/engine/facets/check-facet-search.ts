import { sortedUnique } from '../../byte-order/index.js'
import { fail, ok, type Result } from '../../errors/index.js'
import { shown } from '../../json/index.js'
import type { FilterableRule } from '../../settings/index.js'
import type { FacetIndex } from './model.js'

/** Fails when the index has facet search switched off; to be asked before anything is searched (spec 6 §7.4). */
export function checkFacetSearchEnabled({ uid, settings }: Pick<FacetIndex, 'uid' | 'settings'>): Result<undefined> {
  if (settings.facetSearch) return ok(undefined)
  return fail('facet_search_disabled', `The index \`${uid}\` has \`facetSearch\` switched off in its settings.`)
}

/** Fails unless the rule that decides about the attribute allows facet search. */
export function checkFacetName(index: Pick<FacetIndex, 'uid' | 'settings' | 'roles'>, name: string): Result<undefined> {
  const { filter, filterRule } = index.roles.of(name)
  if (filter?.facetSearch) return ok(undefined)
  const reason =
    filterRule === -1
      ? available(index.settings.filterableAttributes)
      : `rule ${filterRule} of \`filterableAttributes\` has \`features.facetSearch\` off`
  return fail(
    'invalid_facet_search_facet_name',
    `\`.facetName\`: the attribute ${shown(name)} of the index \`${index.uid}\` is not facet-searchable; ${reason}.`,
  )
}

function available(rules: readonly FilterableRule[]): string {
  const patterns = sortedUnique(
    rules.flatMap((rule) => {
      if (rule.kind === 'name') return [rule.name]
      return rule.features.facetSearch ? rule.patterns : []
    }),
  )
  if (patterns.length === 0) return 'the index has no facet-searchable attributes'
  return `facet-searchable are ${patterns.map((pattern) => `\`${pattern}\``).join(', ')}`
}
