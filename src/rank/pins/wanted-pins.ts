import { normalizeFacet } from '../../columns/index.js'
import type { Timestamp } from '../../time/index.js'
import type { RuleCondition, SearchRule } from './search-rule.js'

/** A document that rules want at a place. */
export interface WantedPin {
  readonly id: string
  readonly position: number
}

export interface PinnedSearch {
  readonly indexUid: string
  readonly q: string | null
  readonly now: Timestamp
}

/** What rules want for a search, in the order of their places (spec 8 §4.5, §4.6). `rules` are in the order of uids. */
export function wantedPins(rules: readonly SearchRule[], search: PinnedSearch): WantedPin[] {
  const wanted = new Map<string, WantedPin & { priority: number }>()
  for (const rule of rules) {
    if (!applies(rule, search)) continue
    const priority = rule.priority ?? Number.POSITIVE_INFINITY
    for (const { indexUid, id, position } of rule.actions) {
      if (id === null || (indexUid !== null && indexUid !== search.indexUid)) continue
      const known = wanted.get(id)
      if (known === undefined || priority < known.priority) wanted.set(id, { id, position, priority })
    }
  }
  return [...wanted.values()].sort((a, b) => a.position - b.position || comparePriorities(a.priority, b.priority))
}

/** Infinity less infinity is no number. */
const comparePriorities = (a: number, b: number): number => (a === b ? 0 : a - b)

function applies({ active, conditions }: SearchRule, search: PinnedSearch): boolean {
  return active && conditions.every((condition) => holds(condition, search))
}

function holds(condition: RuleCondition, { q, now }: PinnedSearch): boolean {
  if (condition.scope === 'time') {
    const { start, end } = condition
    return (start === null || now >= start.at) && (end === null || now <= end.at)
  }
  if ('isEmpty' in condition) return condition.isEmpty === (q === null || q.trim() === '')
  // The text of the condition is decomposed, the query is not (spec 8 §4.5).
  return q?.toLowerCase().includes(normalizeFacet(condition.contains)) ?? false
}
