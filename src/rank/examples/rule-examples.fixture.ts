import { find, type RankExample } from './example.fixture.js'

/** Words of a text of this length. */
function numbered(count: number): string {
  return Array.from({ length: count }, (_, i) => `w${i}`).join(' ')
}

/** More than a hundred words with one prefix, which is cached then (spec 5 §4.4). */
function startingWith(letters: string): string {
  return Array.from({ length: 110 }, (_, i) => `${letters}${i}`).join(' ')
}

export const ruleExamples: readonly RankExample[] = [
  {
    name: 'words: all of them, then fewer from the end (spec 6 §13, case 17)',
    documents: ['a b c', 'a b', 'a', 'b c', 'batman'],
    settings: { rankingRules: ['words'] },
    queries: [
      { request: { q: 'a b c ' }, ids: [0, 1, 2], total: 3, details: { words: ['3/3', '2/3', '1/3'] } },
      { request: { q: 'zzzz batman' }, ids: [], total: 0 },
      { request: { q: 'a a ' }, ids: [0, 1, 2], details: { words: ['2/2', '2/2', '2/2'] } },
    ],
  },
  {
    name: 'words: the frequent one goes first (spec 6 §13, case 18)',
    documents: ['garden chair', 'garden', 'garden', 'chair', 'one', 'two', 'sunflower'],
    settings: { rankingRules: ['words'] },
    queries: [
      {
        request: { q: 'garden chair ', matchingStrategy: 'frequency' },
        ids: [0, 3],
        details: { words: ['2/2', '1/2'] },
      },
      { request: { q: 'sun flower ' }, ids: [6], details: { words: ['2/2'] } },
      { request: { q: 'one two ', matchingStrategy: 'frequency' }, ids: [] },
    ],
  },
  {
    name: 'words: no such rule when all words are needed (spec 6 §13, case 19)',
    documents: ['a b', 'a'],
    queries: [{ request: { q: 'a b ', matchingStrategy: 'all' }, ids: [0], details: { words: [] } }],
  },
  {
    name: 'typo: words read together raise the maximum (spec 6 §4.5)',
    documents: ['a b c d e f g h i', 'mobile device', 'cell phone'],
    settings: { rankingRules: ['typo'], synonyms: { 'cell phone': ['mobile device'] } },
    queries: [
      { request: { q: 'a b c d e f g h i ', matchingStrategy: 'all' }, ids: [0], details: { typo: ['0/13'] } },
      { request: { q: 'cell phone ' }, ids: [2, 1], details: { typo: ['0/3', '2/3'] } },
    ],
  },
  {
    name: 'proximity: near words before far ones (spec 6 §4.6, §13, cases 21-22)',
    documents: [
      'paint fence',
      'paint your fence',
      'fence paint',
      'fence your paint',
      'fence and your paint',
      'paint. Fence',
      { text: 'paint', other: 'fence' },
    ],
    settings: { rankingRules: ['proximity'] },
    queries: [
      {
        request: { q: 'paint fence ' },
        ids: [0, 1, 2, 3, 4, 5, 6],
        details: { proximity: ['4/4', '3/4', '3/4', '2/4', '1/4', '1/4', '1/4'] },
      },
    ],
  },
  {
    name: 'proximity by attribute: in the same one or not (spec 6 §13, case 22)',
    documents: ['paint fence', 'fence and your very old paint', { text: 'paint', other: 'fence' }],
    settings: { rankingRules: ['proximity'], proximityPrecision: 'byAttribute' },
    queries: [{ request: { q: 'paint fence ' }, ids: [0, 1, 2], details: { proximity: ['4/4', '4/4', '1/4'] } }],
  },
  {
    name: 'proximity: a stop word between two words parts them (spec 6 §13, case 23)',
    documents: ['end of story', 'story at the end'],
    settings: { rankingRules: ['proximity'], stopWords: ['of'] },
    queries: [{ request: { q: 'end of story ' }, ids: [0, 1], details: { proximity: ['1/1', '1/1'] } }],
  },
  {
    name: 'words read together: cost of each rule (spec 6 §4.6, §13, case 24)',
    documents: ['football', 'football game', 'foot ball game'],
    settings: { rankingRules: ['typo', 'wordPosition'] },
    queries: [
      {
        request: { q: 'foot ball ' },
        ids: [2, 0, 1],
        details: { typo: ['0/3', '2/3', '2/3'], wordPosition: ['21/21', '20/21', '20/21'] },
      },
    ],
  },
  {
    name: 'proximity: entering words read together costs their number less one (spec 6 §4.6)',
    documents: ['football game', 'foot ball game'],
    settings: { rankingRules: ['proximity'] },
    queries: [{ request: { q: 'foot ball game ' }, ids: [1, 0], details: { proximity: ['7/7', '6/7'] } }],
  },
  {
    name: 'attributeRank: each word by its best attribute (spec 6 §4.7)',
    documents: [
      { title: 'star wars', overview: 'x' },
      { title: 'wars', overview: 'star' },
      { title: 'x', overview: 'star wars' },
    ],
    settings: { rankingRules: ['attributeRank'], searchableAttributes: ['title', 'overview'] },
    queries: [{ request: { q: 'star wars ' }, ids: [0, 1, 2], details: { attributeRank: ['3/3', '2/3', '1/3'] } }],
  },
  {
    name: 'default rules: paint your fence (spec 6 §4.8, §13, case 20)',
    documents: ['how to paint your fence'],
    queries: [
      {
        request: { q: 'paint fence' },
        ids: [0],
        details: {
          proximity: ['3/4'],
          wordPosition: ['17/21'],
          exactAttribute: ['noExactMatch'],
          exactWords: ['2/2'],
        },
      },
    ],
  },
  {
    name: 'exactness: the attribute, its prefix, the words (spec 6 §4.9, §13, case 25)',
    documents: ['Red apple', 'Red apple pie', 'A red apple', 'Red apples'],
    settings: { rankingRules: ['exactness'] },
    queries: [
      {
        request: { q: 'red apple', matchingStrategy: 'all' },
        ids: [0, 1, 2, 3],
        scores: [1, 2 / 3, 1 / 3, 2 / 9],
        details: {
          exactAttribute: ['exactMatch', 'matchesStart', 'noExactMatch', 'noExactMatch'],
          exactWords: ['2/2', '2/2', '2/2', '1/2'],
        },
      },
    ],
  },
  {
    name: 'exactness: wordPosition decides first with the default rules (spec 6 §13, case 25)',
    documents: ['Red apple', 'Red apple pie', 'A red apple', 'Red apples'],
    queries: [find('red apple', [0, 1, 3, 2])],
  },
  {
    name: 'exactness: only the surviving query counts (spec 6 §4.9)',
    documents: ['red apple', 'pie'],
    settings: { rankingRules: ['exactness'] },
    queries: [{ request: { q: 'red apple pie ' }, ids: [0], details: { exactAttribute: ['exactMatch'] } }],
  },
  {
    name: 'exactness: more than thirty words are not counted (spec 6 §4.9)',
    documents: [numbered(30), numbered(31), numbered(40)],
    settings: { rankingRules: ['exactness'] },
    queries: [
      {
        request: { q: `"${numbered(30)}"` },
        ids: [0, 1, 2],
        details: { exactAttribute: ['exactMatch', 'matchesStart', 'matchesStart'] },
      },
      {
        request: { q: `"${numbered(31)}"` },
        ids: [1, 2],
        details: { exactAttribute: ['matchesStart', 'matchesStart'] },
      },
    ],
  },
  {
    name: 'exactness: an attribute that is not searched on is no match (spec 6 §1.5)',
    documents: [{ title: 'sun flower', text: 'the sun flower' }],
    settings: { rankingRules: ['exactness'] },
    queries: [
      { request: { q: 'sun ' }, ids: [0], details: { exactAttribute: ['matchesStart'] } },
      {
        request: { q: 'sun ', attributesToSearchOn: ['text'] },
        ids: [0],
        details: { exactAttribute: ['matchesStart'] },
      },
      {
        request: { q: 'sun flower ', attributesToSearchOn: ['text'] },
        ids: [0],
        details: { exactAttribute: ['matchesStart'] },
      },
      { request: { q: 'sun flower ' }, ids: [0], details: { exactAttribute: ['exactMatch'] } },
    ],
  },
  {
    name: 'exactness leaves of a last word what was typed (spec 6 §4.9)',
    documents: ['star southern x x x x s'],
    settings: { rankingRules: ['words', 'exactness', 'wordPosition', 'attributeRank'] },
    queries: [{ request: { q: 'southern s' }, ids: [0], details: { exactWords: ['2/2'], wordPosition: ['17/21'] } }],
  },
  {
    name: 'exactness leaves a last word open whose prefix is cached (spec 6 §4.9)',
    documents: ['star southern x x x x s', startingWith('s'), 'southern x x x x s', 'southern x x x x start'],
    settings: { rankingRules: ['words', 'exactness', 'wordPosition', 'attributeRank'] },
    queries: [
      {
        request: { q: 'southern s' },
        ids: [0, 2, 3],
        details: { exactWords: ['2/2', '2/2', '1/2'], wordPosition: ['20/21', '20/21', '20/21'] },
      },
    ],
  },
  {
    name: 'exactness leaves a pair with a cached prefix open, but not turned around (spec 6 §4.6, §4.9)',
    documents: [startingWith('s'), 'southern star x x x s', 'star southern x x x x s', 's southern'],
    settings: { rankingRules: ['exactness', 'proximity'] },
    queries: [{ request: { q: 'southern s' }, ids: [1, 3, 2], details: { proximity: ['4/4', '3/4', '1/4'] } }],
  },
  {
    name: 'exactness does not lower the number of typos there might be (spec 6 §4.5, §4.9)',
    documents: ['wars abc', 'wars abd', 'warriors abc'],
    settings: { rankingRules: ['exactness', 'typo'], typoTolerance: { minWordSizeForTypos: { oneTypo: 5 } } },
    queries: [
      { request: { q: 'wars' }, ids: [0, 1], details: { typo: ['0/1', '0/1'] } },
      { request: { q: 'wars abc' }, ids: [0, 1], details: { typo: ['0/2', '0/1'] } },
      { request: { q: 'warriors abc' }, ids: [2], details: { exactWords: ['2/2'], typo: ['0/2'] } },
    ],
  },
  {
    name: 'of ways to read the query that cost the same, single words come first (spec 6 §4.3)',
    documents: [{ tags: ['bord board', 'sunflower'] }, { tags: ['', 'board snow sunflower'] }],
    settings: { rankingRules: ['proximity', 'attribute'], synonyms: { 'snow board': ['sunflower'] } },
    queries: [
      {
        request: { q: 'board board snow board ' },
        ids: [0, 1],
        details: { proximity: ['6/10', '6/10'], wordPosition: ['34/41', '28/41'] },
      },
    ],
  },
  {
    name: 'the score of a document with every rule (spec 6 §5.1, §13, case 26)',
    documents: ['Coffee mug with handle'],
    queries: [
      {
        request: { q: 'cofee mug handle' },
        ids: [0],
        scores: [0.904089861751152],
        details: {
          words: ['3/3'],
          typo: ['1/3'],
          proximity: ['6/7'],
          attributeRank: ['1/1'],
          wordPosition: ['30/31'],
          exactAttribute: ['noExactMatch'],
          exactWords: ['2/3'],
        },
      },
    ],
  },
]
