import type { SortKey } from '../../match/index.js'
import type { BuiltInRule } from '../../settings/index.js'
import type { RankRequest } from '../model.js'
import { exactAttributeBuckets, graphBuckets, sortBuckets, type TwinRule } from './buckets.twin.js'
import type { TwinNode } from './graph.twin.js'
import {
  attributeRankRule,
  exactWordsRule,
  proximityRule,
  typoRule,
  wordPositionRule,
  wordsRule,
} from './graph-rules.twin.js'
import type { Matcher } from './matcher.twin.js'

type Name = Exclude<BuiltInRule, 'sort' | 'attribute'>

export interface RuleInputs {
  readonly matcher: Matcher
  readonly request: RankRequest
  readonly isPlaceholder: boolean
  readonly groups: ReadonlyMap<TwinNode, number>
}

/** The rules in their order, as settings and request ask for them (spec 6 §4.1). */
export class RuleList {
  readonly rules: TwinRule[] = []
  private readonly used = new Set<string>()
  private readonly sorted = new Set<string>()

  constructor(private readonly inputs: RuleInputs) {
    for (const rule of inputs.matcher.index.settings.rankingRules) {
      if (typeof rule === 'object') this.sortBy({ kind: 'attribute', ...rule })
      else if (rule === 'sort') this.sortAsRequested()
      else if (!inputs.isPlaceholder) this.addAll(rule === 'attribute' ? ['attributeRank', 'wordPosition'] : [rule])
    }
  }

  private sortAsRequested(): void {
    if (this.used.has('sort')) return
    this.used.add('sort')
    for (const key of this.inputs.request.sort) this.sortBy(key)
  }

  private sortBy(key: SortKey): void {
    if (key.kind !== 'attribute' || this.sorted.has(key.attribute)) return
    this.sorted.add(key.attribute)
    this.rules.push(sortBuckets(this.inputs.matcher, key.attribute, key.direction))
  }

  private addAll(names: readonly Name[]): void {
    this.add('words')
    if (names.some((name) => this.used.has(name))) return
    for (const name of names) this.add(name)
  }

  private add(name: Name): void {
    if (this.used.has(name)) return
    this.used.add(name)
    this.rules.push(...this.make(name))
  }

  private make(name: Name): TwinRule[] {
    const { matcher, request, groups } = this.inputs
    const { docIds } = matcher.index
    switch (name) {
      case 'words':
        return request.matchingStrategy === 'all'
          ? []
          : [graphBuckets(docIds, (graph) => wordsRule(matcher, graph, groups))]
      case 'typo':
        return [graphBuckets(docIds, () => typoRule(matcher))]
      case 'proximity':
        return [graphBuckets(docIds, () => proximityRule(matcher))]
      case 'attributeRank':
        return [graphBuckets(docIds, () => attributeRankRule(matcher))]
      case 'wordPosition':
        return [graphBuckets(docIds, () => wordPositionRule(matcher))]
      case 'exactness':
        return [exactAttributeBuckets(matcher), graphBuckets(docIds, () => exactWordsRule(matcher))]
    }
  }
}
