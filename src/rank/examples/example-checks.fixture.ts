import { expect } from 'vitest'
import type { RankRequest } from '../model.js'
import type { ScoreDetail } from '../score-detail.js'
import { detailText, type ExampleQuery } from './example.fixture.js'

/** What both implementations answer. */
export interface Answer {
  readonly ids: readonly number[]
  readonly scores: readonly number[]
  readonly details: readonly (readonly ScoreDetail[])[]
  /** The documents that totals count. */
  readonly candidates: readonly number[]
}

/** A request that asks for a thousand documents and nothing special. */
export function requestOf(request: Partial<RankRequest>): RankRequest {
  return {
    q: null,
    locales: null,
    matchingStrategy: 'last',
    attributesToSearchOn: null,
    sort: [],
    distinct: null,
    filter: null,
    depth: 2000,
    isExhaustive: false,
    threshold: null,
    deadline: Number.POSITIVE_INFINITY,
    ...request,
  }
}

export function expectAnswer(query: ExampleQuery, answer: Answer): void {
  const { request, ids, total, scores, details = {} } = query
  const shown = (rule: string): string[] =>
    answer.details.flatMap((list) => list.filter((detail) => detail.rule === rule).map(detailText))
  const found = Object.fromEntries(Object.keys(details).map((rule) => [rule, shown(rule)]))
  expect({ q: request.q, ids: answer.ids, details: found }).toEqual({ q: request.q, ids, details })
  if (total !== undefined) expect(answer.candidates).toHaveLength(total)
  scores?.forEach((score, i) => {
    expect(answer.scores[i]).toBeCloseTo(score, 12)
  })
}
