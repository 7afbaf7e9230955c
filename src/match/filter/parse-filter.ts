import { fail, ok, type Result } from '../../errors/index.js'
import { type JsonValue, parse as parseJson, shown, wrongType } from '../../json/index.js'
import { combined, type Filter } from './model.js'
import { parseExpression } from './parse-expression.js'
import { type Reading, SyntaxProblem } from './scanner.js'

/** The code that blames a filter, by family of routes. */
export type FilterCode = 'invalid_search_filter' | 'invalid_document_filter' | 'invalid_similar_filter'

export interface FilterSyntax {
  readonly code: FilterCode
  /** `twice` on `/search` and `/multi-search` unless `legacySearch` is on; `once` everywhere else. */
  readonly reading: Reading
}

/** Expressions may be megabytes long; a message shows how they begin. */
const SHOWN_CHARACTERS = 200

/**
 * The filter of a request: a string, or an array (AND) of strings and arrays (OR) of strings. Undefined when blank
 * strings and empty arrays leave nothing to filter by (spec 6 §6.1).
 */
export function parseFilter(value: JsonValue, syntax: FilterSyntax): Result<Filter | undefined> {
  if (typeof value === 'string') return parseText(value, '.filter', syntax)
  if (!Array.isArray(value)) return fail(syntax.code, wrongType('.filter', 'a string or an array', value))
  return parseItems('and', value, (item, i) => {
    const path = `.filter[${i}]`
    if (typeof item === 'string') return parseText(item, path, syntax)
    if (!Array.isArray(item)) return fail(syntax.code, wrongType(path, 'a string or an array of strings', item))
    return parseItems('or', item, (text, j) =>
      typeof text === 'string'
        ? parseText(text, `${path}[${j}]`, syntax)
        : fail(syntax.code, wrongType(`${path}[${j}]`, 'a string', text)),
    )
  })
}

function parseItems(
  kind: 'and' | 'or',
  items: readonly JsonValue[],
  parseItem: (item: JsonValue, i: number) => Result<Filter | undefined>,
): Result<Filter | undefined> {
  const operands: Filter[] = []
  for (const [i, item] of items.entries()) {
    const parsed = parseItem(item, i)
    if (!parsed.ok) return parsed
    if (parsed.value) operands.push(parsed.value)
  }
  return ok(operands.length === 0 ? undefined : combined(kind, operands))
}

function parseText(text: string, path: string, { code, reading }: FilterSyntax): Result<Filter | undefined> {
  if (text.trim() === '') return ok(undefined)
  try {
    return ok(parseExpression(text, reading))
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error
    const { expected, start, end } = error
    return fail(
      code,
      `\`${path}\`: ${expected}, at columns ${start + 1}:${end + 1} of ${shown(text.slice(0, SHOWN_CHARACTERS))}.`,
    )
  }
}

/**
 * The text of a `filter` query parameter: the JSON value if it is JSON, else the expression itself (spec 6 §1.3). No
 * filter is a parameter that is not there: `null` is read as an expression, and is none.
 */
export function filterFromQuery(text: string): JsonValue {
  const json = parseJson(text)
  return json.ok && json.value !== null ? json.value : text
}
