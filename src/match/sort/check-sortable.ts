import { fail, ok, type Result } from '../../errors/index.js'
import { shown } from '../../json/index.js'
import type { FieldRoles, Settings } from '../../settings/index.js'
import type { SortKey } from './model.js'
import type { SortCode } from './parse-sort.js'

/** What decides whether an index can be sorted. */
export interface SortTarget {
  readonly indexUid: string
  readonly settings: Pick<Settings, 'sortableAttributes' | 'rankingRules'>
  /** Compiled from the same settings. */
  readonly roles: FieldRoles
}

/** Searches sort only where `sort` is among the ranking rules (spec 6 §9). */
export function checkSearchSort(keys: readonly SortKey[], target: SortTarget): Result<undefined> {
  if (keys.length > 0 && !target.settings.rankingRules.includes('sort')) {
    return fail(
      'invalid_search_sort',
      `Index \`${target.indexUid}\`: \`sort\` cannot be used, since \`rankingRules\` has no rule \`sort\`.`,
    )
  }
  return checkKeys(keys, target, 'invalid_search_sort')
}

/** Listings need no ranking rule, but positions that are known: `knowsPositions` (spec 3 §4.4). */
export function checkDocumentSort(
  keys: readonly SortKey[],
  target: SortTarget,
  knowsPositions: boolean,
): Result<undefined> {
  const checked = checkKeys(keys, target, 'invalid_document_sort')
  if (!checked.ok || knowsPositions || !keys.some(({ kind }) => kind === 'geoPoint')) return checked
  return fail(
    'invalid_document_sort',
    `Index \`${target.indexUid}\`: \`_geoPoint\` cannot be sorted by, since no document ever had \`_geo\`.`,
  )
}

/** Refuses the first key that is not, or not below, one of `sortableAttributes`. */
function checkKeys(keys: readonly SortKey[], target: SortTarget, code: SortCode): Result<undefined> {
  for (const key of keys) {
    const attribute = key.kind === 'geoPoint' ? '_geo' : key.attribute
    const isSortable =
      key.kind === 'geoPoint'
        ? target.settings.sortableAttributes.includes('_geo')
        : target.roles.of(key.attribute).isSortable
    if (!isSortable) return fail(code, notSortable(attribute, target))
  }
  return ok(undefined)
}

function notSortable(attribute: string, { indexUid, settings, roles }: SortTarget): string {
  const shownNames = settings.sortableAttributes.filter((name) => roles.of(name).isDisplayed)
  const hidden = shownNames.length < settings.sortableAttributes.length ? ['<hidden>'] : []
  const names = [...shownNames, ...hidden].map((name) => `\`${name}\``).join(', ')
  const available = names === '' ? 'the index has no sortable attributes' : `sortable are ${names}`
  return `Index \`${indexUid}\`: the attribute ${shown(attribute)} is not sortable; ${available}.`
}
