import type { FieldId } from '../documents/index.js'
import { fail, ok, type Result } from '../errors/index.js'
import { shown } from '../json/index.js'
import type { SearchIndex } from '../match/index.js'
import { searchableFields } from '../match/index.js'
import { matchesPattern } from '../settings/index.js'

const SEARCHABLE = Symbol('names of searchable fields')

/** Refuses the first entry of `attributesToSearchOn` that can never match (spec 6 §1.5). */
export function checkSearchedAttributes(index: SearchIndex, names: readonly string[] | null): Result<undefined> {
  const { searchableAttributes } = index.settings
  // By default every field is searchable, so that an unknown name is only one that no document has yet.
  if (names === null || searchableAttributes === '*') return ok(undefined)
  const fields = index.derive(SEARCHABLE, () => searchableNames(index))
  for (const [i, name] of names.entries()) {
    if (name === '*' || searchableAttributes.includes(name) || isMatched(fields, name)) continue
    return fail('invalid_search_attributes_to_search_on', notSearchable(index, i, name))
  }
  return ok(undefined)
}

function searchableNames(index: SearchIndex): ReadonlySet<string> {
  const known = searchableFields(index).ids.filter((id) => index.fields.isKnown(id as FieldId))
  return new Set(known.map((id) => index.nameOf(id)))
}

function isMatched(fields: ReadonlySet<string>, name: string): boolean {
  if (fields.has(name)) return true
  if (!name.includes('*')) return false
  for (const field of fields) if (matchesPattern(name, field)) return true
  return false
}

function notSearchable({ uid, settings, roles }: SearchIndex, position: number, name: string): string {
  const all = settings.searchableAttributes as readonly string[]
  const displayed = all.filter((attribute) => roles.of(attribute).isDisplayed)
  const names = [...displayed, ...(displayed.length < all.length ? ['<hidden>'] : [])]
  const available = names.map((attribute) => `\`${attribute}\``).join(', ') || 'none'
  return `\`.attributesToSearchOn[${position}]\`: the attribute ${shown(name)} of the index \`${uid}\` is not searchable; searchable are ${available}.`
}
