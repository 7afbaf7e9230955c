import type { FacetColumn } from '../../columns/index.js'
import { type AllowedLanguages, foldText } from '../../text/index.js'
import { FoldedValues } from './folded-values.js'
import { equalTexts, type TextRange, textsStartingNear, textsStartingWith } from './match-folded.js'
import type { FacetIndex } from './model.js'

interface FacetQuery {
  readonly index: Pick<FacetIndex, 'roles' | 'settings' | 'carry'>
  readonly facetName: string
  readonly facetQuery: string
  /** Of the request, null when it has none. */
  readonly locales: readonly string[] | null
}

/** The ordinals of the strings that match a query, by their folded form and then by their norm (spec 6 §7.4). */
export function matchingValues(column: FacetColumn, query: FacetQuery): number[] {
  const values = foldedValues(column, query)
  const { locales } = query.index.roles.of(query.facetName)
  // Without trimming: a blank at the end is part of what is looked for.
  const lower = query.facetQuery.normalize('NFKD').toLowerCase()
  const folded = foldText(lower, queryLocales(locales, query.locales))
  const ordinals: number[] = []
  for (const { from, to } of matchingRanges(values, folded, query)) {
    for (let i = from; i < to; i++) ordinals.push(values.ordinalAt(i))
  }
  return ordinals
}

/** Only what a rule for the attribute allows can be asked for. */
function queryLocales(rule: readonly string[] | undefined, requested: readonly string[] | null): AllowedLanguages {
  return rule === undefined || requested === null ? rule : rule.filter((locale) => requested.includes(locale))
}

/** No stored value has more characters, and typos make up for two at most. */
const MAX_QUERY_CHARACTERS = 470

function matchingRanges(values: FoldedValues, folded: string, { index, facetName }: FacetQuery): TextRange[] {
  const { typoTolerance } = index.settings
  if (folded.length > 2 * MAX_QUERY_CHARACTERS) return []
  if (!typoTolerance.enabled || index.roles.of(facetName).isExact) return textsStartingWith(values, folded)
  if (typoTolerance.disableOnWords.includes(folded)) return equalTexts(values, folded)
  const bytes = Buffer.byteLength(folded)
  const maxTypos = bytes < typoTolerance.oneTypo ? 0 : bytes < typoTolerance.twoTypos ? 1 : 2
  return textsStartingNear(values, folded, maxTypos)
}

const FOLDED = Symbol('folded values')

/** The folded values of columns. They outlive versions of the index, as their columns do, and are brought up to date. */
class FoldedColumns {
  private readonly updated = new Set<FoldedValues>()

  constructor(private readonly byColumn = new WeakMap<FacetColumn, FoldedValues>()) {}

  /** For another version. */
  next(): FoldedColumns {
    return new FoldedColumns(this.byColumn)
  }

  of(column: FacetColumn, locales: AllowedLanguages): FoldedValues {
    const known = this.byColumn.get(column)
    const values = known?.isFor(locales) ? known : new FoldedValues(column, locales)
    this.byColumn.set(column, values)
    if (!this.updated.has(values)) values.update()
    this.updated.add(values)
    return values
  }
}

function foldedValues(column: FacetColumn, { index, facetName }: FacetQuery): FoldedValues {
  const columns = index.carry<FoldedColumns>(FOLDED, (before) => before?.next() ?? new FoldedColumns())
  return columns.of(column, index.roles.of(facetName).locales)
}
