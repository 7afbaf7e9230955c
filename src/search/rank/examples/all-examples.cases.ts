import type { RankExample } from './example.cases.js'
import { queryExamples } from './query-examples.cases.js'
import { ruleExamples } from './rule-examples.cases.js'
import { derivationExamples } from './term-examples.cases.js'
import { totalExamples } from './total-examples.cases.js'

/** The worked examples and ranking cases of spec 5 and spec 6. */
export const rankExamples: readonly RankExample[] = [
  ...derivationExamples,
  ...queryExamples,
  ...ruleExamples,
  ...totalExamples,
]
