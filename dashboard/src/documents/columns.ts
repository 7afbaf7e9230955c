export type Document = Readonly<Record<string, unknown>>

const MOST_COLUMNS = 6
const MOST_CHARACTERS = 160
/** Longer values are read one by one, not in a list; these are looked at no further. */
const TOO_LONG = 5_000
/** Of a document with thousands of fields. */
const MOST_NAMES = 300
const TITLES = /^(title|name|label|headline|subject)$/i

/** The fields that say most in a line: the id, the name, then what is short and in most documents. */
export function chooseColumns(sample: readonly Document[], primaryKey: string | null): string[] {
  const names = [...new Set(sample.flatMap((document) => Object.keys(document).slice(0, MOST_NAMES)))]
  const ranked = names
    .filter((name) => name !== primaryKey)
    .map((name) => ({ name, rank: rankOf(name, sample) }))
    .filter(({ rank }) => Number.isFinite(rank))
    // The order of the documents stays where ranks are the same.
    .sort((a, b) => a.rank - b.rank)
    .map(({ name }) => name)
  return [...(primaryKey === null ? [] : [primaryKey]), ...ranked].slice(0, MOST_COLUMNS)
}

/** Lower is better. */
function rankOf(name: string, sample: readonly Document[]): number {
  const values = sample.map((document) => document[name]).filter((value) => value !== undefined && value !== null)
  if (values.length === 0) return Number.POSITIVE_INFINITY
  const length = values.reduce<number>((total, value) => total + lengthOf(value), 0) / values.length
  if (length > TOO_LONG) return Number.POSITIVE_INFINITY
  if (TITLES.test(name)) return 0
  const isRare = values.length < sample.length / 2
  return 1 + (length > 60 ? 1 : 0) + (isRare ? 2 : 0) + (typeof values[0] === 'object' ? 0.5 : 0)
}

const lengthOf = (value: unknown): number =>
  typeof value === 'string' ? value.length : (JSON.stringify(value) ?? '').length

/** The beginning of a value, as text. */
export function preview(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    return value.slice(0, 20).join(', ').slice(0, MOST_CHARACTERS)
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MOST_CHARACTERS)
}
