import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { SearchIndex } from '../match/index.js'
import { payloadOf, TestIndex } from '../match/test-index.fixture.js'
import { requestOf } from './examples/example-checks.fixture.js'
import { rank } from './rank.js'

const stored = new TestIndex()
afterAll(() => stored.delete())
const index = new SearchIndex('shop', stored.folder)

/** One word is in nearly every document, the other in few. */
const word = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('sun', 'suns', 'sunny') },
  { weight: 2, arbitrary: fc.constant('snow') },
  { weight: 1, arbitrary: fc.constantFrom('fog', 'snows') },
)
const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
const documents = fc.array(fc.record({ title: text, overview: text }), { minLength: 20, maxLength: 60 })

const rankingRules = fc.constantFrom(
  ['words', 'typo', 'proximity', 'attribute', 'sort', 'exactness'],
  ['words', 'typo', 'attributeRank', 'proximity', 'wordPosition', 'exactness'],
  ['words', 'typo', 'exactness', 'attribute', 'proximity'],
  ['words', 'typo', 'wordPosition', 'attributeRank'],
)
const searchableAttributes = fc.constantFrom(['title', 'overview'], ['overview', 'title'], ['*'])
const search = fc.record({
  q: fc.constantFrom(
    'snow sun',
    'sun snow',
    'snow su',
    'su snow',
    'fog sun',
    'snow sun fog',
    'sun "snow sun"',
    'sun sn',
  ),
  attributesToSearchOn: fc.constantFrom(null, null, ['title']),
  depth: fc.integer({ min: 1, max: 6 }),
  firstSlice: fc.constantFrom(2, 3, 5),
})

test('a rare word beside a frequent one: the page is that of all documents', async () => {
  await fc.assert(
    fc.asyncProperty(
      documents,
      rankingRules,
      searchableAttributes,
      fc.array(search),
      async (list, rules, names, all) => {
        stored.run({ kind: 'clear', patches: [JSON.stringify({ rankingRules: rules, searchableAttributes: names })] })
        const payload = await payloadOf(list.map((document, id) => ({ id, ...document })))
        const operation = { kind: 'import', method: 'replace', payload, primaryKey: null, skipCreation: false } as const
        stored.run({ kind: 'documents', operations: [operation] })
        index.refresh()
        for (const options of all) {
          const request = requestOf(options)
          const whole = rank(index, { ...request, firstSlice: Number.POSITIVE_INFINITY })
          expect(rank(index, request).documents).toEqual(whole.documents)
        }
      },
    ),
    { numRuns: Number(process.env.RANK_RUNS ?? 60) },
  )
}, 3_600_000)
