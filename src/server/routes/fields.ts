import { compareBytes } from '../../byte-order/index.js'
import { fail } from '../../errors/index.js'
import {
  compileFieldRoles,
  type FacetOrder,
  type FieldRole,
  matchesName,
  matchesPattern,
  readSettings,
  type Settings,
} from '../../index/index.js'
import { arrayOf, bool, nullable, object, optional, text, uint } from '../../shape/index.js'
import { json } from '../http/answer.js'
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

type Wanted = { readonly attributePatterns?: readonly string[] | null } & {
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
      const fields = viewFields(folder.fields().known(), readSettings(folder)).filter(isWanted(body.filter ?? {}))
      return json(200, { results: fields.slice(offset, offset + limit), offset, limit, total: fields.length })
    },
  }),
]

function viewFields(names: readonly string[], settings: Settings): FieldView[] {
  const roles = compileFieldRoles(settings)
  return [...names].sort(compareBytes).map((name) => viewField(name, roles.of(name), settings))
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

function isWanted(wanted: Wanted): (field: FieldView) => boolean {
  const { attributePatterns } = wanted
  const criteria = CRITERIA.filter((name) => wanted[name] !== undefined && wanted[name] !== null)
  return (field) =>
    (!attributePatterns || attributePatterns.some((pattern) => matchesPattern(pattern, field.name))) &&
    criteria.every((name) => field[name].enabled === wanted[name])
}
