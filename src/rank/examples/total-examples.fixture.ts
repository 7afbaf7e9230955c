import { Bitmap } from '../../bitmap/index.js'
import { find, type RankExample, unranked } from './example.fixture.js'

const groups = ['a', 'a', 'a', 'a', 'b', 'b', 'b', 'c', 'd', 'd'].map((group) => ({ group }))
const mixed = [{ value: 3 }, { value: 'b' }, { value: true }, { value: null }, {}, { value: 'A' }]

export const totalExamples: readonly RankExample[] = [
  {
    name: 'a threshold drops what scores lower (spec 6 §13, cases 27-28)',
    documents: ['red apple', 'red apples', 'red', 'a red apple'],
    queries: [
      { request: { q: 'red apple pie ', threshold: 1 }, ids: [], total: 0 },
      { request: { q: 'red apple ', threshold: 1, isExhaustive: true, depth: 1 }, ids: [0], total: 1 },
      { request: { q: 'red apple ', threshold: 0.1, isExhaustive: true, depth: 0 }, ids: [], total: 4 },
      { request: { q: 'red apple ', threshold: 0.6, isExhaustive: true, depth: 1 }, ids: [0], total: 3 },
      { request: { q: 'red apple ', threshold: 0.6, depth: 1 }, ids: [0], total: 4 },
    ],
  },
  {
    name: 'a page is not longer than asked for, also when all documents have to be looked at (spec 6 §2.5)',
    documents: ['red', 'red', 'blue'],
    settings: unranked,
    queries: [{ request: { q: 'red', threshold: 0, isExhaustive: true, depth: 1 }, ids: [0], total: 2 }],
  },
  {
    name: 'a duplicate that is gone leaves no way to read the query behind (spec 6 §4.2)',
    documents: [
      'sun flower',
      { title: 'snowboard', text: 'flower' },
      { text: 'sunfolwer snowboard, ', color: 'red' },
      { title: 'snow', text: 'snowboard' },
      { title: 'sunflower, ', text: 'snow board', color: 'red' },
    ],
    settings: { synonyms: { sun: ['snow board', 'flower'], flower: ['snow'] }, filterableAttributes: ['color'] },
    queries: [
      {
        request: {
          q: 'flower sunflower snowboard ',
          matchingStrategy: 'frequency',
          filter: Bitmap.fromSorted([0, 2, 4]),
          distinct: 'color',
        },
        ids: [4, 0],
        total: 2,
        details: { words: ['3/3', '2/3'], typo: ['1/5', '1/3'] },
      },
    ],
  },
  {
    name: 'a search without time is not ranked (spec 6 §13, case 29)',
    documents: ['red', 'red apple', 'red apple'],
    queries: [
      {
        request: { q: 'red apple', deadline: Number.NEGATIVE_INFINITY },
        ids: [0, 1, 2],
        scores: [0, 0, 0],
        details: { skipped: ['', '', ''], words: [] },
      },
    ],
  },
  {
    name: 'numbers come before strings in both directions (spec 6 §13, case 30)',
    documents: mixed,
    settings: { sortableAttributes: ['value'] },
    queries: [
      { request: { sort: [{ kind: 'attribute', attribute: 'value', direction: 'asc' }] }, ids: [0, 5, 1, 2, 3, 4] },
      { request: { sort: [{ kind: 'attribute', attribute: 'value', direction: 'desc' }] }, ids: [0, 2, 1, 5, 3, 4] },
    ],
  },
  {
    name: 'the first rule for a field decides its direction (spec 6 §13, case 31)',
    documents: [{ price: 1 }, { price: 3 }, { price: 2 }],
    settings: { rankingRules: ['price:desc', 'sort'], sortableAttributes: ['price'] },
    queries: [
      {
        request: { sort: [{ kind: 'attribute', attribute: 'price', direction: 'asc' }] },
        ids: [1, 2, 0],
        details: { sort: ['3', '2', '1'] },
      },
    ],
  },
  {
    name: 'distinct counts what it has seen (spec 6 §2.5, §13, case 59)',
    documents: groups,
    settings: { filterableAttributes: ['group'] },
    queries: [
      { request: { distinct: 'group', depth: 1 }, ids: [0], total: 7 },
      { request: { distinct: 'group', depth: 2 }, ids: [0, 4], total: 5 },
      { request: { distinct: 'group', depth: 4 }, ids: [0, 4, 7, 8], total: 4 },
      { request: { distinct: 'group', depth: 0 }, ids: [], total: 10 },
      { request: { distinct: 'group', depth: 1, isExhaustive: true }, ids: [0], total: 4 },
      { request: { distinct: 'group', depth: 0, isExhaustive: true }, ids: [], total: 4 },
      { request: { distinct: 'unknown', depth: 2 }, ids: [0, 1], total: 10 },
    ],
  },
  {
    name: 'words count only in the attributes to search on (spec 6 §13, case 15)',
    documents: [{ title: 'lamp' }, { text: 'lamp' }, { details: { title: 'lamp' } }],
    settings: unranked,
    queries: [
      find('lamp', [0], { attributesToSearchOn: ['title'] }),
      find('lamp', [2], { attributesToSearchOn: ['*.title'] }),
      find('lamp', [0, 1, 2], { attributesToSearchOn: ['*', 'nope'] }),
      find('lamp', [], { attributesToSearchOn: ['nope'] }),
      find('lamp', [], { attributesToSearchOn: ['details'] }),
      find('lamp', [], { attributesToSearchOn: [] }),
      find('-lamp', [1, 2], { attributesToSearchOn: ['title'] }),
      find('', [0, 1, 2], { attributesToSearchOn: [] }),
    ],
  },
]
