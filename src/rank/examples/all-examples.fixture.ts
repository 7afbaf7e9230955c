import type { RankExample } from './example.fixture.js'
import { queryExamples } from './query-examples.fixture.js'
import { ruleExamples } from './rule-examples.fixture.js'
import { derivationExamples } from './term-examples.fixture.js'
import { totalExamples } from './total-examples.fixture.js'

/** The worked examples and ranking cases of spec 5 and spec 6. */
export const rankExamples: readonly RankExample[] = [
  ...derivationExamples,
  ...queryExamples,
  ...ruleExamples,
  ...totalExamples,
]
