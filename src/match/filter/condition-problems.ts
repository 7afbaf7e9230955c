import { type Failure, failure, suggest } from '../../errors/index.js'
import { shown } from '../../json/index.js'
import type { Embedder, FieldRole } from '../../settings/index.js'
import { geoProblem } from './geo-problems.js'
import {
  type AttributeCondition,
  type Condition,
  conditionsOf,
  type Filter,
  SHARD,
  type VectorSelection,
} from './model.js'
import type { FilterCode } from './parse-filter.js'
import type { FilterTarget } from './target.js'

/**
 * The conditions that fail once evaluation reaches them, each with its failure. They are no failure of the filter yet:
 * behind an empty operand of `AND` they are never reached (spec 6 §6.4).
 */
export function findProblems(filter: Filter, target: FilterTarget, code: FilterCode): Map<Condition, Failure> {
  const problems = new Map<Condition, Failure>()
  for (const condition of conditionsOf(filter)) {
    const problem = problemOf(condition, target, code)
    if (problem) problems.set(condition, problem)
  }
  return problems
}

function problemOf(condition: Condition, target: FilterTarget, code: FilterCode): Failure | undefined {
  const blame = (blamed: FilterCode, problem: string | undefined): Failure | undefined =>
    problem === undefined ? undefined : failure(blamed, `Index \`${target.indexUid}\`: ${problem}.`)
  switch (condition.kind) {
    case 'geoRadius':
    case 'geoBoundingBox':
    case 'geoPolygon':
      return blame(code, geoProblem(condition, target))
    case 'vectors':
      return blame(code, vectorProblem(condition.vectors, target))
    case 'foreign':
      return unresolved()
    default:
      // Whatever the route, these two are failures of the search itself (spec 3 §4.4, spec 8 §3.4).
      return blame('invalid_search_filter', attributeProblem(condition, target))
  }
}

/** Foreign parts are replaced by `resolveForeign` before anything is evaluated. */
export function unresolved(): never {
  throw new Error('a filter is evaluated after its foreign parts have been resolved')
}

function attributeProblem(condition: AttributeCondition, target: FilterTarget): string | undefined {
  const { name } = condition.attribute
  if (name === SHARD) return shardProblem(condition, target)
  const role = target.roles.of(name)
  if (isAllowed(condition, role) || !target.facets.field(name)) return undefined
  return refusedOperator(condition, role)
}

function isAllowed(condition: AttributeCondition, { filter, isFilterable }: FieldRole): boolean {
  const family = familyOf(condition)
  return family === 'presence' ? isFilterable : filter?.[family] === true
}

function familyOf(condition: AttributeCondition): 'equality' | 'comparison' | 'presence' {
  if (condition.kind === 'in') return 'equality'
  if (condition.kind === 'between') return 'comparison'
  if (condition.kind !== 'compare') return 'presence'
  return condition.operator === '=' || condition.operator === '!=' ? 'equality' : 'comparison'
}

const PRESENCE = ['EXISTS', 'IS NULL', 'IS EMPTY', 'CONTAINS', 'STARTS WITH']

function refusedOperator(condition: AttributeCondition, { filter, filterRule }: FieldRole): string {
  const allowed = [
    ...(filter?.equality ? ['=', '!=', 'IN'] : []),
    ...(filter?.comparison ? ['<', '<=', '>', '>=', 'TO'] : []),
    ...PRESENCE,
  ]
  const names = allowed.map((operator) => `\`${operator}\``).join(', ')
  return `the operator \`${operatorOf(condition)}\` is not allowed for the attribute ${shown(condition.attribute.name)}; allowed are ${names}. Rule ${filterRule} of \`filterableAttributes\` decides: turn on \`features.filter.${familyOf(condition)}\` there`
}

function operatorOf(condition: AttributeCondition): string {
  switch (condition.kind) {
    case 'compare':
      return condition.operator
    case 'between':
      return 'TO'
    case 'in':
      return 'IN'
    case 'exists':
      return 'EXISTS'
    case 'null':
      return 'IS NULL'
    case 'empty':
      return 'IS EMPTY'
    case 'contains':
      return 'CONTAINS'
    case 'startsWith':
      return 'STARTS WITH'
  }
}

function shardProblem(condition: AttributeCondition, { shards }: FilterTarget): string | undefined {
  if (familyOf(condition) !== 'equality') {
    return `the operator \`${operatorOf(condition)}\` is not allowed for \`${SHARD}\`; allowed are \`=\`, \`!=\`, \`IN\``
  }
  const known = shards?.names() ?? []
  const unknown = shardNames(condition).find((name) => !known.includes(name))
  return unknown === undefined ? undefined : unknownName('shard', unknown, known)
}

/** The shards that a condition on `_shard` names. */
export function shardNames(condition: AttributeCondition): readonly string[] {
  if (condition.kind === 'in') return condition.values
  return condition.kind === 'compare' ? [condition.value] : []
}

function vectorProblem(selection: VectorSelection, { settings }: FilterTarget): string | undefined {
  if (selection.embedder === undefined) return undefined
  const embedder = settings.embedders.get(selection.embedder)
  if (!embedder) return unknownName('embedder', selection.embedder, [...settings.embedders.keys()])
  const fragments = fragmentsOf(embedder)
  if (selection.part !== 'fragment' || fragments.includes(selection.fragment)) return undefined
  return unknownName(`fragment of the embedder ${shown(selection.embedder)}`, selection.fragment, fragments)
}

/** The side that embeds documents counts. */
function fragmentsOf(embedder: Embedder): string[] {
  const indexing = embedder.source === 'composite' ? embedder.indexingEmbedder : embedder
  return indexing.source === 'rest' ? [...(indexing.indexingFragments?.keys() ?? [])] : []
}

function unknownName(what: string, name: string, known: readonly string[]): string {
  const near = suggest(name, known)
  const hint = near === undefined ? '' : ` (did you mean ${shown(near)}?)`
  const available = known.length === 0 ? 'there is none' : `known are ${known.map(shown).join(', ')}`
  return `there is no ${what} called ${shown(name)}${hint}; ${available}`
}
