import type { SortKey } from '../match/index.js'
import type { RankingRule } from '../settings/index.js'

/** The rules that a search applies, in their order (spec 6 §4.1). */
export type RuleStep =
  | {
      readonly kind:
        | 'words'
        | 'typo'
        | 'proximity'
        | 'attributeRank'
        | 'wordPosition'
        | 'exactAttribute'
        | 'exactWords'
        | 'vector'
    }
  | { readonly kind: 'sort'; readonly key: SortKey }

export interface RuleChoice {
  readonly rankingRules: readonly RankingRule[]
  readonly sort: readonly SortKey[]
  /** Without words to look for only sorts are left. */
  readonly isPlaceholder: boolean
  /** Words may be left out: with the strategy `all` they may not. */
  readonly canSkipWords: boolean
  /** The first rule that looks at words makes place for vectors, the others vanish (spec 7 §2.3). */
  readonly isSemantic: boolean
}

export function chooseRules(choice: RuleChoice): RuleStep[] {
  const { rankingRules, sort, isPlaceholder, canSkipWords, isSemantic } = choice
  const steps: RuleStep[] = []
  const used = new Set<string>()
  const use = (name: string): boolean => !used.has(name) && used.add(name) !== undefined
  const addWords = () => {
    if (canSkipWords && use('words')) steps.push({ kind: 'words' })
  }
  const addSort = (key: SortKey) => {
    if (key.kind === 'geoPoint' || use(`field ${key.attribute}`)) steps.push({ kind: 'sort', key })
  }
  const addText = (...kinds: Exclude<RuleStep['kind'], 'sort'>[]) => {
    addWords()
    for (const kind of kinds) steps.push({ kind })
  }
  for (const rule of rankingRules) {
    if (typeof rule === 'object') addSort({ kind: 'attribute', ...rule })
    else if (rule === 'sort') {
      if (use('sort')) for (const key of sort) addSort(key)
    } else if (isSemantic) {
      if (use('vector')) steps.push({ kind: 'vector' })
    } else if (isPlaceholder) continue
    else if (rule === 'words') addWords()
    else if (rule === 'attribute') {
      if (!used.has('attributeRank') && !used.has('wordPosition')) {
        use('attributeRank')
        use('wordPosition')
        addText('attributeRank', 'wordPosition')
      }
    } else if (use(rule)) {
      if (rule === 'exactness') addText('exactAttribute', 'exactWords')
      else addText(rule)
    }
  }
  return steps
}
