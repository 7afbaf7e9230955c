import { sortedUnique } from '../../byte-order/index.js'
import { fail, ok, type Result } from '../../errors/index.js'
import { shown } from '../../json/index.js'
import { filterablePatterns } from '../../match/index.js'
import { type FacetOrder, matchesName } from '../../settings/index.js'
import type { FacetIndex } from './model.js'

/** A field whose values are to be counted, and the order in which they are shown. */
export interface SelectedField {
  readonly attribute: string
  readonly order: FacetOrder
}

/** The entry that stands for all of them. */
export const ALL = '*'

/**
 * The fields that the entries of `facets` stand for, in byte order: known ones that may be filtered by and are an entry
 * or below one (spec 6 §7.1). Fails when an entry is no filterable attribute.
 */
export function selectFields(index: FacetIndex, entries: readonly string[]): Result<SelectedField[]> {
  const isAll = entries.includes(ALL)
  const refused = isAll ? [] : sortedUnique(entries).filter((entry) => !index.roles.of(entry).isFilterable)
  if (refused.length > 0) return fail('invalid_search_facets', refusal(index, refused))
  const isSelected = (name: string) => isAll || entries.some((entry) => matchesName(entry, name))
  const names = filterableFields(index).filter(isSelected)
  const { sortFacetValuesBy } = index.settings.faceting
  const general = sortFacetValuesBy.get(ALL) ?? 'alpha'
  // An order of its own counts only for a field that is named itself.
  const orderOf = (name: string) =>
    (!isAll && entries.includes(name) ? sortFacetValuesBy.get(name) : undefined) ?? general
  return ok(names.map((attribute) => ({ attribute, order: orderOf(attribute) })))
}

const FILTERABLE = Symbol('filterable fields')

/** In byte order, found once for each version of the index. */
function filterableFields(index: FacetIndex): readonly string[] {
  return index.derive(FILTERABLE, () => index.fields.inByteOrder().filter((name) => index.roles.of(name).isFilterable))
}

function refusal({ uid, roles, settings }: FacetIndex, refused: readonly string[]): string {
  const rule = refused.length === 1 ? roles.of(refused[0]!).filterRule : -1
  const patterns = filterablePatterns(settings.filterableAttributes).map((pattern) => `\`${pattern}\``)
  const available =
    patterns.length === 0 ? 'the index has no filterable attributes' : `filterable are ${patterns.join(', ')}`
  const reason = rule === -1 ? available : `rule ${rule} of \`filterableAttributes\` has no filter on`
  const names = refused.map(shown).join(', ')
  return `\`.facets\`: the index \`${uid}\` has no facet ${names}: not filterable; ${reason}.`
}
