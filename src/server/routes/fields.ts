import { fail } from '../../errors/index.js'
import { readSettings } from '../../folder/index.js'
import {
  compileFieldRoles,
  type FacetOrder,
  type FieldRole,
  matchesName,
  matchesPattern,
  type Settings,
} from '../../settings/index.js'
import { arrayOf, bool, nullable, object, optional, text, uint } from '../../shape/index.js'
import { json } from '../answers/answer.js'
import { jsonBody, route } from '../http/route.js'

const flag = nullable(bool)

const filter = object({
  attributePatterns: optional(nullable(arrayOf(text)), 'invalid_index_fields_filter_attribute_patterns'),
  displayed: optional(flag, 'invalid_index_fields_filter_displayed'),
  searchable: optional(flag, 'invalid_index_fields_filter_searchable'),
  sortable: optional(flag, 'invalid_index_fields_filter_sortable'),
  distinct: optional(flag, 'invalid_index_fields_filter_distinct'),
  rankingRule: optional(flag, 'invalid_index_fields_filter_ranking_rule'),
  filterable: optional(flag, 'invalid_index_fields_filter_filterable'),
})

const CRITERIA = ['displayed', 'searchable', 'sortable', 'distinct', 'rankingRule', 'filterable'] as const

type FieldCriteria = { readonly attributePatterns?: readonly string[] | null } & {
  readonly [Criterion in (typeof CRITERIA)[number]]?: boolean | null
}

interface Switch {
  readonly enabled: boolean
}

/** A field as the answer shows it (spec 3 §1.6). */
interface FieldView {
  readonly name: string
  readonly displayed: Switch
  readonly searchable: Switch
  readonly sortable: Switch
  readonly distinct: Switch
  readonly rankingRule: Switch & { readonly order?: 'asc' | 'desc' }
  readonly filterable: Switch & {
    readonly sortBy: FacetOrder
    readonly facetSearch: boolean
    readonly equality: boolean
    readonly comparison: boolean
  }
  readonly localized: { readonly locales: readonly string[] }
}

export const routes = [
  route({
    method: 'POST',
    path: '/indexes/{index_uid}/fields',
    action: 'fields.post',
    // A malformed uid is one that no index has (spec 3 §1.3).
    checksIndexUid: false,
    body: jsonBody(
      object({
        offset: optional(uint, 'invalid_index_offset'),
        limit: optional(uint, 'invalid_index_limit'),
        filter: optional(nullable(filter), 'invalid_index_fields_filter'),
      }),
    ),
    handle({ context, params, body }) {
      const folder = context.indexes.open(params.index_uid)
      if (folder === undefined) return fail('index_not_found', params.index_uid)
      const { offset = 0, limit = 20 } = body
      const settings = readSettings(folder)
      const names = wantedNames(folder.readFields().inByteOrder(), settings, body.filter ?? {})
      const results = viewFields(names.slice(offset, offset + limit), settings)
      return json(200, { results, offset, limit, total: names.length })
    },
  }),
]

function viewFields(names: readonly string[], settings: Settings): FieldView[] {
  const roles = compileFieldRoles(settings)
  return names.map((name) => viewField(name, roles.of(name), settings))
}

function viewField(name: string, role: FieldRole, settings: Settings): FieldView {
  const { facetSearch = false, equality = false, comparison = false } = role.filter ?? {}
  return {
    name,
    displayed: { enabled: role.isDisplayed },
    searchable: { enabled: role.searchableRank !== -1 },
    sortable: { enabled: role.isSortable || isNamedSortable(name, settings) },
    distinct: { enabled: role.isDistinct },
    rankingRule: role.ranking === undefined ? { enabled: false } : { enabled: true, order: role.ranking },
    filterable: {
      enabled: facetSearch || equality || comparison,
      sortBy: facetOrder(name, settings),
      facetSearch,
      equality,
      comparison,
    },
    localized: { locales: isReserved(name) ? [] : (role.locales ?? []).map(capitalized) },
  }
}

/** Nothing can be sorted by `_geojson`, but here it is shown as the setting says. */
function isNamedSortable(name: string, { sortableAttributes }: Settings): boolean {
  return matchesName('_geojson', name) && sortableAttributes.some((sortable) => matchesName(sortable, name))
}

function facetOrder(name: string, { faceting: { sortFacetValuesBy } }: Settings): FacetOrder {
  return sortFacetValuesBy.get(name) ?? sortFacetValuesBy.get('*') ?? 'alpha'
}

const isReserved = (name: string): boolean =>
  ['_vectors', '_geo', '_geojson'].some((reserved) => matchesName(reserved, name))

/** `eng` is shown as `Eng` here, unlike by the settings routes. */
const capitalized = (locale: string): string => locale.charAt(0).toUpperCase() + locale.slice(1)

/** What the settings make of a field is looked up only where it is asked for: there may be very many. */
function wantedNames(names: readonly string[], settings: Settings, wanted: FieldCriteria): readonly string[] {
  const { attributePatterns } = wanted
  const matching = attributePatterns
    ? names.filter((name) => attributePatterns.some((pattern) => matchesPattern(pattern, name)))
    : names
  const criteria = CRITERIA.filter((criterion) => wanted[criterion] !== undefined && wanted[criterion] !== null)
  if (criteria.length === 0) return matching
  const isWanted = (field: FieldView) => criteria.every((criterion) => field[criterion].enabled === wanted[criterion])
  return viewFields(matching, settings)
    .filter(isWanted)
    .map(({ name }) => name)
}
