import { fail, ok, type Result } from '../errors/index.js'
import { shown } from '../json/index.js'
import type { SearchIndex } from '../match/index.js'
import { filterablePatterns } from '../match/index.js'

/** The attribute of which each value comes once, null for none (spec 6 §8). The setting needs no filterable rule. */
export function distinctAttribute(index: SearchIndex, requested: string | null): Result<string | null> {
  if (requested === null) return ok(index.settings.distinctAttribute)
  const role = index.roles.of(requested)
  if (role.isFilterable) return ok(requested)
  const reason =
    role.filterRule === -1 ? available(index) : `rule ${role.filterRule} of \`filterableAttributes\` has no filter on`
  return fail(
    'invalid_search_distinct',
    `\`.distinct\`: the attribute ${shown(requested)} of the index \`${index.uid}\` is not filterable; ${reason}.`,
  )
}

function available({ settings, roles }: SearchIndex): string {
  const patterns = filterablePatterns(settings.filterableAttributes)
  const displayed = patterns.filter((pattern) => roles.of(pattern).isDisplayed)
  const names = [...displayed, ...(displayed.length < patterns.length ? ['<hidden>'] : [])]
  if (names.length === 0) return 'the index has no filterable attributes'
  return `filterable are ${names.map((name) => `\`${name}\``).join(', ')}`
}
