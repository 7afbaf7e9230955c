import {
  graphOfPaths,
  narrowed,
  type Path,
  pathsOf,
  type QueryGraph,
  type QueryTerm,
  type Step,
} from '../../match/index.js'
import type { ScoreDetail } from '../score-detail.js'
import type { PathsOfBuckets } from './knowledge.js'

/**
 * After each rule the query is narrowed to the ways through it that the documents of a bucket take (spec 6 §4.3), and the
 * rules that follow go by that. Where a bucket has documents in other indexes too, their ways count as much. Here it is
 * noted which ways the documents of this index take, and what all take is put in their place as far as it is known.
 *
 * A way is written as its steps, `0.7 2.1`: the number of a term among those of the query, and what is left of it.
 */
export class PathExchange {
  private readonly numberOf: ReadonlyMap<QueryTerm, number>
  private readonly noted = new Map<string, readonly string[]>()

  constructor(
    private readonly terms: readonly QueryTerm[],
    private readonly agreed: PathsOfBuckets,
  ) {
    this.numberOf = new Map(terms.map((term, number) => [term, number]))
  }

  /** Of all buckets that were opened. */
  get found(): PathsOfBuckets {
    return this.noted
  }

  /** What the next rule goes by in a bucket that has these details. */
  graphOf(details: readonly ScoreDetail[], graph: QueryGraph): QueryGraph {
    const costs = details.map(costOf).join()
    this.noted.set(
      costs,
      pathsOf(graph)
        .map((path) => this.print(path))
        .sort(),
    )
    const agreed = this.agreed.get(costs)?.map((path) => this.read(path))
    return agreed === undefined ? graph : graphOfPaths(agreed.filter((path) => path !== undefined))
  }

  private print(path: Path): string {
    return path
      .map(({ term, levels, isExactOnly }) => `${this.numberOf.get(term)}.${isExactOnly ? 'e' : ''}${levels}`)
      .join(' ')
  }

  /** Undefined where it is none of this query. */
  private read(text: string): Path | undefined {
    const steps = text.split(' ').map((step) => this.readStep(step))
    return steps.includes(undefined) ? undefined : (steps as Step[])
  }

  private readStep(text: string): Step | undefined {
    const [, number, exact, levels] = /^(\d{1,3})\.(e?)([0-7])$/.exec(text) ?? []
    const term = this.terms[Number(number)]
    if (term === undefined) return undefined
    return narrowed({ term, levels: 0, isExactOnly: false, next: [] }, Number(levels), exact === 'e')
  }
}

/** The terms of a way, whatever is left of them. */
export function skeletonOf(path: string): string {
  return path.replaceAll(/\.\S+/g, '')
}

/** The terms that some of the ways have as they were typed: those of which the lowest level is left. */
export function typedSteps(paths: readonly string[]): string[] {
  const typed = new Set<string>()
  for (const step of paths.flatMap((path) => path.split(' '))) {
    const [number, left] = step.split('.')
    if (left !== undefined && /^e?[1357]/.test(left)) typed.add(number!)
  }
  return [...typed].sort()
}

/** What a document loses by a rule: unlike its rank, that does not depend on what others lose at most. */
function costOf(detail: ScoreDetail): string {
  switch (detail.rule) {
    case 'words':
    case 'exactWords':
      return String(detail.max - detail.matching)
    case 'typo':
      return String(detail.count)
    case 'proximity':
    case 'attributeRank':
    case 'wordPosition':
      return String(detail.max - detail.rank)
    case 'exactAttribute':
      return detail.type
    case 'sort':
      return JSON.stringify(detail.value)
    case 'geoSort':
      return JSON.stringify([detail.distance, detail.point])
    case 'vector':
      return String(detail.similarity)
    case 'skipped':
    case 'pin':
      return detail.rule
  }
}
