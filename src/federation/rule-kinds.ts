import type { Selection } from '../engine/index.js'
import type { SortKey } from '../match/index.js'
import type { MatchingStrategy, RankingRule } from '../settings/index.js'

/** What a step of a ranking orders documents by. Only like steps can be compared between queries (spec 8 §1.6). */
export type RuleKind = 'relevancy' | 'asc' | 'desc' | 'geo asc' | 'geo desc'

export interface RuleStep {
  readonly kind: RuleKind
  /** As the settings or the query spell it. */
  readonly rule: string
}

/** What a query looks for, as far as its ranking depends on it. */
export type QueryClass = 'keyword' | 'vector' | 'placeholder'

export interface RankedQuery {
  readonly rankingRules: readonly RankingRule[]
  readonly sort: readonly SortKey[]
  readonly matchingStrategy: MatchingStrategy
  readonly queryClass: QueryClass
}

/** Texts of blanks alone count as words here, although nothing is looked for then. */
export function queryClass({ q, hybrid, vector, media }: Selection): QueryClass {
  const hasVector = vector !== null || media !== null
  const isBlank = q === null || q.trim() === ''
  const ratio = hybrid?.semanticRatio ?? 0
  if (ratio === 1 && (!isBlank || hasVector)) return 'vector'
  if (ratio > 0 && isBlank && hasVector) return 'vector'
  return q === null || q === '' ? 'placeholder' : 'keyword'
}

/** The steps of a ranking, neighbours of relevancy taken together. */
export function ruleSteps(query: RankedQuery): RuleStep[] {
  return new RuleWalk(query).steps
}

class RuleWalk {
  readonly steps: RuleStep[] = []
  private readonly sortedFields = new Set<string>()
  private isSortUsed = false
  private isGeoUsed = false
  private hasRelevancy = false

  constructor(private readonly query: RankedQuery) {
    for (const rule of query.rankingRules) if (!this.addRule(rule)) return
  }

  /** False where the ranking ends. */
  private addRule(rule: RankingRule): boolean {
    if (typeof rule === 'object') this.addField(rule.attribute, rule.direction)
    else if (rule === 'sort') this.addSort()
    else return this.addRelevancy(rule)
    return true
  }

  private addSort(): void {
    if (this.isSortUsed) return
    this.isSortUsed = true
    for (const key of this.query.sort) {
      if (key.kind === 'attribute') this.addField(key.attribute, key.direction)
      else if (!this.isGeoUsed) {
        this.isGeoUsed = true
        this.steps.push({ kind: `geo ${key.direction}`, rule: `_geoPoint(${key.lat}, ${key.lng}):${key.direction}` })
      }
    }
  }

  private addField(attribute: string, direction: 'asc' | 'desc'): void {
    if (this.sortedFields.has(attribute)) return
    this.sortedFields.add(attribute)
    this.steps.push({ kind: direction, rule: `${attribute}:${direction}` })
  }

  private addRelevancy(rule: string): boolean {
    const { queryClass, matchingStrategy } = this.query
    if (queryClass === 'placeholder') return true
    if (queryClass === 'vector' && this.hasRelevancy) return this.sortedFields.size === 0
    if (queryClass === 'keyword' && rule === 'words' && matchingStrategy === 'all') return true
    this.hasRelevancy = true
    if (this.steps.at(-1)?.kind !== 'relevancy') this.steps.push({ kind: 'relevancy', rule })
    return true
  }
}
