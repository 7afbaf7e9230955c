import { Bitmap } from '../../bitmap/index.js'
import { type Failure, FailureError, failure, ok, type Result } from '../../errors/index.js'
import { checkBudget, spendAtMost } from '../../threads/index.js'
import { attributeDocIds, rangeAmong } from './attribute-docids.js'
import { checkAttributes } from './check-attributes.js'
import { circlePolygon } from './circle.js'
import { findProblems, shardNames, unresolved } from './condition-problems.js'
import type { FieldFacets } from './facet-reader.js'
import { isPlainRule } from './filterable-rules.js'
import { joinEqualities } from './join-equalities.js'
import type { LateFilter } from './late-filter.js'
import { type AttributeCondition, type Condition, type Filter, type GeoCondition, SHARD } from './model.js'
import type { FilterCode } from './parse-filter.js'
import { printFilter } from './print-filter.js'
import type { FilterTarget } from './target.js'

/** How many sets are held before they are combined: a chain of thousands must not hold them all. */
const SETS_AT_ONCE = 16

/**
 * The documents of an index that satisfy a filter whose foreign parts have been resolved. The bitmap belongs to the
 * caller. Fails on attributes that are not filterable, then on the first condition reached that is not possible.
 */
export function evaluateFilter(filter: Filter, target: FilterTarget, code: FilterCode): Result<Bitmap> {
  const checked = checkAttributes(filter, target, code)
  if (!checked.ok) return checked
  return inTime(target, code, () => {
    const evaluation = new Evaluation(target, findProblems(filter, target, code))
    const docIds = evaluation.docIds(filter)
    return evaluation.failure ? { ok: false, failure: evaluation.failure } : ok(docIds.clone())
  })
}

/** A filter applies as a whole or not at all: one that takes too long is refused. */
function inTime<T>({ indexUid, maxMs }: FilterTarget, code: FilterCode, evaluate: () => Result<T>): Result<T> {
  if (maxMs === undefined) return evaluate()
  return spendAtMost(maxMs, evaluate, () => {
    const reason = `it takes longer than ${maxMs / 1000} s to find the documents that pass; write it with fewer conditions`
    return { ok: false, failure: failure(code, `Index \`${indexUid}\`: the filter is refused, since ${reason}.`) }
  })
}

/** The same, evaluated when it is asked for if nothing can go wrong then; and if not, at once. */
export function prepareFilter(filter: Filter, target: FilterTarget, code: FilterCode): Result<Bitmap | LateFilter> {
  const checked = checkAttributes(filter, target, code)
  if (!checked.ok) return checked
  const problems = findProblems(filter, target, code)
  if (problems.size > 0) return evaluateFilter(filter, target, code)
  const evaluation = new Evaluation(target, problems)
  // Nobody who ranks has a place for a failure.
  const late = <T>(find: () => T): T => {
    const found = inTime(target, code, () => ok(find()))
    if (!found.ok) throw new FailureError(found.failure)
    return found.value
  }
  return ok({
    all: () => late(() => evaluation.docIds(filter).clone()),
    among: (docIds) => late(() => evaluation.among(filter, docIds)),
  })
}

class Evaluation {
  /** Of the first impossible condition that was reached. */
  failure: Failure | undefined
  private allDocIds: Bitmap | undefined

  constructor(
    private readonly target: FilterTarget,
    private readonly problems: ReadonlyMap<Condition, Failure>,
  ) {}

  /** Read only where something is taken away from them. */
  private get all(): Bitmap {
    this.allDocIds ??= this.target.facets.docIds()
    return this.allDocIds
  }

  docIds(filter: Filter): Bitmap {
    checkBudget()
    switch (filter.kind) {
      case 'and':
        return this.intersection(filter.operands)
      case 'or':
        return this.union(filter.operands)
      case 'not':
        return this.all.andNot(this.docIds(filter.operand))
      default:
        return this.conditionDocIds(filter)
    }
  }

  /**
   * Of some documents, ascending, those that pass: when part of what is asked for is ranges of numbers, and the rest is
   * cheap. Otherwise undefined: then all documents that pass are found in less time, or worth to be kept.
   */
  among(filter: Filter, docIds: Uint32Array): Uint32Array | undefined {
    const operands = filter.kind === 'and' ? filter.operands : [filter]
    let left = docIds
    const others: Filter[] = []
    for (const operand of operands) {
      const found = this.rangeAmong(operand, left)
      if (found !== undefined) left = found
      else if (costOf(operand) > 0) return undefined
      else others.push(operand)
    }
    if (others.length === operands.length) return undefined
    if (others.length === 0 || left.length === 0) return left
    return Bitmap.andMany([Bitmap.fromSorted(left), ...others.map((operand) => this.docIds(operand))]).toArray()
  }

  private rangeAmong(filter: Filter, docIds: Uint32Array): Uint32Array | undefined {
    if (filter.kind !== 'compare' && filter.kind !== 'between') return undefined
    const facets = this.facetsOf(filter.attribute.name)
    return facets && rangeAmong(filter, facets, docIds)
  }

  /** Stops at the first empty operand. The order of the text matters only when an operand may fail. */
  private intersection(operands: readonly Filter[]): Bitmap {
    const different = withoutRepeats(this.joinedEqualities('and', operands))
    const ordered = this.problems.size > 0 ? different : cheapestFirst(different)
    let sets: Bitmap[] = []
    for (const operand of ordered) {
      const docIds = this.docIds(operand)
      if (docIds.isEmpty) return docIds
      sets.push(docIds)
      if (sets.length < SETS_AT_ONCE) continue
      const common = Bitmap.andMany(sets)
      if (common.isEmpty) return common
      sets = [common]
    }
    return Bitmap.andMany(sets)
  }

  private joinedEqualities(kind: 'and' | 'or', operands: readonly Filter[]): readonly Filter[] {
    if (this.problems.size > 0) return operands
    return joinEqualities(kind, operands, (name) => this.facetsOf(name) !== undefined)
  }

  private union(operands: readonly Filter[]): Bitmap {
    let sets: Bitmap[] = []
    for (const operand of withoutRepeats(this.joinedEqualities('or', operands))) {
      sets.push(this.docIds(operand))
      if (sets.length === SETS_AT_ONCE) sets = [Bitmap.orMany(sets)]
    }
    return Bitmap.orMany(sets)
  }

  private conditionDocIds(condition: Condition): Bitmap {
    const problem = this.problems.get(condition)
    if (problem) {
      this.failure ??= problem
      return Bitmap.empty()
    }
    switch (condition.kind) {
      case 'geoRadius':
      case 'geoBoundingBox':
      case 'geoPolygon':
        return geoDocIds(condition, this.target)
      case 'vectors':
        return this.target.facets.withVectors(condition.vectors)
      case 'foreign':
        return unresolved()
      default:
        return this.attributeDocIds(condition)
    }
  }

  private attributeDocIds(condition: AttributeCondition): Bitmap {
    const { name } = condition.attribute
    if (name === SHARD) return this.shardDocIds(condition)
    const facets = this.facetsOf(name)
    return facets ? attributeDocIds(condition, facets, () => this.all) : Bitmap.empty()
  }

  /** Shapes are no values: plain conditions on `_geojson` find nothing (spec 6 §6.3). */
  private facetsOf(name: string): FieldFacets | undefined {
    return name === '_geojson' || name === SHARD ? undefined : this.target.facets.field(name)
  }

  private shardDocIds(condition: AttributeCondition): Bitmap {
    const { shards } = this.target
    const found = shards ? Bitmap.orMany(shardNames(condition).map((name) => shards.docIds(name))) : Bitmap.empty()
    const isNegated = condition.kind === 'compare' && condition.operator === '!='
    return isNegated ? this.all.andNot(found) : found
  }
}

function geoDocIds(condition: GeoCondition, { settings, facets }: FilterTarget): Bitmap {
  const points = isPlainRule(settings.filterableAttributes, '_geo')
  const shapes = isPlainRule(settings.filterableAttributes, '_geojson')
  switch (condition.kind) {
    case 'geoRadius': {
      const { center, meters, resolution } = condition
      const circle = circlePolygon(center, meters, resolution)
      return Bitmap.orMany([
        ...(points ? [facets.geoWithinRadius(center, meters)] : []),
        ...(shapes ? [facets.shapesTouchingPolygon(circle.points, circle.inside)] : []),
      ])
    }
    case 'geoBoundingBox':
      return Bitmap.orMany([
        ...(points ? [facets.geoWithinBox(condition.box)] : []),
        ...(shapes ? [facets.shapesTouchingBox(condition.box)] : []),
      ])
    case 'geoPolygon':
      return facets.shapesTouchingPolygon(condition.points)
  }
}

/** Programs write the same condition again and again; in short chains that is not worth looking for. */
function withoutRepeats(operands: readonly Filter[]): readonly Filter[] {
  if (operands.length <= SETS_AT_ONCE) return operands
  const known = new Set<string>()
  return operands.filter((operand) => {
    if (operand.kind === 'and' || operand.kind === 'or' || operand.kind === 'not') return true
    const text = printFilter(operand, 'once')
    const isNew = !known.has(text)
    known.add(text)
    return isNew
  })
}

/** So that the costly operands are spared when the cheap ones leave nothing. */
function cheapestFirst(operands: readonly Filter[]): readonly Filter[] {
  return operands
    .map((operand) => ({ operand, cost: costOf(operand) }))
    .sort((a, b) => a.cost - b.cost)
    .map(({ operand }) => operand)
}

/** 0: one look-up, or a few; 1: a walk along a range; 2: a walk along everything. */
function costOf(filter: Filter): number {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.operands.reduce((cost, operand) => Math.max(cost, costOf(operand)), 0)
    case 'not':
      return costOf(filter.operand)
    case 'compare':
      return filter.operator === '=' || filter.operator === '!=' ? 0 : 1
    case 'between':
    case 'startsWith':
      return 1
    case 'contains':
    case 'geoRadius':
    case 'geoBoundingBox':
    case 'geoPolygon':
      return 2
    default:
      return 0
  }
}
