import fc from 'fast-check'
import { fromPlain } from '../../json/index.js'
import { compileFieldRoles, defaultSettings, type FilterableRule, type Settings } from '../../settings/index.js'
import type { FacetReader } from './facet-reader.js'
import { type Attribute, comparisons, type Filter, type GeoPoint, negated, type VectorSelection } from './model.js'
import { type FilterSyntax, parseFilter } from './parse-filter.js'
import type { Reading } from './scanner.js'
import type { FilterTarget } from './target.js'

/** The tree of a filter that must be valid. */
export function tree(filter: unknown, reading: Reading = 'once'): Filter {
  const parsed = parseFilter(fromPlain(filter), { code: 'invalid_search_filter', reading })
  if (!parsed.ok) throw new Error(parsed.failure.message)
  if (!parsed.value) throw new Error('there is no filter')
  return parsed.value
}

/** What is said about a filter that must be refused. */
export function refusal(filter: unknown, syntax: Partial<FilterSyntax> = {}): string {
  const parsed = parseFilter(fromPlain(filter), { code: 'invalid_search_filter', reading: 'once', ...syntax })
  if (parsed.ok) throw new Error(`accepted: ${JSON.stringify(parsed.value)}`)
  if (parsed.failure.code !== (syntax.code ?? 'invalid_search_filter')) throw new Error(parsed.failure.code)
  return parsed.failure.message
}

const NOWHERE = { start: 0, end: 0 }

export const at = (name: string): Attribute => ({ name, columns: NOWHERE })

/** The same tree with all columns forgotten. */
export function withoutColumns(filter: Filter): Filter {
  return JSON.parse(JSON.stringify(filter), (key, value) => (key === 'columns' ? NOWHERE : value))
}

/** A target whose plain strings are plain rules and whose objects are pattern rules with their filter features. */
export function targetOf(
  facets: FacetReader,
  rules: readonly (string | { patterns: string[]; equality?: boolean; comparison?: boolean })[],
  more: Partial<Settings> & Pick<FilterTarget, 'shards'> = {},
): FilterTarget {
  const filterableAttributes = rules.map((rule): FilterableRule => {
    if (typeof rule === 'string') return { kind: 'name', name: rule }
    const { patterns, equality = true, comparison = false } = rule
    return { kind: 'patterns', patterns, features: { facetSearch: false, equality, comparison } }
  })
  const { shards, ...changes } = more
  const settings: Settings = { ...defaultSettings, ...changes, filterableAttributes }
  return { indexUid: 'shop', settings, roles: compileFieldRoles(settings), facets, ...(shards ? { shards } : {}) }
}

const someText = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'B', 'é', ' ', '"', "'", '\\', 'n', '\n', '.', '😀', '/'), maxLength: 8 }),
  fc.constantFrom('AND', 'NOT', '_geo', '_geoPoint', '_vectors', '_foreign(', 'TO', '', '1e3'),
)
const somePoint: fc.Arbitrary<GeoPoint> = fc.record({
  lat: fc.double({ noNaN: true, noDefaultInfinity: true }).map((degrees) => degrees + 0),
  lng: fc.double({ noNaN: true, noDefaultInfinity: true }).map((degrees) => degrees + 0),
})

const someVectors: fc.Arbitrary<VectorSelection> = fc.oneof(
  fc.constant({ part: 'any' as const }),
  fc.record({ part: fc.constant('any' as const), embedder: someText }),
  fc.record({ part: fc.constantFrom('userProvided', 'documentTemplate', 'regenerate'), embedder: someText }),
  fc.record({ part: fc.constant('fragment' as const), embedder: someText, fragment: someText }),
)

/** Conditions on attributes, with names and values out of the given ones. */
export function someConditions(names: fc.Arbitrary<string>, values: fc.Arbitrary<string>): fc.Arbitrary<Filter> {
  const attribute = names.map(at)
  return fc.oneof(
    fc.record({ kind: fc.constant('compare'), attribute, operator: fc.constantFrom(...comparisons), value: values }),
    fc.record({ kind: fc.constant('between'), attribute, from: values, to: values }),
    fc.record({ kind: fc.constant('in'), attribute, values: fc.array(values, { maxLength: 4 }) }),
    fc.record({ kind: fc.constantFrom('exists', 'null', 'empty'), attribute }),
    fc.record({ kind: fc.constantFrom('contains', 'startsWith'), attribute, value: values }),
  ) as fc.Arbitrary<Filter>
}

/** Trees over the given leaves, a few levels deep. */
export function someTrees(leaf: fc.Arbitrary<Filter>): fc.Arbitrary<Filter> {
  const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'filter' },
      leaf,
      fc.record({
        kind: fc.constantFrom('and', 'or'),
        operands: fc.array(tie('filter'), { minLength: 2, maxLength: 4 }),
      }),
      tie('filter').map(negated),
    ),
  }))
  return filter
}

const plainTrees = someTrees(
  fc.oneof(
    { arbitrary: someConditions(someText, someText), weight: 5 },
    fc.record({ kind: fc.constant('vectors' as const), vectors: someVectors }),
    fc.record({
      kind: fc.constant('geoRadius' as const),
      center: somePoint,
      meters: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
      resolution: fc.integer({ min: 0, max: 2000 }),
    }),
    fc.record({
      kind: fc.constant('geoBoundingBox' as const),
      box: fc.record({ topRight: somePoint, bottomLeft: somePoint }),
    }),
    fc.record({
      kind: fc.constant('geoPolygon' as const),
      points: fc.array(somePoint, { minLength: 3, maxLength: 5 }),
    }),
  ),
)

/** Any filter that an expression can say, `_foreign` included. */
export const anyFilter: fc.Arbitrary<Filter> = fc.oneof(
  { arbitrary: plainTrees, weight: 4 },
  fc.record({ kind: fc.constant('foreign' as const), field: someText.map(at), filter: plainTrees }),
)
